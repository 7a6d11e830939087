// Created once: creating one takes longer than using it.
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** `a`, `a or b`, `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  return either.format(words);
}
