import { useEffect } from 'preact/hooks';
import { pluralise } from '../../../../contracts/pluralise.ts';
import type { DeliveryWithAttempts } from '../../../../contracts/wire/webhooks.ts';
import { useAction, useAnswer } from '../../../api/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { PageHead } from '../../../kit/page-head.tsx';
import { ResourceLink } from '../../../kit/resource-link.tsx';
import { Loading, ProblemState } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { Id, NextAttempt, State, Time } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { getDelivery, redeliver } from '../requests.ts';
import { Attempt } from './attempt.tsx';

/** How often a delivery that is due is reloaded, in milliseconds. */
const lookMs = 1_500;

/** The page of a delivery, with all attempts. */
export function OneDelivery({ webhookId, id }: { webhookId: string; id: string }) {
  const answer = useAnswer(getDelivery(webhookId, id));
  const { data, loading, reload } = answer;
  const isDue =
    data?.state === 'delivering' ||
    (data?.state === 'pending' &&
      data.next_attempt_at !== null &&
      new Date(data.next_attempt_at).getTime() < Date.now() + 2 * lookMs);
  useEffect(() => {
    if (!isDue || loading) return;
    const timer = window.setTimeout(reload, lookMs);
    return () => window.clearTimeout(timer);
  }, [isDue, loading, reload]);
  return (
    <>
      {!data && (
        <PageHead
          title="Delivery"
          crumbs={[
            ['Webhooks', '/'],
            ['Webhook', `/${webhookId}`],
          ]}
        />
      )}
      {answer.problem ? (
        <ProblemState problem={answer.problem} onRetry={reload} />
      ) : data ? (
        <Shown of={data} reload={reload} />
      ) : (
        <Loading what="delivery" lines={6} />
      )}
    </>
  );
}

function Shown({ of: delivery, reload }: { of: DeliveryWithAttempts; reload: () => void }) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const again = redeliver(delivery.webhook_id, delivery.id);
  const tryAgain = async () => {
    if (!(await run(again))) return;
    toast('good', 'Redelivery started.');
    reload();
  };
  return (
    <>
      <PageHead
        title={delivery.event_type}
        crumbs={[
          ['Webhooks', '/'],
          ['Webhook', `/${delivery.webhook_id}`],
        ]}
        calls={[
          ['Get delivery', getDelivery(delivery.webhook_id, delivery.id)],
          ['Redeliver', again],
        ]}
        primary={
          can('webhooks:write') && (
            <Button
              primary
              busy={busy}
              disabled={delivery.state === 'delivering'}
              onClick={() => void tryAgain()}
            >
              Redeliver
            </Button>
          )
        }
      />
      <div class="stack">
        <section class="card">
          <dl class="facts">
            <dt>Delivery</dt>
            <dd>
              <Id id={delivery.id} />
            </dd>
            <dt>Event</dt>
            <dd>
              <ResourceLink id={delivery.event_id} />
            </dd>
            <dt>State</dt>
            <dd>
              <State state={delivery.state} />{' '}
              {delivery.reason && <span class="soft">{delivery.reason.replaceAll('_', ' ')}</span>}
            </dd>
            <dt>Created</dt>
            <dd>
              <Time at={delivery.created_at} exact />
            </dd>
            <dt>Finished</dt>
            <dd>
              <Time at={delivery.finished_at} exact />
            </dd>
            <dt>Next attempt</dt>
            <dd>
              {delivery.next_attempt_at ? (
                <NextAttempt at={delivery.next_attempt_at} exact />
              ) : (
                'None'
              )}
            </dd>
          </dl>
        </section>
        <h2>{pluralise(delivery.attempts.length, 'attempt')}</h2>
        <ol class="dev-lines webhook-attempts">
          {delivery.attempts.toReversed().map((attempt) => (
            <li key={attempt.number} class="card">
              <Attempt of={attempt} />
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}
