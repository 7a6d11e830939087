/** How long a batch waits for the members of the last one to come back. */
const lingerMs = 1;
/** A member answered longer ago than this is not expected back. */
const returnMs = 5;
/** How many batches skip the wait after a wait in vain. */
const skippedBatches = 8;

/** The members of successive batches, and how many of them the next batch can expect. */
export interface BatchWait {
  join(): void;
  leave(): void;
  /** How long the next batch should wait for more members than are `waiting` for it. */
  lingerMs(waiting: number): number;
  /** How many members are expected; once they are here, the batch can start. */
  expected(): number;
  /** Starts a batch with `taken` members. */
  begin(taken: number): void;
  /** Ends the batch; its members may be back in a moment. */
  end(): void;
}

/**
 * Keeps clients in step that send a request as soon as the last one is answered. The members of a
 * batch come back at about the same time; without a short wait, the first of them would start the
 * next batch alone, every time.
 * @param now a clock, in milliseconds
 */
export function createBatchWait(now: () => number): BatchWait {
  let members = 0;
  /** The most members present at once since the last batch began. */
  let peak = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let skipped = 0;
  /** How many were waiting when the current wait began; null without one. */
  let waited: number | null = null;
  return {
    join() {
      members += 1;
      peak = Math.max(peak, members);
    },
    leave() {
      members -= 1;
    },
    lingerMs(waiting) {
      waited = null;
      if (skipped > 0) skipped -= 1;
      else if (waiting < peak && now() - endedAt < returnMs) waited = waiting;
      return waited === null ? 0 : lingerMs;
    },
    expected: () => peak,
    begin(taken) {
      if (waited !== null && taken <= waited) skipped = skippedBatches;
      waited = null;
      peak = members;
    },
    end() {
      endedAt = now();
    },
  };
}
