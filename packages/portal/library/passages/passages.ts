import type { PassageRecord, PassageSearch } from '@scriptorium/contracts/wire/library/passages';
import { type QueryValue, requestFor } from '../../api/request.ts';

/** The maximum length of a query in the API. */
const maxQueryLength = 1_000;

/** Finds the passages that answer a question, in the objects that match a filter. */
export function searchPassages(question: string, limit: number, filter?: PassageSearch['filter']) {
  const query = question.slice(0, maxQueryLength);
  return requestFor('searchPassages', { body: { query, limit, ...(filter && { filter }) } });
}

/** The filters of a list of objects, in the form that the search for passages accepts. */
export function passageFilterOf(query: Record<string, QueryValue>): PassageSearch['filter'] {
  const { q: _, tag, originals, ...others } = query;
  const entries = Object.entries(others).flatMap(([name, value]) => {
    const text = [value ?? []].flat().join(',');
    return text === '' ? [] : [[name, text] as const];
  });
  return {
    ...Object.fromEntries(entries),
    ...(tag !== undefined && { tag: [tag].flat().map(String) }),
    originals: String(originals) === 'true',
  };
}

/**
 * The path of an object at the page of a passage, relative to the root of the portal. The words that
 * matched are marked there; those of the question if only its meaning matched.
 */
export function passagePath({ object_id, page, excerpt }: PassageRecord, question: string): string {
  const words = new Set(excerpt.filter(({ match }) => match).map(({ text }) => text.toLowerCase()));
  const q = words.size > 0 ? [...words].join(' ') : question;
  return `/library/objects/${object_id}?${new URLSearchParams({ q, page: String(page) })}`;
}
