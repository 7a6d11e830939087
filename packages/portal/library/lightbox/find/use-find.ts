import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiProblem } from '../../../api/request.ts';
import { type Hit, hitsOn, soughtIn } from './matches.ts';
import { loadText } from './texts.ts';

/**
 * Texts of pages are read by workers, so only a few are requested at a time, in order not to delay
 * pictures.
 */
const atOnce = 3;
const maxPages = 500;
const typedMs = 200;

/** A search within the displayed document. */
export interface Find {
  isOpen: boolean;
  setOpen: (open: boolean) => void;
  text: string;
  setText: (text: string) => void;
  hits: readonly Hit[];
  current: Hit | undefined;
  /** The number of matches so far, as text. */
  said: string;
  step: (by: 1 | -1) => void;
}

interface Found {
  sought: string;
  /** Matches by page; null for a page that cannot be read. */
  pages: ReadonlyMap<number, readonly Hit[] | null>;
  hasText: boolean;
}

const nothing: Found = { sought: '', pages: new Map(), hasText: false };

/** Searches the pages of a document while the user types, from first to last. */
export function useFind(
  objectId: string | undefined,
  pages: number,
  page: number,
  onPage: (page: number) => void,
): Find {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>(nothing);
  const [picked, setPicked] = useState<Hit | undefined>();
  const searched = Math.min(pages, maxPages);
  const sought = isOpen ? soughtIn(text) : '';
  useEffect(() => {
    setFound({ ...nothing, sought });
    setPicked(undefined);
    if (!objectId || sought === '') return;
    const gone = new AbortController();
    const search = async (): Promise<void> => {
      let next = 1;
      const one = async (): Promise<void> => {
        for (let at = next++; at <= searched; at = next++) {
          const hits = await searchPage(objectId, at, sought, gone.signal);
          if (gone.signal.aborted) return;
          setFound((now) => ({
            sought,
            pages: new Map(now.pages).set(at, hits.hits),
            hasText: now.hasText || hits.hasText,
          }));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, one));
    };
    const timer = window.setTimeout(() => void search(), typedMs);
    return () => {
      window.clearTimeout(timer);
      gone.abort();
    };
  }, [objectId, searched, sought]);
  const hits = useMemo(
    () => [...found.pages].sort(([a], [b]) => a - b).flatMap(([, on]) => on ?? []),
    [found.pages],
  );
  const isDone = found.sought === sought && found.pages.size === searched;
  const current = picked ?? nearest(found.pages, page, searched) ?? (isDone ? hits[0] : undefined);
  // The position of the first match, once it is known.
  useEffect(() => {
    if (picked || !current) return;
    setPicked(current);
    onPage(current.page);
  }, [picked, current]);
  const step = (by: 1 | -1): void => {
    if (hits.length === 0) return;
    const at = current ? hits.indexOf(current) : -1;
    const to = hits[(at + by + hits.length) % hits.length];
    setPicked(to);
    if (to) onPage(to.page);
  };
  const said = describeMatches({ sought, hits, current, searched, pages, found, isDone });
  return { isOpen, setOpen, text, setText, hits, current, said, step };
}

async function searchPage(
  objectId: string,
  page: number,
  sought: string,
  signal: AbortSignal,
): Promise<{ hits: readonly Hit[] | null; hasText: boolean }> {
  try {
    const text = await loadText(objectId, page, signal);
    return { hits: hitsOn(text, sought), hasText: text.source !== null };
  } catch (error) {
    if (!signal.aborted && !(error instanceof ApiProblem)) throw error;
    return { hits: null, hasText: false };
  }
}

/** Returns the first match from the displayed page on, once all pages before it are searched. */
function nearest(found: Found['pages'], page: number, last: number): Hit | undefined {
  for (let at = page; at <= last; at += 1) {
    const on = found.get(at);
    if (on === undefined) return undefined;
    if (on?.[0]) return on[0];
  }
  return undefined;
}

function describeMatches(of: {
  sought: string;
  hits: readonly Hit[];
  current: Hit | undefined;
  searched: number;
  pages: number;
  found: Found;
  isDone: boolean;
}): string {
  const { sought, hits, current, searched, pages, found, isDone } = of;
  if (sought === '') return '';
  const unread = [...found.pages.values()].filter((on) => on === null).length;
  const notes: string[] = [];
  if (!isDone)
    notes.push(`searching, page ${Math.min(found.pages.size + 1, searched)} of ${searched}`);
  else if (searched < pages) notes.push(`in the first ${searched} pages`);
  if (isDone && unread > 0) notes.push(`${unread} of ${searched} pages cannot be read`);
  const at = current ? hits.indexOf(current) + 1 : 0;
  const count = at > 0 ? `${at} of ${hits.length}` : hits.length > 0 ? `${hits.length} found` : '';
  const none = isDone ? (found.hasText ? 'Not found' : 'No text yet') : '';
  return [count || none, ...notes].filter(Boolean).join(', ');
}
