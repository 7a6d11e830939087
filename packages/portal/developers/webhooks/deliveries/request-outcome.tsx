import type { AttemptRecord, WebhookTest } from '@scriptorium/contracts/wire/webhooks';
import { Fact } from '../../../kit/fact.tsx';
import { escapeInvisible } from '../../../kit/json-tree.tsx';
import { CopyButton, StateBadge, Time } from '../../../kit/values.tsx';

/** The receiver's response to an attempt at a delivery. */
export function AttemptResponse({
  attempt,
  showsNextAttempt,
}: {
  attempt: AttemptRecord;
  showsNextAttempt: boolean;
}) {
  return (
    <section class="card stack" aria-label={`Response to attempt ${attempt.number}`}>
      <div class="row">
        <h2>Response</h2>
        <StateBadge state={attempt.outcome} />
        <span class="soft">attempt {attempt.number}</span>
      </div>
      <RequestOutcome result={attempt} />
      {showsNextAttempt && attempt.next_attempt_at && (
        <p class="soft">
          Next attempt scheduled for <Time at={attempt.next_attempt_at} exact />
        </p>
      )}
    </section>
  );
}

/** The outcome of one request to a webhook. */
export function RequestOutcome({ result }: { result: AttemptRecord | WebhookTest }) {
  const { status, duration_ms: duration, error, timings, response_excerpt: excerpt } = result;
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
      {timings && <Timings timings={timings} />}
      {excerpt && (
        <div class="stack">
          <div class="row">
            <h3>Body</h3>
            <CopyButton text={excerpt} subject="body of the response" />
            <span class="soft">at most the first 4 KiB</span>
          </div>
          <pre class="code webhook-excerpt" tabIndex={0}>
            {escapeInvisible(excerpt)}
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
function Timings({ timings }: { timings: Record<string, number | null> }) {
  const total = timings.total ?? 0;
  const knownPhases = phases.flatMap(([name, label], at) => {
    const ms = timings[name];
    return ms === null || ms === undefined ? [] : [{ words: label, ms, at }];
  });
  // Not included in the phases: waiting for a free connection, and reading the response.
  const otherMs = Math.max(0, total - knownPhases.reduce((sum, { ms }) => sum + ms, 0));
  const parts = [...knownPhases, { words: 'Other', ms: otherMs, at: 4 }].filter(({ ms }) => ms > 0);
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
