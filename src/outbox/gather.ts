import { setTimeout as delay } from 'node:timers/promises';

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
 * @param options.lingerMs asked before each round, with how many wait: for how long others may join
 * @param run gives an answer for each item, in their order
 */
export function gather<In, Out>(
  options: { most: number; lingerMs?: (waiting: number) => number },
  run: (items: In[]) => Promise<Out[]>,
): Gathered<In, Out> {
  let waiting: Waiting<In, Out>[] = [];
  let running = false;
  const go = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const linger = options.lingerMs?.(waiting.length) ?? 0;
      if (linger > 0) await delay(linger);
      const round = waiting.slice(0, options.most);
      waiting = waiting.slice(options.most);
      try {
        const answers = await run(round.map(({ item }) => item));
        for (const [at, { resolve }] of round.entries()) resolve(answers[at]!);
      } catch (error) {
        for (const { reject } of round) reject(error);
      }
    }
    running = false;
  };
  return (item) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // What is asked for in the same turn goes along.
      if (!running) {
        running = true;
        queueMicrotask(go);
      }
    });
}
