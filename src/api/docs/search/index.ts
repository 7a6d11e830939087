import MiniSearch from 'minisearch';
import { isStopWord, isSynonym, stemOf, termsOf, wordsOf } from './words.ts';

/** A search entry: a section of a guide, an operation, an error code or an event type. */
export interface SearchEntry {
  url: string;
  /** The page or group it belongs to. */
  page: string;
  title: string;
  text: string;
  /** The questions of docs/questions.md that it answers. */
  questions: string;
  /** Multiplies the score: below 1 for background such as the decisions. */
  weight: number;
}

export interface SearchHit {
  url: string;
  page: string;
  title: string;
  excerpt: string;
}

/** Longer queries are truncated, which bounds the cost of a search. */
const maxQueryLength = 100;
const maxWords = 8;
/** The maximum number of results. */
export const maxHits = 30;
const synonymWeight = 0.5;
/** For a query that is a title, such as an error code or an event type. */
const exactTitleWeight = 10;

/**
 * Finds entries by words in any of their forms, synonyms, and the beginning of the last word. Words of
 * more than three letters that no entry contains may have typing errors.
 */
export function createSearch(entries: readonly SearchEntry[]): (query: string) => SearchHit[] {
  const known = new Set<string>();
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['title', 'page', 'text', 'questions'],
    tokenize: wordsOf,
    processTerm: (word, field) => {
      // Text mentions many things: only headings and questions are found by synonyms.
      const terms = field === 'text' ? [stemOf(word)] : termsOf(word);
      for (const term of terms) known.add(term);
      return terms;
    },
    searchOptions: { boost: { title: 4, page: 2, questions: 4 }, processTerm: termsOf },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => {
    const words = subjectsOf(query);
    const lastStem = stemOf(words.at(-1) ?? '');
    const results = index.search(words.join(' '), {
      prefix: (term) => !isSynonym(term) && (term === lastStem || !known.has(term)),
      fuzzy: (term) => (term.length > 3 && !known.has(term) ? 0.25 : false),
      maxFuzzy: 2,
      boostTerm: (term) => (isSynonym(term) ? synonymWeight : 1),
      boostDocument: (id) => entries[Number(id)]!.weight,
    });
    const scored = results.map((result) => ({
      ...result,
      score:
        result.score *
        share(words, result.queryTerms) ** 2 *
        (entries[result.id]!.title === query.trim() ? exactTitleWeight : 1),
    }));
    scored.sort((one, other) => other.score - one.score);
    return scored.slice(0, maxHits).map((result) => {
      const { url, page, title, text: full } = entries[result.id]!;
      return { url, page, title: withoutBackticks(title), excerpt: excerptOf(full, result.terms) };
    });
  };
}

/** The words of a query that name its subject, or all of them if none does. */
function subjectsOf(query: string): string[] {
  const words = wordsOf(query.slice(0, maxQueryLength));
  const subjects = words.filter((word) => !isStopWord(word));
  return (subjects.length > 0 ? subjects : words).slice(0, maxWords);
}

/** The share of the words that a result contains in some form. */
function share(words: readonly string[], queryTerms: readonly string[]): number {
  const found = new Set(queryTerms);
  return (
    words.filter((word) => termsOf(word).some((term) => found.has(term))).length / words.length
  );
}

/** A text without the backticks of code. */
const withoutBackticks = (text: string): string => text.replaceAll('`', '');

const excerptLength = 160;

/** The part of the text around the first term that it contains. */
function excerptOf(text: string, terms: readonly string[]): string {
  const plain = withoutBackticks(text).replace(/\s+/g, ' ').trim();
  const lower = plain.toLowerCase();
  const positions = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const middle = positions.length > 0 ? Math.min(...positions) : 0;
  const start = middle < excerptLength / 2 ? 0 : plain.indexOf(' ', middle - excerptLength / 2) + 1;
  const end = start + excerptLength;
  return `${start > 0 ? '… ' : ''}${plain.slice(start, end)}${end < plain.length ? ' …' : ''}`;
}
