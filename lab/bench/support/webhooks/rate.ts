/** Receipts of webhooks, each awaited by its key. */
export interface Receipts {
  /** Records that a webhook has just arrived. */
  arrived(key: string): void;
  /** When it arrived, by `performance.now`; Infinity if it does not arrive within a minute. */
  of(key: string): Promise<number>;
}

const limitMs = 60_000;

export function createReceipts(): Receipts {
  const waiting = new Map<string, (at: number) => void>();
  /**
   * Receipts that arrived before their commit returned here: the relay may be faster than our event
   * loop.
   */
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
 * Starts something at a fixed rate for a time, whether or not earlier calls have ended; then waits
 * for all of them.
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
    // It is awaited at the end; this only prevents an unhandled rejection.
    one.catch(() => undefined);
    all.push(one);
  }
  return Promise.all(all);
}
