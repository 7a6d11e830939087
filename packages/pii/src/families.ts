/**
 * A family name in capitals and a comma, at the start of a line, cell or list item: `VAN DEN BERG,
 * `.
 */
const family =
  /(?:^|[\n\t|;•]|(?:^|\n)[ \t]*(?:[-*]|\d{1,4}[.)]?) ) *((?:\p{Lu}{1,4}['’])?\p{Lu}{2,30}(?:(?: |-)(?:\p{Lu}['’])?\p{Lu}{2,30}| (?:de|del|de la|von|van|zu|da|dos)(?= \p{Lu}{2})){0,4}, ?)$/u;
const longest = 100;

/**
 * Returns the start of a person's name, including a preceding family name, as in lists: `ASKEW,
 * Torsten`.
 */
export function familyStart(text: string, start: number): number {
  if (!/[, ]/.test(text.charAt(start - 1))) return start;
  const before = text.slice(Math.max(0, start - longest), start);
  return start - (family.exec(before)?.[1]?.length ?? 0);
}
