import { pluralise } from '@scriptorium/contracts/pluralise';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { DeliveryRecord } from '@scriptorium/contracts/wire/webhooks';
import { Link } from 'wouter-preact';
import { useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ListFooter } from '../../kit/list-footer.tsx';
import { useName } from '../../kit/names.ts';
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
                <DeliveryLink delivery={delivery} />
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

/** A link to a delivery, named by its webhook; plain text if that was deleted. */
function DeliveryLink({ delivery: { id, webhook_id } }: { delivery: DeliveryRecord }) {
  const name = useName(webhook_id);
  if (name === undefined) return <span class="skeleton named-skeleton" />;
  if (name === null) return <span class="mono">{webhook_id}</span>;
  return (
    <Link href={`~/portal/webhooks/${webhook_id}/deliveries/${id}`} class="dev-any">
      <bdi>{name}</bdi>
    </Link>
  );
}
