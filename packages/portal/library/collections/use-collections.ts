import type { ListedCollection } from '@scriptorium/contracts/wire/library/collections';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { asProblem } from '../../api/hooks.ts';
import {
  type ApiProblem,
  type ApiResponse,
  type ResponseOf,
  requestFor,
  send,
} from '../../api/request.ts';
import { type CollectionNode, treeOf } from './nodes.ts';

/** Maximum number of collections in the tree; a larger tree would be unusable. */
const maxCollections = 2_000;

export interface CollectionTree {
  nodes: ReadonlyMap<string, CollectionNode>;
  /** There are more collections than the tree shows. */
  isTruncated: boolean;
  loading: boolean;
  problem: ApiProblem | undefined;
  reload: () => void;
}

/** All collections of the project, as a tree. */
export function useCollections(): CollectionTree {
  const [reloadCount, setReloadCount] = useState(0);
  const [state, setState] = useState<{
    records: readonly ListedCollection[];
    isTruncated: boolean;
    loading: boolean;
    problem?: ApiProblem;
  }>({ records: [], isTruncated: false, loading: true });
  useEffect(() => {
    const controller = new AbortController();
    loadAll(controller.signal).then(
      (loaded) => setState({ ...loaded, loading: false }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((now) => ({ ...now, loading: false, problem: asProblem(error) }));
      },
    );
    return () => controller.abort();
  }, [reloadCount]);
  const nodes = useMemo(() => treeOf(state.records), [state.records]);
  const { isTruncated, loading, problem } = state;
  return {
    nodes,
    isTruncated,
    loading,
    problem,
    reload: useCallback(() => setReloadCount((n) => n + 1), []),
  };
}

async function loadAll(
  signal: AbortSignal,
): Promise<{ records: ListedCollection[]; isTruncated: boolean }> {
  const records: ListedCollection[] = [];
  let cursor: string | null = null;
  do {
    const answer: ApiResponse<ResponseOf<'listCollections'>> = await send(
      requestFor('listCollections', {
        sort: 'name',
        include: 'covers',
        limit: 200,
        cursor: cursor ?? undefined,
      }),
      signal,
    );
    records.push(...answer.data.data);
    cursor = answer.data.next_cursor;
  } while (cursor !== null && records.length < maxCollections);
  return { records, isTruncated: cursor !== null };
}
