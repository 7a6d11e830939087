import MiniSearch from 'minisearch';

/** A search entry: a section of a guide, an operation, an error code or an event type. */
export interface SearchEntry {
  url: string;
  /** The page or group it belongs to. */
  page: string;
  title: string;
  text: string;
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

/** Finds entries by words or prefixes. Words of more than three letters may have typing errors. */
export function createSearch(entries: readonly SearchEntry[]): (query: string) => SearchHit[] {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['title', 'page', 'text'],
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      maxFuzzy: 2,
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => {
    const words = query.slice(0, maxQueryLength).split(/\s+/).filter(Boolean).slice(0, maxWords);
    const text = words.join(' ');
    const all = index.search(text, { combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(text, { combineWith: 'OR' });
    return found.slice(0, maxHits).map((result) => {
      const { url, page, title, text: full } = entries[result.id]!;
      return { url, page, title: withoutBackticks(title), excerpt: excerptOf(full, result.terms) };
    });
  };
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
