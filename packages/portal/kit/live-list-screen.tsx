import type { ComponentChildren } from 'preact';
import { type Page, useList } from '../api/hooks.ts';
import { type LiveListOptions, useLiveList, type VersionedItem } from '../api/live-list.ts';
import { useQueryState } from '../api/location.ts';
import { type ApiRequest, type QueryValue, requestFor } from '../api/request.ts';
import { useSession } from '../shell/session.tsx';
import type { Filter } from './filters/filter.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import { ListTable } from './list-table.tsx';
import { NewItemsButton } from './new-items-button.tsx';
import { PageHead } from './page-head.tsx';
import { Empty } from './states.tsx';
import type { Column } from './table.tsx';
import { useSort } from './use-sort.ts';

type WithoutValue<F> = F extends Filter ? Omit<F, 'value'> : never;

/** The number of items per page. */
const perPage = 50;

/**
 * The list of jobs, reviews or packs, updated live. The address contains the filters and the order,
 * with the parameter names of the API.
 */
export function LiveListScreen<T extends VersionedItem, Name extends string>(props: {
  title: string;
  /** Singular, then plural. */
  nouns: readonly [one: string, many: string];
  request: (query: Record<string, QueryValue>) => ApiRequest<Page<T>>;
  live: Omit<LiveListOptions<T>, 'canReadEvents' | 'listRequest'>;
  filters: readonly WithoutValue<Filter>[];
  /** The values of filters that are not in the address. There, `any` stands for all values. */
  defaults?: Readonly<Record<string, string>>;
  sorts: readonly Name[];
  defaultSort: Name | `-${Name}`;
  columns: readonly Column<T>[];
  /** Shown instead of an empty table, unless it is filtered. */
  empty: ComponentChildren;
  actions?: ComponentChildren;
  primary?: ComponentChildren;
}) {
  const { title, nouns, live, defaults = {} } = props;
  const { can } = useSession();
  const [search, setSearch] = useQueryState();
  const { sort, ...sorting } = useSort<Name>(props.sorts, props.defaultSort);
  const filters = props.filters.map((filter): Filter => {
    const value = search.get(filter.name) ?? defaults[filter.name] ?? '';
    return { ...filter, value: value === 'any' ? '' : value };
  });
  const request = props.request({
    ...Object.fromEntries(filters.map((filter) => [filter.name, queryValueOf(filter)])),
    sort,
    limit: perPage,
  });
  const list = useList(request);
  const { element, newCount, showNew } = useLiveList(list, {
    ...live,
    listRequest: request,
    canReadEvents: can('events:read'),
  });
  return (
    <>
      <PageHead
        title={title}
        calls={[
          [`List ${nouns[1]}`, request],
          [
            `Stream ${nouns[0]} events`,
            requestFor('streamEvents', { type: `${live.eventPrefix}.*` }),
          ],
        ]}
        actions={props.actions}
        primary={props.primary}
      />
      <FilterBar
        label={`Filters of ${nouns[1]}`}
        filters={filters}
        onChange={(changes) =>
          setSearch(
            Object.fromEntries(
              Object.entries(changes).map(([name, value]) => [
                name,
                value || (name in defaults ? 'any' : ''),
              ]),
            ),
          )
        }
      >
        <NewItemsButton count={newCount} nouns={nouns} onShow={showNew} />
      </FilterBar>
      <div class="live-list" ref={element}>
        <ListTable
          list={list}
          nouns={nouns}
          label={title}
          keyOf={({ id }) => id}
          columns={props.columns}
          {...sorting}
          empty={
            filters.every(({ name, value }) => value === (defaults[name] ?? '')) ? (
              props.empty
            ) : (
              <Empty title={`No matching ${nouns[1]}`}>Change or clear the filters.</Empty>
            )
          }
        />
      </div>
    </>
  );
}

/** Returns the value of a filter for the API. A day becomes its start, in UTC. */
function queryValueOf({ kind, value }: Filter): string | undefined {
  if (kind !== 'day') return value || undefined;
  return /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00.000Z` : undefined;
}
