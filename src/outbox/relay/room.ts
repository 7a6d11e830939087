import { isPaused } from '../pause.ts';

/** Hints that may be out for each slot of a live worker. */
export const hintsPerSlot = 4;
/** A worker without a heartbeat for this long does not count. */
export const workerSilence = '15 seconds';

/**
 * The slots of a queue's live workers, in SQL; none while it is paused.
 * @param queue a parameter or a literal
 */
export function slotsOf(queue: string): string {
  return `(SELECT coalesce(sum(slots), 0)::integer FROM worker
    WHERE queue = ${queue} AND seen_at > now() - interval '${workerSilence}' AND NOT ${isPaused(queue)})`;
}
