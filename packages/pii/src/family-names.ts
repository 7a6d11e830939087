/**
 * A family name in capitals and a comma, at the start of a line, cell or list item: `VAN DEN BERG,
 * `.
 */
const family =
  /(?:^|[\n\t|;•]|(?:^|\n)[ \t]*(?:[-*]|\d{1,4}[.)]?) ) *((?:\p{Lu}{1,4}['’])?\p{Lu}{2,30}(?:(?: |-)(?:\p{Lu}['’])?\p{Lu}{2,30}| (?:de|del|de la|von|van|zu|da|dos)(?= \p{Lu}{2})){0,4}, ?)$/u;
/** Particles of a family name before its first name, in the same positions: `von Aldenhoven, Ute`. */
const particles =
  /(?:^|[\n\t|;•]|(?:^|\n)[ \t]*(?:[-*]|\d{1,4}[.)]?) ) *((?:(?:von|van|vom|de|del|della|di|da|do|dos|das|den|der|ten|ter|zu|zur|la|le|el|af|av) ){1,3})$/u;
/** Particles behind an inverted name, at the end of its line or cell: `Keyser, J.M. de`. */
const behind =
  /^ (?:van|von|vom|de|den|der|ter|ten|te|zu|zur|af|av|da|do|dos|das|di|del|la|le|['’]t)(?: (?:de|den|der|la|het|['’]t))?(?= ?(?:$|[\n\t|;)]))/u;
const longest = 100;

/**
 * Returns the start of a person's name, including a preceding family name, as in lists: `ASKEW,
 * Torsten`, and the particles of a family name before a comma.
 */
export function familyStart(text: string, start: number): number {
  if (!/[, ]/.test(text.charAt(start - 1))) return start;
  const before = text.slice(Math.max(0, start - longest), start);
  const isInverted = /^(?:\p{Ll}{1,5} ){0,2}\p{Lu}[\p{L}'’-]*,/u.test(
    text.slice(start, start + longest),
  );
  const own = isInverted ? particles.exec(before)?.[1] : undefined;
  return start - (own ?? family.exec(before)?.[1] ?? '').length;
}

/** Initials behind a family name, at the end of its line or cell: `WHITLOCK, A.`, `Lowther B`. */
const initials =
  /^(?:, ?| )\p{Lu}(?:\.[ -]?\p{Lu}|[ -]\p{Lu}){0,2}\.?(?![\p{L}\p{N}'’])(?= ?(?:$|[\n\t|;()]|\.{2,}|[ ]{2}|\. ?\.))/u;

/** Returns the end of a person's name, including the particles behind an inverted name, and initials. */
export function familyEnd(text: string, start: number, end: number): number {
  // The tagger may have found only a part of the name.
  const isInverted = /\p{L}, ?[\p{L} .]{1,40}$/u.test(text.slice(Math.max(0, start - 40), end));
  const rest = text.slice(end, end + 24);
  const more = isInverted ? behind.exec(rest)?.[0] : undefined;
  return end + (more ?? initials.exec(rest)?.[0] ?? '').length;
}
