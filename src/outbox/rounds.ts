import type { Logger } from '../logger.ts';

/** Batches calls that are made while others are in progress. */
export type Rounds<In, Out> = (item: In) => Promise<Out>;

interface Waiting<In, Out> {
  item: In;
  resolve(out: Out): void;
  reject(error: unknown): void;
}

/**
 * Combines concurrent calls into shared round trips: the first call runs at once, and calls made
 * while a round is in progress join the next. A round that fails rejects all calls in it.
 * @param options.max the maximum number of calls in a round
 * @param options.rounds how many rounds may be in progress; one by default
 * @param options.lingerMs called before each round with the number of waiting calls; how long
 *   others may still join. A full round starts at once
 * @param options.enough how many calls fill a round, if fewer than `max`; called as they arrive
 * @param run returns a result for each item, in order
 */
export function inRounds<In, Out>(
  options: {
    max: number;
    rounds?: number;
    lingerMs?: (waiting: number) => number;
    enough?: () => number;
  },
  run: (items: In[]) => Promise<Out[]>,
): Rounds<In, Out> {
  const rounds = options.rounds ?? 1;
  let waiting: Waiting<In, Out>[] = [];
  let running = 0;
  /** One round collects calls at a time; the others are in progress. */
  let collecting = false;
  /** Ends the wait of the round that is collecting. */
  let full: (() => void) | undefined;
  const linger = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      full = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const go = async (): Promise<void> => {
    collecting = true;
    // Calls made in the same turn join.
    await Promise.resolve();
    const lingerMs = waiting.length < options.max ? (options.lingerMs?.(waiting.length) ?? 0) : 0;
    if (lingerMs > 0) await linger(lingerMs);
    full = undefined;
    collecting = false;
    const round = waiting.slice(0, options.max);
    waiting = waiting.slice(options.max);
    if (round.length === 0) return;
    running += 1;
    next();
    try {
      const answers = await run(round.map(({ item }) => item));
      for (const [at, { resolve }] of round.entries()) resolve(answers[at]!);
    } catch (error) {
      for (const { reject } of round) reject(error);
    }
    running -= 1;
    next();
  };
  const next = (): void => {
    if (waiting.length > 0 && running < rounds && !collecting) void go();
  };
  return (item) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= Math.min(options.max, options.enough?.() ?? options.max)) full?.();
      next();
    });
}

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
