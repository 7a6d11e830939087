import type { ComponentChildren } from 'preact';
import { type Page, useList } from '../api/hooks.ts';
import { type Listed, type LiveListOptions, useLiveList } from '../api/live-list.ts';
import { useQueryState } from '../api/location.ts';
import { type ApiRequest, type QueryValue, requestFor } from '../api/request.ts';
import { useSession } from '../shell/session.tsx';
import type { Filter } from './filters/filter.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import { ListTable } from './list-table.tsx';
import { PageHead } from './page-head.tsx';
import { useSort } from './sort.ts';
import { Empty } from './states.tsx';
import type { Column } from './table.tsx';

type WithoutValue<F> = F extends Filter ? Omit<F, 'value'> : never;

/** The number of items per page. */
const perPage = 50;

/**
 * The list of jobs, reviews or packs, updated live. Filters and order are in the address, by the
 * names of the API.
 */
export function LiveListScreen<T extends Listed, Name extends string>(props: {
  title: string;
  /** Singular, then plural. */
  nouns: readonly [one: string, many: string];
  request: (query: Record<string, QueryValue>) => ApiRequest<Page<T>>;
  live: Omit<LiveListOptions<T>, 'listens' | 'perPage'>;
  filters: readonly WithoutValue<Filter>[];
  /** The value of a filter that is not in the address, where `any` stands for all values. */
  usual?: Readonly<Record<string, string>>;
  sorts: readonly Name[];
  usualSort: Name | `-${Name}`;
  columns: readonly Column<T>[];
  /** Shown instead of an empty table, unless it is filtered. */
  empty: ComponentChildren;
  actions?: ComponentChildren;
  primary?: ComponentChildren;
}) {
  const { title, nouns, live, usual = {} } = props;
  const { can } = useSession();
  const [search, set] = useQueryState();
  const { sort, ...sorting } = useSort<Name>(props.sorts, props.usualSort);
  const filters = props.filters.map((filter): Filter => {
    const value = search.get(filter.name) ?? usual[filter.name] ?? '';
    return { ...filter, value: value === 'any' ? '' : value };
  });
  const request = props.request({
    ...Object.fromEntries(filters.map((filter) => [filter.name, askedOf(filter)])),
    sort,
    limit: perPage,
  });
  const list = useList(request);
  useLiveList(list, { ...live, listens: can('events:read'), perPage });
  return (
    <>
      <PageHead
        title={title}
        calls={[
          [`List ${nouns[1]}`, request],
          [`Stream ${nouns[0]} events`, requestFor('streamEvents', { type: `${live.type}.*` })],
        ]}
        actions={props.actions}
        primary={props.primary}
      />
      <FilterBar
        label={`Filters of ${nouns[1]}`}
        filters={filters}
        onChange={(changes) =>
          set(
            Object.fromEntries(
              Object.entries(changes).map(([name, value]) => [
                name,
                value || (name in usual ? 'any' : ''),
              ]),
            ),
          )
        }
      />
      <ListTable
        list={list}
        nouns={nouns}
        label={title}
        keyOf={({ id }) => id}
        columns={props.columns}
        {...sorting}
        empty={
          filters.every(({ name, value }) => value === (usual[name] ?? '')) ? (
            props.empty
          ) : (
            <Empty title={`No matching ${nouns[1]}`}>Change or clear the filters.</Empty>
          )
        }
      />
    </>
  );
}

/** Returns the value of a filter for the API. A day means its start, in UTC. */
function askedOf({ kind, value }: Filter): string | undefined {
  if (kind !== 'day') return value || undefined;
  return /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00.000Z` : undefined;
}
