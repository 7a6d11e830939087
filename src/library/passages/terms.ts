import { type SearchLanguage, searchLanguages } from '@scriptorium/contracts/search-languages';
import { planTextSearch } from '../../db/statements/rows.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { parseQuery, type SearchTerm, toTsquery } from '../images/search/query-language.ts';

/** A word of a query in all forms that the project's texts have, or words that stand for each other. */
export interface PassageTerm {
  /** The normalised forms. */
  words: string[];
}

/** What a query asks for. */
export interface PassageQuery {
  /** A passage matches if it has one of them; more of them rank higher. */
  terms: PassageTerm[];
  /** Conditions in the syntax of `to_tsquery` that every passage meets: phrases, and excluded words. */
  required: string[];
  /** The phrases, for the excerpt. */
  phrases: string[][];
}

/** The maximum number of forms of a word. */
const maxForms = 30;
/** The maximum number of words of a long question that are counted. */
const maxTerms = 64;
/** The minimum number of letters that all forms of a word begin with. */
const minCommonLetters = 3;

/**
 * Reads a query: leaves out the stop words of its languages, and adds other forms of its words.
 * Null if it has no other words.
 */
export async function readPassageQuery(
  tx: Tx,
  q: string,
  languages: readonly SearchLanguage[],
): Promise<PassageQuery | null> {
  planTextSearch(tx, 'some');
  const groups = parseQuery(q) ?? [];
  const required = groups.filter((group) => group.some(({ not, quoted }) => not || quoted));
  const optional = groups.filter((group) => !required.includes(group));
  const words = [...new Set(optional.flat().flatMap(wordsOf))];
  const [forms, phraseForms] = await Promise.all([
    readForms(tx, words, languages),
    readForms(
      tx,
      required
        .flat()
        .filter((term) => !term.not)
        .flatMap(wordsOf),
      [],
    ),
  ]);
  const terms = optional.flatMap((group) => {
    // Words in a row, such as those of "post-war", are terms of their own.
    const alternatives =
      group.length > 1 ? [group.flatMap(wordsOf)] : wordsOf(group[0]!).map((w) => [w]);
    return alternatives.map((some) => ({
      words: [...new Set(some.flatMap((w) => forms.get(w) ?? []))],
    }));
  });
  const found = [...terms, ...[...phraseForms.values()].map((some) => ({ words: some }))];
  const known = withoutRepeated(found.filter(({ words: some }) => some.length > 0));
  if (known.length === 0) return null;
  return {
    terms: known.slice(0, maxTerms),
    required: required.map((group) => toTsquery([group.map(withoutPrefix)])),
    phrases: required.flat().flatMap((term) => (term.not ? [] : [term.words])),
  };
}

function withoutRepeated(terms: readonly PassageTerm[]): PassageTerm[] {
  return [...new Map(terms.map((term) => [term.words.join(' '), term])).values()];
}

const wordsOf = ({ words }: SearchTerm): string[] => words.map((word) => word.toLowerCase());
const withoutPrefix = (term: SearchTerm): SearchTerm => ({ ...term, prefix: false });

interface FormRow {
  word: string;
  lexeme: string;
  dictionary: string | null;
  isStop: boolean | null;
  forms: string[] | null;
}

/**
 * The normalised forms of each word: the word, and words of the project with the same stem in one of
 * the languages. A stop word has none. It counts as one only in the languages with the most stop
 * words of the query, because it may be another word in another language.
 */
async function readForms(
  tx: Tx,
  words: readonly string[],
  languages: readonly SearchLanguage[],
): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map();
  const dictionaries = languages.map((language) => searchLanguages[language]);
  const rows = await query<FormRow>(
    tx,
    `WITH term AS MATERIALIZED (
       SELECT given.word, min(l.lexeme COLLATE "C") AS lexeme
       FROM unnest($1::text[]) given (word), unnest(to_tsvector('library', plain_words(given.word))) l
       GROUP BY given.word HAVING count(*) = 1
     ), stem AS MATERIALIZED (
       SELECT t.word, t.lexeme, d.dictionary, ts_lexize(d.dictionary, t.lexeme) AS stems
       FROM term t LEFT JOIN unnest($2::regdictionary[]) d (dictionary) ON true
     )
     SELECT s.word, s.lexeme, s.dictionary::text, s.stems = '{}' AS "isStop", f.forms
     FROM stem s
     LEFT JOIN LATERAL (
       -- A stem may end with another letter than its words: "ferri" is that of "ferry".
       SELECT left(s.lexeme, max(n)) AS prefix
       FROM generate_series(1, greatest(${minCommonLetters}, char_length(s.stems[1]) - 1)) n
       WHERE left(s.stems[1], n) = left(s.lexeme, n) COLLATE "C") common
       ON char_length(common.prefix) >= ${minCommonLetters}
     LEFT JOIN LATERAL (
       SELECT array_agg(DISTINCT one.word) AS forms FROM (
         SELECT k.word FROM image_word_search k
         WHERE k.word >= common.prefix AND k.word < common.prefix || U&'\\+10FFFF'
           AND ts_lexize(s.dictionary, k.word) = s.stems LIMIT ${maxForms}) one) f ON true`,
    [words, dictionaries],
  );
  const stopCounts = new Map<string | null, number>();
  for (const { dictionary, isStop } of rows) {
    if (isStop) stopCounts.set(dictionary, (stopCounts.get(dictionary) ?? 0) + 1);
  }
  const most = Math.max(0, ...stopCounts.values());
  const stopWords = new Set(
    rows
      .filter(({ dictionary, isStop }) => isStop && stopCounts.get(dictionary) === most)
      .map(({ word }) => word),
  );
  const forms = new Map<string, string[]>();
  for (const { word, lexeme, forms: some } of rows) {
    if (stopWords.has(word)) continue;
    forms.set(word, [...new Set([...(forms.get(word) ?? [lexeme]), ...(some ?? [])])]);
  }
  return forms;
}

/** The forms in the syntax of `to_tsquery`. */
export function anyForm({ words }: PassageTerm): string {
  return words.map((word) => `'${word}'`).join(' | ');
}
