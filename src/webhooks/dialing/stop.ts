/**
 * Ends one exchange from outside: its deadline, or whoever asked for it. An AbortController would do,
 * at a tenth of what a whole exchange costs.
 */
export class Stop {
  #reason: Error | null = null;
  #listener: ((reason: Error) => void) | null = null;

  /** Why it was stopped; null while it goes on. */
  get reason(): Error | null {
    return this.#reason;
  }

  /** Calls `listener` when it is stopped, in place of the one before; null listens no more. */
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
