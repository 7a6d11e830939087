import type { Queue } from 'bullmq';

/**
 * Tells the relay that something was committed. Returns at once and never fails: a wake that is
 * lost costs a quarter of a second, the relay's own timer.
 */
export type Wake = () => void;

/** Under load a process rings no oftener than this: each ring costs Redis and both processes. */
const betweenMs = 5;

/**
 * Makes the wake of a process. The first rings at once; at most one is on its way at a time, and a
 * commit meanwhile, or within a few milliseconds, rings once more after it, so that none goes
 * unheard. In Redis at most one waits while one runs.
 */
export function createWake(relayQueue: Queue): Wake {
  let busy = false;
  let again = false;
  const rest = (): void => {
    const timer = setTimeout(() => {
      busy = false;
      if (!again) return;
      again = false;
      send();
    }, betweenMs);
    timer.unref();
  };
  const send = (): void => {
    busy = true;
    relayQueue
      .add(
        'wake',
        {},
        {
          deduplication: { id: 'wake', keepLastIfActive: true },
          removeOnComplete: true,
          removeOnFail: true,
        },
      )
      // Redis is only the bell: without it the relay's timer finds the work.
      .catch(() => undefined)
      .finally(rest);
  };
  return () => {
    if (busy) again = true;
    else send();
  };
}
