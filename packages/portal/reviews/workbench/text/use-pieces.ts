import type { ReviewTextRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
import { type Block, keyOf } from './blocks.ts';

/** Number of pieces per request, and maximum number of pieces that are kept. */
const atOnce = 8;
const maxKept = 240;

/** Loads the text of the visible pieces. */
export function usePieces(reviewId: string, wanted: readonly Block[]) {
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [, setRound] = useState(0);
  const held = useRef(new Map<string, ReviewTextRecord | null>());
  const missing = problem ? undefined : wanted.find((one) => !held.current.has(keyOf(one)));
  const key = missing && keyOf(missing);
  useEffect(() => {
    if (!missing) return;
    const gone = new AbortController();
    const { page, piece } = missing;
    const load = async (): Promise<void> => {
      try {
        const { data } = await send(
          requestFor('listReviewText', { id: reviewId, page, piece, limit: atOnce }),
          gone.signal,
        );
        for (const one of data.data) held.current.set(keyOf(one), one);
        // A text that has been deleted has no pieces.
        if (data.data.length === 0) held.current.set(keyOf(missing), null);
        for (const old of [...held.current.keys()].slice(0, -maxKept)) held.current.delete(old);
        setRound((now) => now + 1);
      } catch (error) {
        if (!gone.signal.aborted) setProblem(asProblem(error));
      }
    };
    void load();
    return () => gone.abort();
  }, [reviewId, key, problem]);
  return {
    textOf: (block: Block) => held.current.get(keyOf(block)) ?? undefined,
    problem,
    retry: () => setProblem(undefined),
  };
}
