import { pluralise } from '@scriptorium/contracts/pluralise';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { toast } from '../../kit/toasts.tsx';
import { NextAttempt, StateBadge, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';

/** The health of a webhook: state, pending deliveries and the last error. */
export function Health({ webhook, reload }: { webhook: WebhookRecord; reload: () => void }) {
  const { health, state, disabled_reason: reason } = webhook;
  const hasRecovered =
    state === 'enabled' &&
    health.deferred > 0 &&
    health.last_success_at !== null &&
    health.failures_in_row === 0;
  return (
    <div class="stack webhook-health">
      {state === 'paused' && (
        <p class="notice warn">Paused. Events are kept and sent when the webhook is enabled.</p>
      )}
      {state === 'disabled' && (
        <p class="notice bad">
          Disabled{reason && `: ${reason.replaceAll('_', ' ')}`}. New events are skipped. Replay
          missing events to send them later.
        </p>
      )}
      {health.disables_at && (
        <p class="notice warn">
          All deliveries have failed since <Time at={health.since} exact />. The webhook will be
          disabled <Time at={health.disables_at} /> unless one succeeds.
        </p>
      )}
      {hasRecovered && (
        <div class="notice good row">
          <span>
            The last attempt succeeded.{' '}
            {pluralise(health.deferred, 'delivery waits', 'deliveries wait')} for a later retry.
          </span>
          <RetryDeferred webhook={webhook} reload={reload} />
        </div>
      )}
      <dl class="webhook-figures">
        <div>
          <dt>State</dt>
          <dd>
            <StateBadge state={state} />
          </dd>
        </div>
        <div>
          <dt>Health</dt>
          <dd>
            <StateBadge state={health.state} />
            {health.since && (
              <>
                {' '}
                since <Time at={health.since} />
              </>
            )}
            <LastHour health={health} />
          </dd>
        </div>
        <div>
          <dt>Pending</dt>
          <dd>
            {formatCount(health.pending)}
            {health.oldest_pending_at && (
              <>
                , oldest from <Time at={health.oldest_pending_at} />
              </>
            )}{' '}
            {!hasRecovered && <RetryDeferred webhook={webhook} reload={reload} />}{' '}
            {health.pending > 0 && <CancelPending webhook={webhook} reload={reload} />}
          </dd>
        </div>
        <div>
          <dt>Last success</dt>
          <dd>{health.last_success_at ? <Time at={health.last_success_at} /> : 'Never'}</dd>
        </div>
        <div>
          <dt>Last failure</dt>
          <dd>
            {health.last_failure_at ? <Time at={health.last_failure_at} /> : 'Never'}
            {health.failures_in_row > 1 && `, ${health.failures_in_row} in a row`}
          </dd>
        </div>
      </dl>
      <p class="dev-any">
        <span class="soft">Last error:</span>{' '}
        {health.last_error && (health.state !== 'healthy' || health.last_hour.failed > 0)
          ? health.last_error.message
          : 'None'}
      </p>
      {health.held_until && (
        <p class="soft">
          Sending is suspended after repeated failures: pending deliveries wait, and one of them is
          tried periodically. Next attempt: <NextAttempt at={health.held_until} />
        </p>
      )}
    </div>
  );
}

/** The number of failed attempts in the last hour as text; nothing for zero. */
export function LastHour({ health: { last_hour } }: { health: WebhookRecord['health'] }) {
  if (last_hour.failed === 0) return null;
  return (
    <div class="soft">
      {formatCount(last_hour.failed)} of {pluralise(last_hour.attempts, 'attempt')} failed in the
      last hour
    </div>
  );
}

/** Sends the deliveries that wait for a later retry, such as after the receiver was repaired. */
function RetryDeferred({ webhook, reload }: { webhook: WebhookRecord; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const { id, state, health } = webhook;
  if (state !== 'enabled' || health.deferred === 0) return null;
  if (!can('webhooks:write') || !can('events:read')) return null;
  const retry = async () => {
    const response = await run(requestFor('retryDeliveries', { id }));
    if (!response) return;
    const { retried } = response.data;
    toast('good', `${pluralise(retried, 'delivery is', 'deliveries are')} sent now.`);
    reload();
  };
  return (
    <Button small busy={busy} onClick={() => void retry()}>
      Send {formatCount(health.deferred)} pending now
    </Button>
  );
}

function CancelPending({ webhook, reload }: { webhook: WebhookRecord; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  if (!can('webhooks:write')) return null;
  const cancel = async () => {
    const response = await run(requestFor('cancelDeliveries', { id: webhook.id, body: {} }));
    if (!response) return;
    toast('good', `${pluralise(response.data.cancelled, 'delivery', 'deliveries')} cancelled.`);
    reload();
  };
  return (
    <DialogButton
      small
      quiet
      label="Cancel all"
      dialog={(close) => (
        <FormDialog
          title="Cancel pending deliveries?"
          action="Cancel deliveries"
          dismiss="Keep deliveries"
          danger
          busy={busy}
          onClose={close}
          onSubmit={() => void cancel().then(close)}
        >
          <p>
            About {pluralise(webhook.health.pending, 'pending delivery', 'pending deliveries')} to
            this webhook will be cancelled. You can still redeliver them one by one, or replay
            missing events.
          </p>
        </FormDialog>
      )}
    />
  );
}
