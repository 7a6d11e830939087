/** Conditions joined by AND; each `?` becomes the next parameter. */
export class Conditions {
  readonly #parts: string[] = [];

  /** `values` are the statement's parameters so far, if it has other conditions too. */
  constructor(readonly values: unknown[] = []) {}

  add(condition: string, ...values: unknown[]): void {
    this.#parts.push(condition.replaceAll('?', () => this.bind(values.shift())));
  }

  /** A parameter of the statement that is not part of these conditions: returns its placeholder. */
  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  sql(): string {
    return this.#parts.join(' AND ');
  }
}
