import type { DeliveryRecord, WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useList } from '../../../api/hooks.ts';
import { useQueryState } from '../../../api/location.ts';
import { requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { FilterBar } from '../../../kit/filters/filter-bar.tsx';
import { ListTable } from '../../../kit/list-table.tsx';
import { NamedResource } from '../../../kit/named-resource.tsx';
import { NewItemsButton } from '../../../kit/new-items-button.tsx';
import { Empty } from '../../../kit/states.tsx';
import type { Column } from '../../../kit/table.tsx';
import { NextAttempt, StateBadge, Time } from '../../../kit/values.tsx';
import { useSession } from '../../../shell/session.tsx';
import { useLiveDeliveries } from './live-deliveries.ts';
import { RecoverButton } from './recover-dialog.tsx';

const stateOptions = [
  ['pending', 'Pending: waiting to be sent or retried'],
  ['delivering', 'Delivering: in progress'],
  ['succeeded', 'Succeeded'],
  ['exhausted', 'Exhausted: all attempts failed'],
  ['skipped', 'Skipped: not sent'],
  ['cancelled', 'Cancelled'],
] as const;

const outcomeOptions = [
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
] as const;

const statusCodeOptions: readonly (readonly [string, string])[] = [
  ['2xx', '2xx: received'],
  ['3xx', '3xx: redirect'],
  ['4xx', '4xx: rejected by the receiver'],
  ['5xx', '5xx: error of the receiver'],
  ['none', 'No response'],
];

/** The receiver's response to the latest attempt, or why it sent no response. */
function LatestResponse({ attempt }: { attempt: DeliveryRecord['last_attempt'] }) {
  if (!attempt) return <>–</>;
  if (attempt.status !== null) {
    const tone = attempt.status < 300 ? 'good' : 'bad';
    return <span class={`badge ${tone}`}>{attempt.status}</span>;
  }
  return <span class="dev-any">{attempt.error?.code.replaceAll('_', ' ') ?? 'unknown'}</span>;
}

/** The deliveries of a webhook. */
export function Deliveries({
  webhook,
  onChange,
}: {
  webhook: WebhookRecord;
  /** Called when attempts have started or ended. */
  onChange: () => void;
}) {
  const { can } = useSession();
  const [query, setQuery] = useQueryState();
  const state = query.get('state') ?? '';
  const type = query.get('event_type') ?? '';
  const outcome = query.get('outcome') ?? '';
  const code = query.get('status_code') ?? '';
  const request = requestFor('listDeliveries', {
    id: webhook.id,
    state,
    event_type: type,
    outcome,
    status_code: code,
  });
  const list = useList(request);
  const live = useLiveDeliveries(webhook, request, list, onChange);
  const isFiltered = [state, type, outcome, code].some(Boolean);
  const types = [...new Set([...webhook.event_types, ...(type ? [type] : [])])];
  return (
    <section class="stack" aria-label="Deliveries">
      <FilterBar
        label="Delivery filters"
        filters={[
          { kind: 'choice', name: 'state', title: 'State', value: state, options: stateOptions },
          {
            kind: 'choice',
            name: 'event_type',
            title: 'Event type',
            value: type,
            options: types.map((one) => [one, one] as const),
          },
          {
            kind: 'choice',
            name: 'outcome',
            title: 'Latest attempt',
            value: outcome,
            options: outcomeOptions,
          },
          {
            kind: 'choice',
            name: 'status_code',
            title: 'Response',
            value: code,
            // The URL may contain a single code.
            options: statusCodeOptions.some(([one]) => one === code || code === '')
              ? statusCodeOptions
              : [...statusCodeOptions, [code, code]],
          },
        ]}
        onChange={setQuery}
      >
        <NewItemsButton
          count={live.newCount}
          nouns={['delivery', 'deliveries']}
          onShow={live.showNew}
        />
        <Button small icon="refresh" busy={list.loading} onClick={list.reload}>
          Refresh
        </Button>
        {can('webhooks:write') && can('events:read') && <RecoverButton small webhook={webhook} />}
      </FilterBar>
      <div class="live-list" ref={live.element}>
        <ListTable
          list={list}
          nouns={['delivery', 'deliveries']}
          label="Deliveries, newest first"
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <Empty icon="send" title={isFiltered ? 'No matching deliveries' : 'No deliveries yet'}>
              {isFiltered ? 'Remove a filter.' : 'Send a test to try the webhook.'}
            </Empty>
          }
        />
      </div>
    </section>
  );
}

const columns: readonly Column<DeliveryRecord>[] = [
  {
    title: 'Event',
    show: (one) => (
      <NamedResource
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
        <StateBadge state={state} />
        {reason && <div class="soft">{reason.replaceAll('_', ' ')}</div>}
      </>
    ),
  },
  { title: 'Attempts', kind: 'number', show: (one) => one.attempts_made },
  { title: 'Response', show: (one) => <LatestResponse attempt={one.last_attempt} /> },
  {
    title: 'Duration',
    kind: 'number',
    show: ({ last_attempt: last }) =>
      last?.duration_ms == null ? '–' : `${Math.round(last.duration_ms)} ms`,
  },
  { title: 'Created', kind: 'line', show: (one) => <Time at={one.created_at} /> },
  { title: 'Next attempt', kind: 'line', show: (one) => <NextAttempt at={one.next_attempt_at} /> },
];
