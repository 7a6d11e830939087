import type { StatementResult } from '../wire/pipeline.ts';
import { maySendEarly } from './texts.ts';
import type { StatementSink } from './transaction-statements.ts';

/** A statement was held back by a gate that was cancelled. */
export class StatementCancelled extends Error {
  constructor() {
    super('The work that this statement belongs to was cancelled.');
    this.name = 'StatementCancelled';
  }
}

/**
 * The statements of work that waits for a login. Reads that arrive in time are sent in the packet of the
 * login; all other statements, and those after them, are held back until the login is granted.
 */
export class PrefetchGate implements StatementSink {
  readonly sink: StatementSink;
  #state: 'prefetching' | 'blocked' | 'open' | 'cancelled' = 'prefetching';
  #waiting: { pass: () => void; reject: (error: unknown) => void }[] = [];

  constructor(sink: StatementSink) {
    this.sink = sink;
    // Runs after the tick in which the packet leaves.
    process.nextTick(() => {
      if (this.#state === 'prefetching') this.#state = 'blocked';
    });
  }

  /**
   * Releases the held statements and all later ones.
   * @throws the error of a `send` with a value that Postgres cannot accept; later statements are rejected
   */
  open(): void {
    if (this.#state === 'cancelled') return;
    this.#state = 'open';
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) next.pass();
    } catch (error) {
      this.#state = 'blocked';
      this.cancel();
      throw error;
    }
  }

  /** Rejects the held statements and all later ones. */
  cancel(): void {
    if (this.#state === 'open') return;
    this.#state = 'cancelled';
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(new StatementCancelled());
  }

  query(name: string, text: string, values: readonly unknown[]): Promise<StatementResult> {
    return this.#passing(text, () => this.sink.query(name, text, values));
  }

  send(...sent: Parameters<StatementSink['send']>): void {
    const pass = (): void => this.sink.send(...sent);
    if (this.#state === 'open' || this.#mayPass(sent[1])) pass();
    else if (this.#state !== 'cancelled') this.#waiting.push({ pass, reject: () => undefined });
  }

  querySimple(text: string): Promise<object[]> {
    return this.#passing('', () => this.sink.querySimple(text));
  }

  flush(): void {
    if (this.#state === 'open') this.sink.flush();
  }

  #mayPass(text: string): boolean {
    return this.#state === 'prefetching' && this.#waiting.length === 0 && maySendEarly(text);
  }

  async #passing<T>(text: string, say: () => Promise<T>): Promise<T> {
    if (this.#state === 'open') return say();
    if (this.#state === 'cancelled') throw new StatementCancelled();
    if (this.#mayPass(text)) return say();
    return new Promise((resolve, reject) => {
      const pass = (): void => {
        try {
          say().then(resolve, reject);
        } catch (error) {
          reject(error);
        }
      };
      this.#waiting.push({ pass, reject });
    });
  }
}
