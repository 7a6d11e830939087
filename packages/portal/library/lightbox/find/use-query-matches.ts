import type { PageText } from '@scriptorium/contracts/wire/library/page-text';
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem } from '../../../api/request.ts';
import { findMatches, normalizeQuery, type TextMatch } from './matches.ts';
import { loadText } from './page-texts.ts';

/** The matches on a page, and the one in the line with the most matches. */
export interface QueryMatches {
  matches: readonly TextMatch[];
  current: TextMatch | undefined;
}

const noMatches: QueryMatches = { matches: [], current: undefined };

/** Finds the words of a search of the library on a page; nothing without an object or words. */
export function useQueryMatches(
  objectId: string | undefined,
  page: number,
  query: string,
): QueryMatches {
  const [found, setFound] = useState(noMatches);
  useEffect(() => {
    setFound(noMatches);
    const terms = termsOf(query);
    if (!objectId || terms.length === 0) return;
    const controller = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const text = await loadText(objectId, page, controller.signal);
        if (!controller.signal.aborted) setFound(matchesOf(text, terms));
      } catch (error) {
        // The page is shown without marks.
        if (!controller.signal.aborted && !(error instanceof ApiProblem)) throw error;
      }
    };
    void load();
    return () => controller.abort();
  }, [objectId, page, query]);
  return found;
}

/** The words and phrases of a query, without those that are excluded. */
function termsOf(query: string): string[] {
  const terms: string[] = [];
  for (const [token, dash, phrase] of query.matchAll(/(-(?=\S))?(?:"([^"]*)"?|[^\s"]+)/g)) {
    if (dash !== undefined || token === 'OR') continue;
    const words = (phrase ?? token).replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ');
    terms.push(...(phrase === undefined ? words.split(' ') : [words]));
  }
  return [...new Set(terms.map(normalizeQuery))].filter((term) => term !== '');
}

function matchesOf(text: PageText, terms: readonly string[]): QueryMatches {
  const matches = terms.flatMap((term) => findMatches(text, term, { wordStarts: true }));
  const inLineOf = (one: TextMatch): number =>
    matches.filter((other) => isBeside(one.boxes[0], other.boxes[0])).length;
  let current: TextMatch | undefined;
  for (const match of matches) {
    if (!current || inLineOf(match) > inLineOf(current)) current = match;
  }
  return { matches, current };
}

type Box = TextMatch['boxes'][number] | undefined;

/** Whether the middle of a box is between top and bottom of another. */
function isBeside(one: Box, other: Box): boolean {
  if (!one || !other) return false;
  const middle = (other[1] + other[3]) / 2;
  return middle > one[1] && middle < one[3];
}
