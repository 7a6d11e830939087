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
