/**
 * Returns a name on one line, without control characters, line separators and direction marks,
 * which would change the display of the surrounding text, and without halves of surrogate pairs,
 * which Postgres cannot store.
 */
export function plainName(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
}
