import type { Queue } from 'bullmq';

/**
 * Tells the relay that something was committed. Returns at once and never fails: a wake that is
 * lost costs a quarter of a second, the relay's own timer.
 */
export type Wake = () => void;

/**
 * Makes the wake of a process. At most one is on its way at a time; a commit meanwhile sends one
 * more after it, so that none goes unheard. In Redis at most one waits while one runs.
 */
export function createWake(relayQueue: Queue): Wake {
  let sending = false;
  let again = false;
  const send = (): void => {
    sending = true;
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
      .finally(() => {
        sending = false;
        if (again) {
          again = false;
          send();
        }
      });
  };
  return () => {
    if (sending) again = true;
    else send();
  };
}
