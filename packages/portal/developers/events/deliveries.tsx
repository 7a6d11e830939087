import { pluralise } from '@scriptorium/contracts/pluralise';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { Link } from 'wouter-preact';
import { useList, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ListFooter } from '../../kit/list-footer.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { NextAttempt, StateBadge } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';

/** The deliveries of an event to webhooks. */
export function EventDeliveries({ event }: { event: EventRecord }) {
  const { can } = useSession();
  if (!can('webhooks:read')) {
    return (
      <p class="soft">
        Deliveries require the scope <code>webhooks:read</code>.
      </p>
    );
  }
  return <DeliveryList id={event.id} />;
}

function DeliveryList({ id }: { id: string }) {
  const list = useList(requestFor('listEventDeliveries', { event_id: id }));
  const webhooks = useResource(requestFor('listWebhooks', { limit: 200 }));
  const urls = new Map(webhooks.data?.data.map((one: WebhookRecord) => [one.id, one.url]));
  return (
    <section class="stack">
      <h3>Deliveries</h3>
      {list.problem ? (
        <ProblemState problem={list.problem} onRetry={list.reload} />
      ) : list.loading && list.items.length === 0 ? (
        <Loading what="deliveries" lines={2} />
      ) : list.items.length === 0 ? (
        <p class="soft">No webhook was subscribed to this event.</p>
      ) : (
        <>
          <ul class="dev-lines">
            {list.items.map((delivery) => (
              <li key={delivery.id} class="row">
                <StateBadge state={delivery.state} />
                {urls.has(delivery.webhook_id) ? (
                  <Link
                    href={`~/portal/webhooks/${delivery.webhook_id}/deliveries/${delivery.id}`}
                    class="dev-any"
                  >
                    {urls.get(delivery.webhook_id)}
                  </Link>
                ) : (
                  <span class="mono">{delivery.webhook_id}</span>
                )}
                <span class="soft">
                  {pluralise(delivery.attempts_made, 'attempt')}
                  {delivery.next_attempt_at && (
                    <>
                      , next attempt: <NextAttempt at={delivery.next_attempt_at} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {list.hasMore && <ListFooter list={list} nouns={['delivery', 'deliveries']} />}
        </>
      )}
    </section>
  );
}
