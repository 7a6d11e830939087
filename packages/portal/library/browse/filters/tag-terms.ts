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
export function withTag(terms: readonly TagTerm[], tag: string, mode: TagMode): TagTerm[] {
  const others = withoutTag(terms, tag);
  if (mode === 'not') return [...others, { not: true, anyOf: [tag] }];
  const last = others.findLastIndex(({ not }) => !not);
  if (mode === 'all' || last < 0) return [...others, { not: false, anyOf: [tag] }];
  return others.map((term, at) =>
    at === last ? { not: false, anyOf: [...term.anyOf, tag] } : term,
  );
}

export type TagMode = 'all' | 'any' | 'not';
