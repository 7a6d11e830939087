/** Conditions joined by AND; each `?` becomes the next parameter. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #parts: string[] = [];

  add(condition: string, ...values: unknown[]): void {
    this.#parts.push(
      condition.replaceAll('?', () => {
        this.values.push(values.shift());
        return `$${this.values.length}`;
      }),
    );
  }

  sql(): string {
    return this.#parts.join(' AND ');
  }
}
