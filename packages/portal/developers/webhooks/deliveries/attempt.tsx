import type { AttemptRecord, WebhookTest } from '@scriptorium/contracts/wire/webhooks';
import { Fact } from '../../../kit/fact.tsx';
import { visible } from '../../../kit/json-tree.tsx';
import { Copy, State, Time } from '../../../kit/values.tsx';

/** The receiver's response to an attempt at a delivery. */
export function Response({ of: attempt, isNext }: { of: AttemptRecord; isNext: boolean }) {
  return (
    <section class="card stack" aria-label={`Response to attempt ${attempt.number}`}>
      <div class="row">
        <h2>Response</h2>
        <State state={attempt.outcome} />
        <span class="soft">attempt {attempt.number}</span>
      </div>
      <Exchange of={attempt} />
      {isNext && attempt.next_attempt_at && (
        <p class="soft">
          Next attempt scheduled for <Time at={attempt.next_attempt_at} exact />
        </p>
      )}
    </section>
  );
}

/** The outcome of one request to a webhook. */
export function Exchange({ of: exchange }: { of: AttemptRecord | WebhookTest }) {
  const { status, duration_ms: duration, error, timings, response_excerpt: excerpt } = exchange;
  return (
    <>
      <dl class="facts">
        <Fact name="Response" value={status === null ? 'None' : `HTTP ${status}`} />
        <Fact name="Duration" value={duration === null ? '–' : `${Math.round(duration)} ms`} />
        {error && (
          <Fact name="Error">
            <span class="dev-any">
              {error.message} <code>{error.code}</code>
            </span>
          </Fact>
        )}
      </dl>
      {timings && <Timings of={timings} />}
      {excerpt && (
        <div class="stack">
          <div class="row">
            <h3>Body</h3>
            <Copy text={excerpt} what="body of the response" />
            <span class="soft">at most the first 4 KiB</span>
          </div>
          <pre class="code webhook-excerpt" tabIndex={0}>
            {visible(excerpt)}
          </pre>
        </div>
      )}
    </>
  );
}

const phases = [
  ['dns', 'DNS lookup'],
  ['connect', 'Connect'],
  ['tls', 'TLS'],
  ['first_byte', 'Wait for response'],
] as const;

/** The timings of a request in milliseconds, as a bar with a legend. */
function Timings({ of: timings }: { of: Record<string, number | null> }) {
  const total = timings.total ?? 0;
  const known = phases.flatMap(([name, words], at) => {
    const ms = timings[name];
    return ms === null || ms === undefined ? [] : [{ words, ms, at }];
  });
  // Not included in the phases: waiting for a free connection, and reading the response.
  const rest = Math.max(0, total - known.reduce((sum, { ms }) => sum + ms, 0));
  const parts = [...known, { words: 'Other', ms: rest, at: 4 }].filter(({ ms }) => ms > 0);
  if (total === 0 || parts.length === 0) return null;
  return (
    <div class="stack">
      <div class="webhook-timings" aria-hidden="true">
        {parts.map(({ words, ms, at }) => (
          <span
            key={words}
            class={`webhook-phase-${at}`}
            style={{ width: `${(ms / total) * 100}%` }}
          />
        ))}
      </div>
      <ul class="webhook-legend">
        {parts.map(({ words, ms, at }) => (
          <li key={words}>
            <span class={`webhook-swatch webhook-phase-${at}`} /> {words} {ms.toFixed(1)} ms
          </li>
        ))}
      </ul>
    </div>
  );
}
