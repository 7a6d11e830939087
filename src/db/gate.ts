import type { Listener } from './conversation.ts';
import { mayGoAhead } from './statements/kind.ts';
import type { StatementAnswer } from './wire/round.ts';

/** A statement that was held back at a gate that never opened. */
export class TurnedAway extends Error {
  constructor() {
    super('The work that this statement belongs to was cancelled.');
    this.name = 'TurnedAway';
  }
}

/**
 * The statements in the packet of a login whose answer is pending. Reads that arrive in time travel with
 * it; everything else, and everything after it, is held back until the login is granted.
 */
export class Gate implements Listener {
  readonly listener: Listener;
  #state: 'ajar' | 'held' | 'open' | 'shut' = 'ajar';
  #waiting: { pass: () => void; refuse: (error: unknown) => void }[] = [];

  constructor(listener: Listener) {
    this.listener = listener;
    // After the tick in which the packet leaves.
    process.nextTick(() => {
      if (this.#state === 'ajar') this.#state = 'held';
    });
  }

  /**
   * Lets through what was held back, and everything after it.
   * @throws the error of a `tell` with a value that Postgres cannot accept; the rest is rejected
   */
  open(): void {
    if (this.#state === 'shut') return;
    this.#state = 'open';
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) next.pass();
    } catch (error) {
      this.#state = 'held';
      this.shut();
      throw error;
    }
  }

  /** Rejects what was held back, and everything after it. */
  shut(): void {
    if (this.#state === 'open') return;
    this.#state = 'shut';
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { refuse } of waiting) refuse(new TurnedAway());
  }

  ask(name: string, text: string, values: readonly unknown[]): Promise<StatementAnswer> {
    return this.#passing(text, () => this.listener.ask(name, text, values));
  }

  tell(...told: Parameters<Listener['tell']>): void {
    const pass = (): void => this.listener.tell(...told);
    if (this.#state === 'open' || this.#mayPass(told[1])) pass();
    else if (this.#state !== 'shut') this.#waiting.push({ pass, refuse: () => undefined });
  }

  askPlainly(text: string): Promise<object[]> {
    return this.#passing('', () => this.listener.askPlainly(text));
  }

  leave(): void {
    if (this.#state === 'open') this.listener.leave();
  }

  #mayPass(text: string): boolean {
    return this.#state === 'ajar' && this.#waiting.length === 0 && mayGoAhead(text);
  }

  async #passing<T>(text: string, say: () => Promise<T>): Promise<T> {
    if (this.#state === 'open') return say();
    if (this.#state === 'shut') throw new TurnedAway();
    if (this.#mayPass(text)) return say();
    return new Promise((resolve, refuse) => {
      const pass = (): void => {
        try {
          say().then(resolve, refuse);
        } catch (error) {
          refuse(error);
        }
      };
      this.#waiting.push({ pass, refuse });
    });
  }
}
