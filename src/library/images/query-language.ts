/**
 * What `q` means: words are AND, `"a phrase"`, `-not`, and `OR` between two of them, which binds
 * more tightly than AND; the last word matches as a prefix. Whatever is typed means something, and
 * nothing that is typed reaches Postgres as syntax.
 */

/** One word, or several that stand next to each other. */
export interface SearchTerm {
  words: string[];
  not: boolean;
  quoted: boolean;
  /** The last of the words may go on. */
  prefix: boolean;
  /** Where it stands in the text. */
  from: number;
  to: number;
}

/** All groups must hold; of a group, one term. */
export type SearchQuery = SearchTerm[][];

/** No word is longer, in code points: what is longer is cut. */
const wordLength = 256;

/** Reads a text; null when there is no word in it. */
export function parseQuery(text: string): SearchQuery | null {
  const tokens = [...readTokens(text)].filter((token) => token === 'OR' || token.words.length > 0);
  const groups: SearchQuery = [];
  let joins = false;
  for (const token of tokens) {
    if (token === 'OR') {
      // One that joins nothing is left out.
      joins = groups.length > 0;
    } else {
      const group = joins ? groups.at(-1) : undefined;
      if (group) group.push(token);
      else groups.push([token]);
      joins = false;
    }
  }
  if (groups.length === 0 && tokens.length > 0) {
    const from = text.indexOf('OR');
    const word = { words: ['OR'], not: false, quoted: false, prefix: true };
    return [[{ ...word, from, to: from + 2 }]];
  }
  const last = tokens.at(-1);
  if (last && last !== 'OR' && !last.not && !last.quoted) last.prefix = true;
  return groups.length > 0 ? groups : null;
}

function* readTokens(text: string): Generator<SearchTerm | 'OR'> {
  // A dash before what follows it at once; then a phrase up to its end or the text's, or a word.
  for (const found of text.matchAll(/(-(?=\S))?(?:"([^"]*)"?|([^\s"]+))/g)) {
    const [whole, dash, phrase, word] = found;
    if (whole === 'OR') yield 'OR';
    else {
      yield {
        words: plainWords(phrase ?? word ?? ''),
        not: dash !== undefined,
        quoted: phrase !== undefined,
        prefix: false,
        from: found.index,
        to: found.index + whole.length,
      };
    }
  }
}

/** The words of a text, made plain as the index makes them (the SQL function `plain_words`). */
function plainWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      // ASCII but letters and digits: what Postgres's parser would take for an address or a path.
      .split(/[\s\0-/:-@[-`{-\x7f]+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word))
      .map((word) => [...word].slice(0, wordLength).join(''))
  );
}

/**
 * The query as `to_tsquery` reads it. Words have no quote or backslash in them. Those of a phrase are
 * joined by `<->`, one after the other, or by `&`, wherever they stand.
 */
export function toTsquery(query: SearchQuery, adjacent: '<->' | '&' = '<->'): string {
  return query
    .map((group) => {
      const terms = group.map((term) => termOf(term, adjacent));
      return terms.length > 1 ? `(${terms.join(' | ')})` : terms[0];
    })
    .join(' & ');
}

function termOf({ words, not, prefix }: SearchTerm, adjacent: string): string {
  const quoted = words.map((word) => `'${word}'`).join(` ${adjacent} `) + (prefix ? ':*' : '');
  return `${not ? '!' : ''}${words.length > 1 ? `(${quoted})` : quoted}`;
}
