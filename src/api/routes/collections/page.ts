import type { CollectionSort } from '@scriptorium/contracts/wire/library/collections';
import type { Tx } from '../../../db/transaction.ts';
import {
  type CollectionListFilters,
  countCollections,
  listCollections,
} from '../../../library/collections/list.ts';
import { presentCollection } from '../../../library/collections/load.ts';
import { findSmartCovers } from '../../../library/collections/smart-covers.ts';
import { page, type readCursor } from '../../requests/cursor.ts';

/** A call of a route that returns a list of collections. */
export type ListCall = Parameters<typeof page>[0] & { tx: Tx };

/** Returns a page of the matching collections, starting at the cursor. */
export async function replyWithCollections(
  call: ListCall,
  filters: CollectionListFilters,
  options: { sort: CollectionSort; after: ReturnType<typeof readCursor>; includeCovers?: boolean },
) {
  const { tx, query } = call;
  const { projectId } = call.key;
  const rows = await listCollections(tx, projectId, filters, {
    ...options,
    limit: query.limit + 1,
  });
  if (options.includeCovers) await addSmartCovers(tx, projectId, rows);
  return page(call, rows, {
    present: (collection) => ({
      ...presentCollection(collection),
      ...(collection.covers && { covers: collection.covers }),
    }),
    position: ({ position, id }) => [position, id],
    count: () => countCollections(tx, projectId, filters),
  });
}

/** Adds covers to smart collections that have none. */
async function addSmartCovers(
  tx: Tx,
  projectId: string,
  rows: Awaited<ReturnType<typeof listCollections>>,
): Promise<void> {
  const withoutCovers = rows.flatMap(({ id, query, covers }) =>
    query !== null && covers?.length === 0 ? [{ id, query }] : [],
  );
  const found = await findSmartCovers(tx, projectId, withoutCovers);
  for (const row of rows) {
    const covers = found.get(row.id);
    if (covers) row.covers = covers;
  }
}
