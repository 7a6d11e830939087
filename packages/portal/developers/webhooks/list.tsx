import type { WebhookRecord, WebhookSort } from '@scriptorium/contracts/wire/webhooks';
import { useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { ListTable } from '../../kit/list-table.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty } from '../../kit/states.tsx';
import type { Column } from '../../kit/table.tsx';
import { useSort } from '../../kit/use-sort.ts';
import { StateBadge, Time, TimeOrNever } from '../../kit/values.tsx';
import { webhookTitle } from '../../kit/webhook-title.ts';
import { useSession } from '../../shell/session.tsx';
import { LastHour } from './health.tsx';

export function WebhookList() {
  const { can } = useSession();
  const { sort, ...sorting } = useSort<WebhookSort>(['created_at', 'url', 'state'], '-created_at');
  const request = requestFor('listWebhooks', { sort, limit: 200 });
  const list = useList(request);
  const create = can('webhooks:write') && (
    <ButtonLink primary icon="add" href="/new">
      Create webhook
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Endpoints that receive events as signed HTTP requests, with retries."
        calls={[['List webhooks', request]]}
        actions={
          can('events:read') && (
            <ButtonLink icon="send" href="/playground">
              Playground
            </ButtonLink>
          )
        }
        primary={create}
      />
      <ListTable
        list={list}
        nouns={['webhook', 'webhooks']}
        label="Webhooks"
        keyOf={({ id }) => id}
        columns={columns}
        {...sorting}
        empty={
          <Empty icon="webhooks" title="No webhooks yet" action={create}>
            A webhook receives each event it subscribes to at least once, with a signature to
            verify.
          </Empty>
        }
      />
    </>
  );
}

const columns: readonly Column<WebhookRecord>[] = [
  {
    title: 'Webhook',
    sort: 'url',
    show: (webhook) => {
      const title = webhookTitle(webhook);
      return (
        <>
          <NamedResource id={webhook.id} name={title} href={`/${webhook.id}`} />
          {title !== webhook.url && (
            <div class="soft dev-any two-lines" title={webhook.url}>
              {webhook.url}
            </div>
          )}
        </>
      );
    },
  },
  { title: 'State', sort: 'state', show: ({ state }) => <StateBadge state={state} /> },
  {
    title: 'Health',
    show: ({ health }) => (
      <div class="table-words">
        <StateBadge state={health.state} />
        {health.since && (
          <div class="soft">
            since <Time at={health.since} />
          </div>
        )}
        <LastHour health={health} />
      </div>
    ),
  },
  {
    title: 'Event types',
    show: ({ event_types: types }) => (
      <span class="mono table-words">
        {types.slice(0, 3).join(', ')}
        {types.length > 3 && ` and ${types.length - 3} more`}
      </span>
    ),
  },
  { title: 'Pending', kind: 'number', show: ({ health }) => formatCount(health.pending) },
  {
    title: 'Last success',
    kind: 'line',
    show: ({ health }) => <TimeOrNever at={health.last_success_at} />,
  },
  {
    title: 'Created',
    kind: 'line',
    sort: 'created_at',
    descendingFirst: true,
    show: ({ created_at }) => <Time at={created_at} />,
  },
];
