import type { Logger } from '../logger.ts';

/** A function whose concurrent calls are processed in batches. */
export type BatchedCall<In, Out> = (item: In) => Promise<Out>;

interface PendingCall<In, Out> {
  item: In;
  resolve(out: Out): void;
  reject(error: unknown): void;
}

/**
 * Combines concurrent calls into shared round trips: the first call runs at once, and calls made
 * while a round is in progress join the next. A round that fails rejects all calls in it.
 * @param options.max the maximum number of calls in a round
 * @param options.rounds how many rounds may be in progress; one by default
 * @param options.lingerMs returns how long a round waits for further calls, from the number of waiting
 *   ones; a full round starts immediately
 * @param options.enough how many calls fill a round, if fewer than `max`; called as they arrive
 * @param run returns a result for each item, in order
 */
export function batchCalls<In, Out>(
  options: {
    max: number;
    rounds?: number;
    lingerMs?: (waiting: number) => number;
    fullAt?: () => number;
  },
  run: (items: In[]) => Promise<Out[]>,
): BatchedCall<In, Out> {
  const rounds = options.rounds ?? 1;
  let waiting: PendingCall<In, Out>[] = [];
  let running = 0;
  /** Whether a round is collecting calls; others may be in progress. */
  let collecting = false;
  /** Ends the wait of the round that is collecting. */
  let endLinger: (() => void) | undefined;
  const linger = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endLinger = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const runRound = async (): Promise<void> => {
    collecting = true;
    // Calls made in the same turn join.
    await Promise.resolve();
    const lingerMs = waiting.length < options.max ? (options.lingerMs?.(waiting.length) ?? 0) : 0;
    if (lingerMs > 0) await linger(lingerMs);
    endLinger = undefined;
    collecting = false;
    const round = waiting.slice(0, options.max);
    waiting = waiting.slice(options.max);
    if (round.length === 0) return;
    running += 1;
    startNext();
    try {
      const results = await run(round.map(({ item }) => item));
      for (const [at, { resolve }] of round.entries()) resolve(results[at]!);
    } catch (error) {
      for (const { reject } of round) reject(error);
    }
    running -= 1;
    startNext();
  };
  const startNext = (): void => {
    if (waiting.length > 0 && running < rounds && !collecting) void runRound();
  };
  return (item) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= Math.min(options.max, options.fullAt?.() ?? options.max)) endLinger?.();
      startNext();
    });
}

/** Work that is repeated when kicked, and at least after each idle time. */
export interface Loop {
  /** Runs without waiting for the timer, because there may be work. */
  kick(): void;
  /** Stops after the current round. */
  stop(): Promise<void>;
}

/**
 * Starts a loop. `round` returns whether it found work; if so, it runs again immediately. A round that
 * throws is logged and retried after a pause of up to five seconds.
 */
export function startLoop(
  name: string,
  options: { idleMs: number; logger: Logger },
  round: () => Promise<boolean>,
): Loop {
  let isStopped = false;
  let isKicked = false;
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
    while (!isStopped) {
      isKicked = false;
      try {
        const hasFoundWork = await round();
        failures = 0;
        if (hasFoundWork || isKicked || isStopped) continue;
        await pause(options.idleMs);
      } catch (error) {
        failures += 1;
        options.logger.error({ err: error, loop: name, failures }, 'a loop round failed');
        if (!isStopped) await pause(Math.min(5_000, 100 * 2 ** failures));
      }
    }
  })();

  return {
    kick() {
      isKicked = true;
      if (failures === 0) wakeUp?.();
    },
    async stop() {
      isStopped = true;
      wakeUp?.();
      await running;
    },
  };
}
