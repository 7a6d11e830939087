/**
 * Stops one exchange from outside: at its deadline, or on request. An AbortController would work
 * too, but costs a tenth of an exchange.
 */
export class Stop {
  #reason: Error | null = null;
  #listener: ((reason: Error) => void) | null = null;

  /** Why it was stopped; null until then. */
  get reason(): Error | null {
    return this.#reason;
  }

  /** Calls `listener` when it is stopped, replacing the previous listener; null removes it. */
  listen(listener: ((reason: Error) => void) | null): void {
    this.#listener = listener;
  }

  /** Stops it; only the first reason counts. */
  now(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#listener?.(reason);
  }
}

const stops = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal aborts; returns a function that cancels this. There is one listener
 * per signal: a worker passes the same signal to every post, and Node warns of a leak at eleven
 * listeners.
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (!signal) return () => {};
  let set = stops.get(signal);
  if (!set) {
    const fresh = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const each of fresh) each();
    });
    stops.set(signal, fresh);
    set = fresh;
  }
  const all = set;
  all.add(stop);
  return () => {
    all.delete(stop);
  };
}
