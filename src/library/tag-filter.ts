/**
 * One `tag` parameter: an object must have (or, with `not`, must not have) at least one of the
 * tags.
 */
export interface TagFilter {
  not: boolean;
  anyOf: string[];
}

/**
 * Parses a `tag` parameter: commas mean OR, and a leading `-` negates the whole filter. A backslash
 * escapes a comma, dash or backslash. Null if a tag is empty.
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
export function tagsOverlap(tags: string, otherTags: string): string {
  return `fold_tags(${tags}) && fold_tags(${otherTags}::text[])`;
}

/** Parses all `tag` parameters of a request; `termFaults` reports the invalid ones. */
export function parseTagFilters(parameters: readonly string[] | undefined): TagFilter[] {
  return (parameters ?? []).flatMap((tag) => parseTagFilter(tag) ?? []);
}
