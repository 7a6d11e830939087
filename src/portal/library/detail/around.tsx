import { useEffect } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { formatCount } from '../../kit/values.tsx';
import { type Item, pathOfItem } from '../browse/item.ts';
import type { Results } from '../browse/results.ts';

/** So many on each side are remembered. */
const remembered = 50;

/** A part of a list: where it begins in it, what stands there, and how long the whole list is. */
interface Stretch {
  first: number;
  ids: readonly string[];
  count: number;
}

/**
 * Back to the list, and on to what stands beside it there. What that is stays in the entry of the
 * history: after a reload the list itself is no longer there.
 */
export function Around({ id, results }: { id: string; results: Results }) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const query = search && `?${search}`;
  const at = results.items.findIndex((item) => item.id === id);
  const around = at >= 0 ? stretchOf(results, at) : kept(window.history.state);
  const index = around?.ids.indexOf(id) ?? -1;
  const before = index > 0 ? around?.ids[index - 1] : undefined;
  const after = index >= 0 ? around?.ids[index + 1] : undefined;
  useEffect(() => {
    if (at < 0) return;
    results.need(at + 10);
    window.history.replaceState({ ...window.history.state, around }, '');
  }, [id, at, around?.ids.length, around?.count]);
  useEffect(() => {
    const go = (event: KeyboardEvent): void => {
      const { target } = event;
      const isElsewhere =
        target instanceof HTMLElement && !target.matches('body, main, .detail-around a');
      if (isElsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
      const to = { ArrowLeft: before, ArrowRight: after }[event.key];
      if (to) navigate(pathOf(to) + query, { replace: true, state: { around } });
    };
    window.addEventListener('keydown', go);
    return () => window.removeEventListener('keydown', go);
  }, [before, after, query]);
  return (
    <nav class="detail-around row" aria-label="In the list">
      <Link href={query}>Back to the list</Link>
      {before && (
        <Link href={pathOf(before) + query} replace state={{ around }}>
          Previous
        </Link>
      )}
      {after && (
        <Link href={pathOf(after) + query} replace state={{ around }}>
          Next
        </Link>
      )}
      {around && index >= 0 && (
        <span class="soft">
          {formatCount(around.first + index + 1)} of {formatCount(around.count)}
        </span>
      )}
    </nav>
  );
}

function stretchOf({ items, count }: Results, at: number): Stretch {
  const first = Math.max(0, at - remembered);
  const part: readonly Item[] = items.slice(first, at + remembered + 1);
  return { first, ids: part.map(({ id }) => id), count };
}

/** What the entry of the history remembers, if it does. */
function kept(state: unknown): Stretch | null {
  if (typeof state !== 'object' || state === null || !('around' in state)) return null;
  const { around } = state;
  if (typeof around !== 'object' || around === null) return null;
  if (!('first' in around) || !('ids' in around) || !('count' in around)) return null;
  const { first, ids, count } = around;
  if (typeof first !== 'number' || typeof count !== 'number' || !Array.isArray(ids)) return null;
  return { first, count, ids: ids.filter((id) => typeof id === 'string') };
}

function pathOf(id: string): string {
  return pathOfItem({ id, kind: id.startsWith('img_') ? 'image' : 'object' });
}
