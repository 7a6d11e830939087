/**
 * One `tag` parameter: an object must have (or, with `not`, must not have) at least one of the
 * tags.
 */
export interface TagFilter {
  not: boolean;
  anyOf: string[];
}

/**
 * Parses a `tag` parameter: commas are OR, a leading `-` negates all of it. A backslash escapes a
 * comma, dash or backslash. Null if a tag in it is empty.
 */
export function parseTagFilter(text: string): TagFilter | null {
  const not = text.startsWith('-');
  const anyOf: string[] = [];
  let tag = '';
  for (let at = not ? 1 : 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\\' && /[\\,-]/.test(text[at + 1] ?? '')) {
      tag += text[at + 1];
      at += 1;
    } else if (character === ',') {
      anyOf.push(tag);
      tag = '';
    } else tag += character;
  }
  anyOf.push(tag);
  const cleaned = anyOf.map((one) => one.normalize('NFKC').trim());
  return cleaned.includes('') ? null : { not, anyOf: cleaned };
}

/** Whether the tags of two SQL expressions overlap, ignoring case. */
export function sharedTag(tags: string, others: string): string {
  return `fold_tags(${tags}) && fold_tags(${others}::text[])`;
}

/** Parses all `tag` parameters of a request; `termFaults` reports the invalid ones. */
export function readTagFilters(given: readonly string[] | undefined): TagFilter[] {
  return (given ?? []).flatMap((tag) => parseTagFilter(tag) ?? []);
}
