/** Receipts of webhooks, each awaited by its key. */
export interface Receipts {
  /** Records that a webhook has just arrived. */
  recordArrival(key: string): void;
  /** When it arrived, by `performance.now`; Infinity if it does not arrive within a minute. */
  waitForArrival(key: string): Promise<number>;
}

const timeoutMs = 60_000;

export function createReceipts(): Receipts {
  const waiting = new Map<string, (at: number) => void>();
  /**
   * Receipts that arrived before their commit returned here: the relay may be faster than our event
   * loop.
   */
  const earlyArrivals = new Map<string, number>();
  return {
    recordArrival(key) {
      const at = performance.now();
      const resolveArrival = waiting.get(key);
      if (!resolveArrival) earlyArrivals.set(key, at);
      waiting.delete(key);
      resolveArrival?.(at);
    },
    async waitForArrival(key) {
      const at = earlyArrivals.get(key);
      if (at !== undefined) {
        earlyArrivals.delete(key);
        return at;
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(key);
          resolve(Number.POSITIVE_INFINITY);
        }, timeoutMs);
        waiting.set(key, (arrivedAt) => {
          clearTimeout(timer);
          resolve(arrivedAt);
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
  const calls: Promise<T>[] = [];
  const start = performance.now();
  for (let at = 0; at < perSecond * seconds; at++) {
    const waitMs = start + (at * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const call = work(at);
    // It is awaited at the end; this only prevents an unhandled rejection.
    call.catch(() => undefined);
    calls.push(call);
  }
  return Promise.all(calls);
}
