/**
 * The language of `q`: words are joined by AND, `"a phrase"`, `-not`, and `OR` between two of them,
 * which binds more tightly than AND; the last word matches as a prefix. Every input is valid, and
 * none reaches Postgres as syntax.
 */

/** A single word, or several consecutive ones. */
export interface SearchTerm {
  words: string[];
  not: boolean;
  quoted: boolean;
  /** Whether the last word is a prefix. */
  prefix: boolean;
  /** Its position in the text. */
  from: number;
  to: number;
}

/** All groups must match; of each group, one term. */
export type SearchQuery = SearchTerm[][];

/** The maximum length of a word, in code points; longer ones are cut. */
const maxWordLength = 256;

/** Parses a text; null if it contains no word. */
export function parseQuery(text: string): SearchQuery | null {
  const tokens = [...readTokens(text)].filter((token) => token === 'OR' || token.words.length > 0);
  const groups: SearchQuery = [];
  let isAfterOr = false;
  for (const token of tokens) {
    if (token === 'OR') {
      // An `OR` without operands is ignored.
      isAfterOr = groups.length > 0;
    } else {
      const group = isAfterOr ? groups.at(-1) : undefined;
      if (group) group.push(token);
      else groups.push([token]);
      isAfterOr = false;
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
  // A dash directly before its operand, then a phrase up to its closing quote or the end, or a
  // word.
  for (const match of text.matchAll(/(-(?=\S))?(?:"([^"]*)"?|([^\s"]+))/g)) {
    const [whole, dash, phrase, word] = match;
    if (whole === 'OR') yield 'OR';
    else {
      yield {
        words: normaliseWords(phrase ?? word ?? ''),
        not: dash !== undefined,
        quoted: phrase !== undefined,
        prefix: false,
        from: match.index,
        to: match.index + whole.length,
      };
    }
  }
}

/**
 * The words of a text, normalised as the index normalises them (the SQL function `plain_words`).
 */
function normaliseWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      // ASCII except letters and digits, from which Postgres's parser would detect addresses and
      // paths.
      .split(/[\s\0-/:-@[-`{-\x7f]+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word))
      .map((word) => [...word].slice(0, maxWordLength).join(''))
  );
}

interface TsqueryOptions {
  /** How the words of a phrase are joined: in sequence, or at any position. */
  adjacent?: '<->' | '&';
  /** Only words with these weights match. Default: all. */
  weights?: string;
}

/** The query in the syntax of `to_tsquery`. Words contain no quote or backslash. */
export function toTsquery(query: SearchQuery, options: TsqueryOptions = {}): string {
  return query
    .map((group) => {
      const terms = group.map((term) => formatTerm(term, options));
      return terms.length > 1 ? `(${terms.join(' | ')})` : terms[0];
    })
    .join(' & ');
}

function formatTerm(
  { words, not, prefix }: SearchTerm,
  { adjacent = '<->', weights = '' }: TsqueryOptions,
): string {
  const quotedWords = words
    .map((word, at) => {
      const flags = `${prefix && at === words.length - 1 ? '*' : ''}${weights}`;
      return `'${word}'${flags && `:${flags}`}`;
    })
    .join(` ${adjacent} `);
  return `${not ? '!' : ''}${words.length > 1 ? `(${quotedWords})` : quotedWords}`;
}
