// Created once, because creating a format takes longer than using it.
const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Joins words with "or": `a`, `a or b`, `a, b or c`. */
export function formatAlternatives(words: readonly string[]): string {
  return disjunction.format(words);
}
