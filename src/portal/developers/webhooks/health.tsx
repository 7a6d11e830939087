import type { WebhookRecord } from '../../../contracts/wire/webhooks.ts';
import { useAction } from '../../api/hooks.ts';
import { Confirm, DialogButton } from '../../kit/dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { formatCount, State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { cancelDeliveries } from './requests.ts';

/** How a webhook does: its state, what it is owed, and what went wrong last. */
export function Health({ of: webhook, reload }: { of: WebhookRecord; reload: () => void }) {
  const { health, state, disabled_reason: reason } = webhook;
  return (
    <div class="stack webhook-health">
      {state === 'paused' && (
        <p class="notice warn">Paused: what it is owed is kept, and sent when it is enabled.</p>
      )}
      {state === 'disabled' && (
        <p class="notice bad">
          Disabled{reason && `: ${reason.replaceAll('_', ' ')}`}. What happens meanwhile is skipped;
          a replay of what is missing sends it after all.
        </p>
      )}
      {health.disables_at && (
        <p class="notice warn">
          Nothing has arrived since <Time at={health.since} exact />. It is disabled{' '}
          <Time at={health.disables_at} /> unless something does.
        </p>
      )}
      <dl class="webhook-figures">
        <div>
          <dt>State</dt>
          <dd>
            <State state={state} />
          </dd>
        </div>
        <div>
          <dt>Health</dt>
          <dd>
            <State state={health.state} />
            {health.since && (
              <>
                {' '}
                since <Time at={health.since} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Waiting</dt>
          <dd>
            {formatCount(health.pending)}
            {health.oldest_pending_at && (
              <>
                , the oldest from <Time at={health.oldest_pending_at} />
              </>
            )}{' '}
            {health.pending > 0 && <CancelWaiting of={webhook} reload={reload} />}
          </dd>
        </div>
        <div>
          <dt>Last success</dt>
          <dd>{health.last_success_at ? <Time at={health.last_success_at} /> : 'never'}</dd>
        </div>
        <div>
          <dt>Last failure</dt>
          <dd>
            {health.last_failure_at ? <Time at={health.last_failure_at} /> : 'never'}
            {health.failures_in_row > 1 && `, ${health.failures_in_row} in a row`}
          </dd>
        </div>
      </dl>
      {health.last_error && health.state !== 'healthy' && (
        <p class="dev-any">
          <span class="soft">The last error:</span> {health.last_error.message}
        </p>
      )}
      {health.held_until && (
        <p class="soft">
          Too much has failed in a row: events wait, and one is tried{' '}
          <Time at={health.held_until} />.
        </p>
      )}
    </div>
  );
}

function CancelWaiting({ of: webhook, reload }: { of: WebhookRecord; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  if (!can('webhooks:write')) return null;
  const cancel = async () => {
    const answer = await run(cancelDeliveries(webhook.id));
    if (!answer) return;
    toast('good', `${answer.data.cancelled} deliveries are cancelled.`);
    reload();
  };
  return (
    <DialogButton
      small
      quiet
      label="Cancel them"
      dialog={(close) => (
        <Confirm
          title="Cancel what waits"
          action="Cancel the deliveries"
          danger
          busy={busy}
          onClose={close}
          onConfirm={() => void cancel().then(close)}
        >
          <p>
            About {formatCount(webhook.health.pending)} deliveries to this webhook are not made and
            no longer count as owed. A replay of what is missing, or redelivering one, brings it
            back.
          </p>
        </Confirm>
      )}
    />
  );
}
