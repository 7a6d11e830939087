import type { ReviewTextRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
import { type Block, keyOf } from './blocks.ts';

/** Number of pieces per request, and maximum number of cached pieces. */
const piecesPerRequest = 8;
const maxCached = 240;

/** Loads the text of the visible pieces. */
export function usePieces(reviewId: string, visibleBlocks: readonly Block[]) {
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [, setRenderCount] = useState(0);
  const cache = useRef(new Map<string, ReviewTextRecord | null>());
  const missing = problem ? undefined : visibleBlocks.find((one) => !cache.current.has(keyOf(one)));
  const key = missing && keyOf(missing);
  useEffect(() => {
    if (!missing) return;
    const controller = new AbortController();
    const { page, piece } = missing;
    const load = async (): Promise<void> => {
      try {
        const { data } = await send(
          requestFor('listReviewText', { id: reviewId, page, piece, limit: piecesPerRequest }),
          controller.signal,
        );
        for (const one of data.data) cache.current.set(keyOf(one), one);
        // Deleted text has no pieces.
        if (data.data.length === 0) cache.current.set(keyOf(missing), null);
        for (const oldKey of [...cache.current.keys()].slice(0, -maxCached))
          cache.current.delete(oldKey);
        setRenderCount((now) => now + 1);
      } catch (error) {
        if (!controller.signal.aborted) setProblem(asProblem(error));
      }
    };
    void load();
    return () => controller.abort();
  }, [reviewId, key, problem]);
  return {
    textOf: (block: Block) => cache.current.get(keyOf(block)) ?? undefined,
    problem,
    retry: () => setProblem(undefined),
  };
}
