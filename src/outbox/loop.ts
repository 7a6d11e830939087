import type { Logger } from '../logger.ts';

/** Work that is repeated: when kicked, and at the latest after its idle time. */
export interface Loop {
  /** There may be work: run without waiting for the timer. */
  kick(): void;
  /** Stops after the current round. */
  stop(): Promise<void>;
}

/**
 * Starts a loop. `round` returns whether it found work, and then runs again at once. A round that
 * throws is logged and retried after a pause that grows to five seconds.
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
        options.logger.error({ err: error, loop: name, failures }, 'a loop round failed');
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
