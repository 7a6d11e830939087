import { pluralise } from '@scriptorium/contracts/pluralise';
import type { DeliveryWithAttempts } from '@scriptorium/contracts/wire/webhooks';
import { useAction, useResource } from '../../../api/hooks.ts';
import { useQueryState } from '../../../api/location.ts';
import { requestFor, send } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { Fact } from '../../../kit/fact.tsx';
import { PageHead } from '../../../kit/page-head.tsx';
import { ResourceLink } from '../../../kit/resource-link.tsx';
import { AnswerView, Loading } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { Id, NextAttempt, StateBadge, Time } from '../../../kit/values.tsx';
import { webhookTitle } from '../../../kit/webhook-title.ts';
import { useSession } from '../../../shell/session.tsx';
import { Attempts } from './attempts.tsx';
import { useDuePolling, useVisiblePolling } from './live-deliveries.ts';
import { Message } from './message.tsx';
import { AttemptResponse } from './request-outcome.tsx';

/** The page of a delivery, with all attempts. */
export function DeliveryPage({ webhookId, id }: { webhookId: string; id: string }) {
  const resource = useResource(requestFor('getDelivery', { id: webhookId, delivery_id: id }));
  const { data, reload, replace } = resource;
  const polling = useDuePolling(data ? [data] : [], async () =>
    replace(await send(requestFor('getDelivery', { id: webhookId, delivery_id: id }))),
  );
  useVisiblePolling(polling.reloadNow);
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
      <AnswerView of={resource} content="delivery" lines={6}>
        {(data) => <DeliveryDetails delivery={data} reload={reload} />}
      </AnswerView>
    </>
  );
}

function DeliveryDetails({
  delivery,
  reload,
}: {
  delivery: DeliveryWithAttempts;
  reload: () => void;
}) {
  const { can } = useSession();
  const { run, busy } = useAction();
  const redeliverRequest = requestFor('redeliver', {
    id: delivery.webhook_id,
    delivery_id: delivery.id,
  });
  const [query, setQuery] = useQueryState();
  const webhook = useResource(requestFor('getWebhook', { id: delivery.webhook_id }));
  const { attempts } = delivery;
  const latest = attempts.at(-1) ?? null;
  const attempt = attempts.find(({ number }) => String(number) === query.get('attempt')) ?? latest;
  const isPending = delivery.state === 'pending';
  const isStale = Boolean(
    attempt && webhook.data && Date.parse(webhook.data.updated_at) > Date.parse(attempt.at),
  );
  const missingScope = can('events:read') ? 'audit:read' : 'events:read';
  const redeliver = async () => {
    if (!(await run(redeliverRequest))) return;
    toast('good', 'Redelivery started.');
    reload();
  };
  // The title of the webhook may wrap in the header, which would move the content below.
  if (webhook.loading && !webhook.data) return <Loading what="delivery" lines={6} />;
  return (
    <>
      <PageHead
        title={delivery.event_type}
        crumbs={[
          ['Webhooks', '/'],
          [webhook.data ? webhookTitle(webhook.data) : 'Webhook', `/${delivery.webhook_id}`],
        ]}
        state={<StateBadge state={delivery.state} />}
        calls={[
          [
            'Get delivery',
            requestFor('getDelivery', { id: delivery.webhook_id, delivery_id: delivery.id }),
          ],
          ['Redeliver', redeliverRequest],
        ]}
        primary={
          can('webhooks:write') && (
            <Button
              primary
              busy={busy}
              disabled={delivery.state === 'delivering'}
              onClick={() => void redeliver()}
            >
              Redeliver
            </Button>
          )
        }
      />
      <div class="stack">
        <section class="card">
          <dl class="facts">
            <Fact name="Delivery" value={<Id id={delivery.id} />} />
            <Fact name="Event" value={<ResourceLink id={delivery.event_id} />} />
            <Fact name="Reason" value={delivery.reason?.replaceAll('_', ' ')} />
            <Fact name="Created" value={<Time at={delivery.created_at} exact />} />
            <Fact name="Finished" value={<Time at={delivery.finished_at} exact />} />
            <Fact
              name="Next attempt"
              value={
                delivery.next_attempt_at ? (
                  <NextAttempt at={delivery.next_attempt_at} exact />
                ) : (
                  'None'
                )
              }
            />
          </dl>
        </section>
        <h2>{pluralise(attempts.length, 'attempt')}</h2>
        {attempts.length > 0 && (
          <Attempts
            attempts={attempts}
            openNumber={attempt?.number ?? 0}
            onOpen={(number) => setQuery({ attempt: String(number) })}
          />
        )}
        <div class="webhook-exchange">
          {delivery.request ? (
            <Message request={delivery.request} attempt={attempt} isStale={isStale} />
          ) : (
            <p class="soft">
              Showing messages and responses requires the scope <code>{missingScope}</code>.
            </p>
          )}
          {attempt && (
            <AttemptResponse attempt={attempt} showsNextAttempt={attempt === latest && isPending} />
          )}
        </div>
      </div>
    </>
  );
}
