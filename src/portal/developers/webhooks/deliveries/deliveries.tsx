import type { DeliveryRecord, WebhookRecord } from '../../../../contracts/wire/webhooks.ts';
import { useList } from '../../../api/hooks.ts';
import { useQueryState } from '../../../api/location.ts';
import { Button } from '../../../kit/button.tsx';
import { FilterBar } from '../../../kit/filters/filter-bar.tsx';
import { ListTable } from '../../../kit/list-table.tsx';
import { Named } from '../../../kit/named.tsx';
import { Empty } from '../../../kit/states.tsx';
import type { Column } from '../../../kit/table.tsx';
import { NextAttempt, State, Time } from '../../../kit/values.tsx';
import { listDeliveries } from '../requests.ts';

const states = [
  ['pending', 'Pending: waiting to be sent or retried'],
  ['delivering', 'Delivering: in progress'],
  ['succeeded', 'Succeeded'],
  ['exhausted', 'Exhausted: all attempts failed'],
  ['skipped', 'Skipped: not sent'],
  ['cancelled', 'Cancelled'],
] as const;

/** The deliveries of a webhook. */
export function Deliveries({ of: webhook }: { of: WebhookRecord }) {
  const [query, setQuery] = useQueryState();
  const state = query.get('state') ?? '';
  const type = query.get('event_type') ?? '';
  const list = useList(listDeliveries(webhook.id, { state, event_type: type }));
  const types = [...new Set([...webhook.event_types, ...(type ? [type] : [])])];
  return (
    <section class="stack" aria-label="Deliveries">
      <FilterBar
        label="Delivery filters"
        filters={[
          { kind: 'choice', name: 'state', title: 'State', value: state, options: states },
          {
            kind: 'choice',
            name: 'event_type',
            title: 'Event type',
            value: type,
            options: types.map((one) => [one, one] as const),
          },
        ]}
        onChange={setQuery}
      >
        <Button small icon="refresh" busy={list.loading} onClick={list.reload}>
          Refresh
        </Button>
      </FilterBar>
      <ListTable
        list={list}
        nouns={['delivery', 'deliveries']}
        label="Deliveries, newest first"
        keyOf={({ id }) => id}
        columns={columns}
        empty={
          <Empty icon="send" title={state || type ? 'No matching deliveries' : 'No deliveries yet'}>
            {state || type ? 'Remove a filter.' : 'Send a test to try the webhook.'}
          </Empty>
        }
      />
    </section>
  );
}

const columns: readonly Column<DeliveryRecord>[] = [
  {
    title: 'Event',
    show: (one) => (
      <Named
        id={one.event_id}
        name={one.event_type}
        href={`/${one.webhook_id}/deliveries/${one.id}`}
      />
    ),
  },
  {
    title: 'State',
    show: ({ state, reason }) => (
      <>
        <State state={state} />
        {reason && <div class="soft">{reason.replaceAll('_', ' ')}</div>}
      </>
    ),
  },
  { title: 'Attempts', kind: 'number', show: (one) => one.attempts_made },
  { title: 'Created', kind: 'line', show: (one) => <Time at={one.created_at} /> },
  { title: 'Next attempt', kind: 'line', show: (one) => <NextAttempt at={one.next_attempt_at} /> },
];
