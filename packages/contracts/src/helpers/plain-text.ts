/**
 * A name on one line, without characters that would change how the surrounding text is displayed:
 * control characters, line separators, direction marks, and halves of surrogate pairs, which
 * Postgres cannot store.
 */
export function plainName(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
}
