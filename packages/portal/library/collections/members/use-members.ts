import type {
  CollectionRecord,
  ListedMember,
} from '@scriptorium/contracts/wire/library/collections';
import { useMemo } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
import { useSession } from '../../../shell/session.tsx';
import { type Item, itemOfImage, itemOfObject, unknownItem } from '../../browse/item.ts';
import { pageSize } from '../../browse/list/requests.ts';
import type { ListSource } from '../../browse/list/sparse-list.ts';
import { useItems } from '../../browse/list/use-items.ts';
import { type Results, useResults } from '../../browse/results.ts';
import { browseParamsOf } from '../edit/query-params.ts';

/** Requests the members of a collection, in order. */
export const listMembers = (id: string, include?: string, cursor?: string) =>
  requestFor('listCollectionMembers', { id, limit: pageSize, include, cursor });

/**
 * The members of a collection: those of a manual one in their order, those of a smart one as its
 * query lists them. `onChanged` loads the record again, for the number of members.
 */
export function useMembers(record: CollectionRecord, onChanged: () => void): Results {
  const { can } = useSession();
  const { id, query, member_count: total } = record;
  const isSearch = query !== null && can('images:read');
  const found = useResults(browseParamsOf(query ?? {}), isSearch, true);
  const isWithResources = can('images:read') && can('objects:read');
  const data = useMemo(() => ({ total }), [record]);
  const members = useItems({
    key: id,
    kind: 'members',
    noun: 'member',
    query: {},
    sort: '',
    sorts: [],
    filter: null,
    active: !isSearch,
    source: () => membersOf(id, isWithResources ? 'resource' : undefined),
    counts: { data, reload: onChanged },
  });
  return isSearch ? found : members;
}

function membersOf(id: string, include: string | undefined): ListSource<ApiProblem> {
  return {
    pageSize,
    problemOf: asProblem,
    isPassing: ({ document }) => document.retryable,
    loadPage: async (cursor, signal) => {
      const { data } = await send(listMembers(id, include, cursor ?? undefined), signal);
      return { items: data.data.map(itemOfMember), nextCursor: data.next_cursor };
    },
    // The API has no cursors to later positions, so they are reached page by page.
    loadStops: async () => ({ every: pageSize, cursors: [] }),
  };
}

function itemOfMember({ resource_type: kind, resource_id: id, resource }: ListedMember): Item {
  if (!resource) return unknownItem(kind, id);
  return 'object_id' in resource ? itemOfImage(resource) : itemOfObject(resource);
}
