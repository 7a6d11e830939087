import { useEffect, useRef } from 'preact/hooks';

/**
 * The least time between two moves of the rows of a live list, in milliseconds. Browsers add up the
 * layout shifts of at most five seconds (Cumulative Layout Shift), so that those of two moves are
 * never added.
 */
const intervalMs = 5_000;

/** When the rows of a live list may move. */
export interface RowPace {
  isDue: () => boolean;
  recordMove: () => void;
  /** Calls `onDue` when the next move is due. Does nothing if that is planned already. */
  plan: () => void;
}

/** Returns the pace of a live list. `onDue` is called when a planned move is due. */
export function useRowPace(onDue: () => void): RowPace {
  const latestOnDue = useRef(onDue);
  latestOnDue.current = onDue;
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return {
    isDue: () => performance.now() >= movedAt.current + intervalMs,
    recordMove: () => {
      movedAt.current = performance.now();
    },
    plan: () => {
      timer.current ??= window.setTimeout(
        () => {
          timer.current = undefined;
          latestOnDue.current();
        },
        movedAt.current + intervalMs - performance.now(),
      );
    },
  };
}
