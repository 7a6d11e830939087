import type { ListedCollection } from '@scriptorium/contracts/wire/library/collections';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { asProblem } from '../../api/hooks.ts';
import {
  type Answer,
  type AnswerOf,
  type ApiProblem,
  requestFor,
  send,
} from '../../api/request.ts';
import { type Node, treeOf } from './nodes.ts';

/** A larger tree would be unusable, so it is truncated. */
const maxCollections = 2_000;

export interface Collections {
  nodes: ReadonlyMap<string, Node>;
  /** There are more collections than the tree shows. */
  cut: boolean;
  loading: boolean;
  problem: ApiProblem | undefined;
  reload: () => void;
}

/** All collections of the project, as a tree. */
export function useCollections(): Collections {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{
    records: readonly ListedCollection[];
    cut: boolean;
    loading: boolean;
    problem?: ApiProblem;
  }>({ records: [], cut: false, loading: true });
  useEffect(() => {
    const gone = new AbortController();
    loadAll(gone.signal).then(
      (loaded) => setState({ ...loaded, loading: false }),
      (error: unknown) => {
        if (gone.signal.aborted) return;
        setState((now) => ({ ...now, loading: false, problem: asProblem(error) }));
      },
    );
    return () => gone.abort();
  }, [round]);
  const nodes = useMemo(() => treeOf(state.records), [state.records]);
  const { cut, loading, problem } = state;
  return { nodes, cut, loading, problem, reload: useCallback(() => setRound((n) => n + 1), []) };
}

async function loadAll(
  signal: AbortSignal,
): Promise<{ records: ListedCollection[]; cut: boolean }> {
  const records: ListedCollection[] = [];
  let cursor: string | null = null;
  do {
    const answer: Answer<AnswerOf<'listCollections'>> = await send(
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
  return { records, cut: cursor !== null };
}
