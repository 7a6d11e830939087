import type { AttemptRecord, WebhookTest } from '../../../../contracts/wire/webhooks.ts';
import { visible } from '../../../kit/json-tree.tsx';
import { State, Time } from '../../../kit/values.tsx';
import { Timings } from './timings.tsx';

const triggers: Record<string, string> = {
  schedule: 'scheduled',
  manual: 'redelivered manually',
  probe: 'probe of a failing endpoint',
};

/** One attempt at a delivery: the response, its timings, and the next attempt. */
export function Attempt({ of: attempt }: { of: AttemptRecord }) {
  return (
    <div class="stack">
      <div class="row">
        <h3>Attempt {attempt.number}</h3>
        <State state={attempt.outcome} />
        <span class="soft">
          {triggers[attempt.trigger] ?? attempt.trigger}, <Time at={attempt.at} exact />
        </span>
      </div>
      <Exchange of={attempt} />
      {attempt.next_attempt_at && (
        <p class="soft">
          Next attempt scheduled for <Time at={attempt.next_attempt_at} exact />
        </p>
      )}
    </div>
  );
}

/** The outcome of one request to a webhook. */
export function Exchange({ of: exchange }: { of: AttemptRecord | WebhookTest }) {
  const { status, duration_ms: duration, error, timings, response_excerpt: excerpt } = exchange;
  return (
    <>
      <dl class="facts">
        <dt>Response</dt>
        <dd>{status === null ? 'None' : `HTTP ${status}`}</dd>
        <dt>Duration</dt>
        <dd>{duration === null ? '–' : `${Math.round(duration)} ms`}</dd>
        {error && (
          <>
            <dt>Error</dt>
            <dd class="dev-any">
              {error.message} <code>{error.code}</code>
            </dd>
          </>
        )}
      </dl>
      {timings && <Timings of={timings} />}
      {excerpt && (
        <div class="stack">
          <h4>Start of the response</h4>
          <pre class="code webhook-excerpt" tabIndex={0}>
            {visible(excerpt)}
          </pre>
        </div>
      )}
    </>
  );
}
