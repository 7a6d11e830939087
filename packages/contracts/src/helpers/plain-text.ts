/**
 * A name in one line, without characters that would change how the text around it is shown: control
 * characters, line separators, directions, and halves of surrogate pairs, which Postgres cannot store.
 */
export function plainName(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
}
