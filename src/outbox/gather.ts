/** Whoever asks meanwhile is asked for together. */
export type Gathered<In, Out> = (item: In) => Promise<Out>;

interface Waiting<In, Out> {
  item: In;
  resolve(out: Out): void;
  reject(error: unknown): void;
}

/**
 * Makes one round trip of what many ask for at once: the first is served at once, and who asks while
 * a round is on its way goes with the next. A round that fails rejects all who went with it.
 * @param options.most how many go with one round
 * @param options.rounds how many rounds may be on their way at once; one unless said
 * @param options.lingerMs asked before each round, with how many wait: for how long others may join;
 *   a round that is full goes at once
 * @param options.enough how many fill a round, where that is fewer than `most`; asked as they come
 * @param run gives an answer for each item, in their order
 */
export function gather<In, Out>(
  options: {
    most: number;
    rounds?: number;
    lingerMs?: (waiting: number) => number;
    enough?: () => number;
  },
  run: (items: In[]) => Promise<Out[]>,
): Gathered<In, Out> {
  const rounds = options.rounds ?? 1;
  let waiting: Waiting<In, Out>[] = [];
  let running = 0;
  /** One collects at a time; the others are on their way. */
  let collecting = false;
  /** Ends the linger of the round that is collected. */
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
    // What is asked for in the same turn goes along.
    await Promise.resolve();
    const lingerMs = waiting.length < options.most ? (options.lingerMs?.(waiting.length) ?? 0) : 0;
    if (lingerMs > 0) await linger(lingerMs);
    full = undefined;
    collecting = false;
    const round = waiting.slice(0, options.most);
    waiting = waiting.slice(options.most);
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
      if (waiting.length >= Math.min(options.most, options.enough?.() ?? options.most)) full?.();
      next();
    });
}
