import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiProblem } from '../../../api/request.ts';
import { findMatches, normalizeQuery, type TextMatch } from './matches.ts';
import { loadText } from './page-texts.ts';

/**
 * Workers read the text of pages, so only a few are requested at a time, in order not to delay
 * pictures.
 */
const concurrency = 3;
const maxPages = 500;
const searchDelayMs = 200;

/** A search within the displayed document. */
export interface Find {
  isOpen: boolean;
  setOpen: (open: boolean) => void;
  text: string;
  setText: (text: string) => void;
  matches: readonly TextMatch[];
  current: TextMatch | undefined;
  /** The number of matches and the progress, as text. */
  status: string;
  step: (direction: 1 | -1) => void;
}

interface SearchState {
  query: string;
  /** Matches by page; null for a page that cannot be read. */
  pages: ReadonlyMap<number, readonly TextMatch[] | null>;
  hasText: boolean;
}

const emptySearch: SearchState = { query: '', pages: new Map(), hasText: false };

/** Searches the pages of a document while the user types, from first to last. */
export function useFind(
  objectId: string | undefined,
  pages: number,
  page: number,
  onPage: (page: number) => void,
): Find {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [state, setState] = useState<SearchState>(emptySearch);
  const [selected, setSelected] = useState<TextMatch | undefined>();
  const pageLimit = Math.min(pages, maxPages);
  const sought = isOpen ? normalizeQuery(text) : '';
  useEffect(() => {
    setState({ ...emptySearch, query: sought });
    setSelected(undefined);
    if (!objectId || sought === '') return;
    const controller = new AbortController();
    const search = async (): Promise<void> => {
      let next = 1;
      const searchNext = async (): Promise<void> => {
        for (let at = next++; at <= pageLimit; at = next++) {
          const result = await searchPage(objectId, at, sought, controller.signal);
          if (controller.signal.aborted) return;
          setState((now) => ({
            query: sought,
            pages: new Map(now.pages).set(at, result.matches),
            hasText: now.hasText || result.hasText,
          }));
        }
      };
      await Promise.all(Array.from({ length: concurrency }, searchNext));
    };
    const timer = window.setTimeout(() => void search(), searchDelayMs);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [objectId, pageLimit, sought]);
  const hits = useMemo(
    () => [...state.pages].sort(([a], [b]) => a - b).flatMap(([, on]) => on ?? []),
    [state.pages],
  );
  const isDone = state.query === sought && state.pages.size === pageLimit;
  const current =
    selected ?? firstMatchFrom(state.pages, page, pageLimit) ?? (isDone ? hits[0] : undefined);
  // Selects the first match once it is known.
  useEffect(() => {
    if (selected || !current) return;
    setSelected(current);
    onPage(current.page);
  }, [selected, current]);
  const step = (direction: 1 | -1): void => {
    if (hits.length === 0) return;
    const at = current ? hits.indexOf(current) : -1;
    const to = hits[(at + direction + hits.length) % hits.length];
    setSelected(to);
    if (to) onPage(to.page);
  };
  const said = describeMatches({
    query: sought,
    matches: hits,
    current,
    searched: pageLimit,
    pages,
    found: state,
    isDone,
  });
  return { isOpen, setOpen, text, setText, matches: hits, current, status: said, step };
}

async function searchPage(
  objectId: string,
  page: number,
  query: string,
  signal: AbortSignal,
): Promise<{ matches: readonly TextMatch[] | null; hasText: boolean }> {
  try {
    const text = await loadText(objectId, page, signal);
    return { matches: findMatches(text, query), hasText: text.source !== null };
  } catch (error) {
    if (!signal.aborted && !(error instanceof ApiProblem)) throw error;
    return { matches: null, hasText: false };
  }
}

/**
 * Returns the first match on the displayed page or after it, once all pages up to the match are
 * searched.
 */
function firstMatchFrom(
  matchesByPage: SearchState['pages'],
  page: number,
  last: number,
): TextMatch | undefined {
  for (let at = page; at <= last; at += 1) {
    const pageMatches = matchesByPage.get(at);
    if (pageMatches === undefined) return undefined;
    if (pageMatches?.[0]) return pageMatches[0];
  }
  return undefined;
}

function describeMatches(search: {
  query: string;
  matches: readonly TextMatch[];
  current: TextMatch | undefined;
  searched: number;
  pages: number;
  found: SearchState;
  isDone: boolean;
}): string {
  const { query, matches, current, searched, pages, found, isDone } = search;
  if (query === '') return '';
  const unreadableCount = [...found.pages.values()].filter((on) => on === null).length;
  const notes: string[] = [];
  if (!isDone)
    notes.push(`searching, page ${Math.min(found.pages.size + 1, searched)} of ${searched}`);
  else if (searched < pages) notes.push(`in the first ${searched} pages`);
  if (isDone && unreadableCount > 0)
    notes.push(`${unreadableCount} of ${searched} pages cannot be read`);
  const at = current ? matches.indexOf(current) + 1 : 0;
  const count =
    at > 0 ? `${at} of ${matches.length}` : matches.length > 0 ? `${matches.length} found` : '';
  const noMatchText = isDone ? (found.hasText ? 'Not found' : 'No text yet') : '';
  return [count || noMatchText, ...notes].filter(Boolean).join(', ');
}
