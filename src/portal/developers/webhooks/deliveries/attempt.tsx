import type { AttemptRecord, WebhookTest } from '../../../../contracts/wire/webhooks.ts';
import { Fact } from '../../../kit/fact.tsx';
import { visible } from '../../../kit/json-tree.tsx';
import { Copy, State, Time } from '../../../kit/values.tsx';
import { Timings } from './timings.tsx';

/** What the receiver answered to one attempt at a delivery. */
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
