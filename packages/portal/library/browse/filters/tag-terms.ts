/** One `tag` filter: at least one of the tags, or with `not`, none of them. */
export interface TagTerm {
  not: boolean;
  anyOf: string[];
}

/** Parses a `tag` parameter: a comma is OR, a leading dash is NOT, a backslash escapes. */
export function parseTagTerm(text: string): TagTerm {
  const not = text.startsWith('-');
  const anyOf: string[] = [];
  let tag = '';
  for (let at = not ? 1 : 0; at < text.length; at++) {
    if (text[at] === '\\' && /[\\,-]/.test(text[at + 1] ?? '')) {
      at += 1;
      tag += text[at];
    } else if (text[at] === ',') {
      anyOf.push(tag);
      tag = '';
    } else tag += text[at];
  }
  return { not, anyOf: [...anyOf, tag] };
}

export function writeTagTerm({ not, anyOf }: TagTerm): string {
  const tags = anyOf.map((tag) => tag.replace(/[\\,]/g, '\\$&').replace(/^-/, '\\-'));
  return `${not ? '-' : ''}${tags.join(',')}`;
}

/** Removes a tag from all terms. */
export function withoutTag(terms: readonly TagTerm[], tag: string): TagTerm[] {
  return terms
    .map((term) => ({ ...term, anyOf: term.anyOf.filter((one) => one !== tag) }))
    .filter(({ anyOf }) => anyOf.length > 0);
}

/** Adds a tag: as a further condition, as an alternative to the last one, or negated. */
export function withTag(terms: readonly TagTerm[], tag: string, mode: TagMode | 'not'): TagTerm[] {
  const others = withoutTag(terms, tag);
  if (mode === 'not') return [...others, { not: true, anyOf: [tag] }];
  const last = others.findLastIndex(({ not }) => !not);
  if (mode === 'all' || last < 0) return [...others, { not: false, anyOf: [tag] }];
  return others.map((term, at) =>
    at === last ? { not: false, anyOf: [...term.anyOf, tag] } : term,
  );
}

/** How several tags are combined: with AND or OR. */
export type TagMode = 'all' | 'any';

/** Returns how the required tags are combined; null if there are fewer than two. */
export function modeOf(terms: readonly TagTerm[]): TagMode | null {
  const required = terms.filter(({ not }) => !not);
  if (required.length > 1) return 'all';
  return required[0] && required[0].anyOf.length > 1 ? 'any' : null;
}

/** Combines the required tags in another way. */
export function withMode(terms: readonly TagTerm[], mode: TagMode): TagTerm[] {
  const excluded = terms.filter(({ not }) => not);
  const tags = terms.flatMap(({ not, anyOf }) => (not ? [] : anyOf));
  const required = mode === 'any' ? [tags] : tags.map((tag) => [tag]);
  return [...required.map((anyOf) => ({ not: false, anyOf })), ...excluded];
}
