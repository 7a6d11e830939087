import type { Logger } from '../logger.ts';

/** A piece of work that is done over and over: when kicked, and at the latest after its idle time. */
export interface Loop {
  /** There may be work: do not wait for the timer. */
  kick(): void;
  /** Ends after the round in hand. */
  stop(): Promise<void>;
}

/**
 * Starts a loop. `round` returns whether it found work, and is then called again at once. A round
 * that throws is logged and tried again after a pause that grows to five seconds.
 */
export function startLoop(
  name: string,
  options: { idleMs: number; logger: Logger },
  round: () => Promise<boolean>,
): Loop {
  let stopped = false;
  let kicked = false;
  let wakeUp: (() => void) | undefined;
  let failures = 0;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const running = (async () => {
    while (!stopped) {
      kicked = false;
      try {
        const found = await round();
        failures = 0;
        if (found || kicked || stopped) continue;
        await pause(options.idleMs);
      } catch (error) {
        failures += 1;
        options.logger.error({ err: error, loop: name, failures }, 'a round of a loop failed');
        if (!stopped) await pause(Math.min(5_000, 100 * 2 ** failures));
      }
    }
  })();

  return {
    kick() {
      kicked = true;
      if (failures === 0) wakeUp?.();
    },
    async stop() {
      stopped = true;
      wakeUp?.();
      await running;
    },
  };
}
