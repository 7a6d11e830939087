import type { Results } from '../results.ts';

/** Maximum number of neighbours on each side. */
export const neighbourCount = 50;

/**
 * A section of a list: the index of its first item, the ids of its items, and the length of the
 * list.
 */
export interface ListSection {
  first: number;
  ids: readonly string[];
  count: number;
}

/** Returns the loaded items around one of them. */
export function sectionOf(
  { items, count }: Pick<Results, 'items' | 'count'>,
  at: number,
): ListSection {
  const nearby = items.slice(at - neighbourCount, at + neighbourCount + 1);
  // Keeps the loaded items that are contiguous with the current one.
  const start = nearby.lastIndexOf(undefined, neighbourCount) + 1;
  const end = nearby.indexOf(undefined, start);
  const loadedItems = nearby.slice(start, end < 0 ? undefined : end);
  return {
    first: at - neighbourCount + start,
    ids: loadedItems.flatMap((item) => (item ? [item.id] : [])),
    count,
  };
}

/** Returns the section stored in a history entry, if any. */
export function storedSection(state: unknown): ListSection | null {
  if (typeof state !== 'object' || state === null || !('around' in state)) return null;
  const { around } = state;
  if (typeof around !== 'object' || around === null) return null;
  if (!('first' in around) || !('ids' in around) || !('count' in around)) return null;
  const { first, ids, count } = around;
  if (typeof first !== 'number' || typeof count !== 'number' || !Array.isArray(ids)) return null;
  return { first, count, ids: ids.filter((id) => typeof id === 'string') };
}
