import { scopes } from '@scriptorium/contracts/scopes';
import type { KeyRecord, KeySort } from '@scriptorium/contracts/wire/keys';
import { useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { ListTable } from '../../kit/list-table.tsx';
import { NamedResource } from '../../kit/named-resource.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty } from '../../kit/states.tsx';
import type { Column } from '../../kit/table.tsx';
import { useSort } from '../../kit/use-sort.ts';
import { Id, StateBadge, Time, TimeOrNever } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';

export function KeyList() {
  const { session, can } = useSession();
  const [query, setQuery] = useQueryState();
  const state = query.get('state') ?? '';
  const { sort, ...sorting } = useSort<KeySort>(
    ['created_at', 'name', 'last_used_at', 'expires_at'],
    '-created_at',
  );
  const request = requestFor('listKeys', { state, sort });
  const list = useList(request);
  return (
    <>
      <PageHead
        title="API keys"
        about={
          <>
            Keys authenticate requests to this project. Their scopes define what they can do.
            Requests name the project as <Id id={session.project_id} />
          </>
        }
        calls={[['List API keys', request]]}
        primary={
          can('keys:write') && (
            <ButtonLink primary icon="add" href="/new">
              Create API key
            </ButtonLink>
          )
        }
      />
      <FilterBar
        label="API key filters"
        filters={[
          { kind: 'choice', name: 'state', title: 'State', value: state, options: stateOptions },
        ]}
        onChange={setQuery}
      />
      <ListTable
        list={list}
        nouns={['API key', 'API keys']}
        label="API keys"
        keyOf={({ id }) => id}
        columns={columnsFor(session.key?.id)}
        {...sorting}
        empty={
          <Empty icon="keys" title={state ? `No ${state} API keys` : 'No API keys'}>
            {state && 'Remove the filter to see all.'}
          </Empty>
        }
      />
    </>
  );
}

const stateOptions = [
  ['active', 'Active'],
  ['revoked', 'Revoked'],
  ['expired', 'Expired'],
] as const;

const columnsFor = (ownId: string | undefined): Column<KeyRecord>[] => [
  {
    title: 'Name',
    sort: 'name',
    show: (key) => (
      <>
        <NamedResource id={key.id} name={key.name} href={`/${key.id}`} />{' '}
        {key.id === ownId && <span class="badge">yours</span>}
        <div class="mono soft">sk_{key.prefix.replace(/^sk_/, '')}…</div>
      </>
    ),
  },
  { title: 'State', show: ({ state }) => <StateBadge state={state} /> },
  {
    title: 'Scopes',
    kind: 'line',
    show: (key) =>
      key.scopes.includes('*') ? 'All' : `${key.scopes.length} of ${scopes.length - 1}`,
  },
  {
    title: 'Addresses',
    show: ({ allowed_cidrs: cidrs }) => (cidrs.length === 0 ? 'Any' : cidrs.join(', ')),
  },
  {
    title: 'Last used',
    kind: 'line',
    sort: 'last_used_at',
    descendingFirst: true,
    show: (key) => <TimeOrNever at={key.last_used_at} />,
  },
  {
    title: 'Expires',
    kind: 'line',
    sort: 'expires_at',
    show: (key) => <TimeOrNever at={key.expires_at} />,
  },
  {
    title: 'Created',
    kind: 'line',
    sort: 'created_at',
    descendingFirst: true,
    show: (key) => <Time at={key.created_at} />,
  },
];
