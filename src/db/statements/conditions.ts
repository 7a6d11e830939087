/** Conditions joined by AND; each `?` becomes the next parameter. */
export class Conditions {
  readonly #parts: string[] = [];

  /** @param values the earlier parameters of the statement, if any */
  constructor(readonly values: unknown[] = []) {}

  add(condition: string, ...values: unknown[]): void {
    this.#parts.push(condition.replaceAll('?', () => this.bind(values.shift())));
  }

  /** Adds a parameter that is used outside of these conditions, and returns its placeholder. */
  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  sql(): string {
    return this.#parts.join(' AND ');
  }
}
