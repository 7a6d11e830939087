/** Receipts of webhooks, each waited for by a key of its own. */
export interface Receipts {
  /** A webhook came, just now. */
  arrived(key: string): void;
  /** When it came, by `performance.now`; Infinity when it has not within a minute. */
  of(key: string): Promise<number>;
}

const limitMs = 60_000;

export function createReceipts(): Receipts {
  const waiting = new Map<string, (at: number) => void>();
  /** What came before its commit was heard of here: the relay may be quicker than our own event loop. */
  const early = new Map<string, number>();
  return {
    arrived(key) {
      const at = performance.now();
      const tell = waiting.get(key);
      if (!tell) early.set(key, at);
      waiting.delete(key);
      tell?.(at);
    },
    async of(key) {
      const at = early.get(key);
      if (at !== undefined) {
        early.delete(key);
        return at;
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(key);
          resolve(Number.POSITIVE_INFINITY);
        }, limitMs);
        waiting.set(key, (came) => {
          clearTimeout(timer);
          resolve(came);
        });
      });
    },
  };
}

/**
 * Does something so many times a second, for so long, whether or not what was begun has ended; then
 * waits for all of it.
 */
export async function atRate<T>(
  perSecond: number,
  seconds: number,
  work: (at: number) => Promise<T>,
): Promise<T[]> {
  const all: Promise<T>[] = [];
  const start = performance.now();
  for (let at = 0; at < perSecond * seconds; at++) {
    const left = start + (at * 1_000) / perSecond - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    const one = work(at);
    // It is waited for at the end; here it must only not go unhandled.
    one.catch(() => undefined);
    all.push(one);
  }
  return Promise.all(all);
}
