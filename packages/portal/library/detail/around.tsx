import { useEffect } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { formatCount } from '../../kit/count.ts';
import { pathOfItem } from '../browse/item.ts';
import type { Results } from '../browse/results.ts';

/** The number of neighbours remembered on each side. */
const remembered = 50;

/**
 * A section of a list: the index of its first item, its items, and the length of the whole list.
 */
interface Stretch {
  first: number;
  ids: readonly string[];
  count: number;
}

/**
 * Links back to the list and to the neighbours in it; Escape returns to the previous page. The
 * neighbours are stored in the history entry, because the list is gone after a reload.
 */
export function Around({ id, results }: { id: string; results: Results }) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const query = search && `?${search}`;
  const at = results.items.indexOf(id);
  const around = at >= 0 ? stretchOf(results, at) : kept(window.history.state);
  const index = around?.ids.indexOf(id) ?? -1;
  const before = index > 0 ? around?.ids[index - 1] : undefined;
  const after = index >= 0 ? around?.ids[index + 1] : undefined;
  useEffect(() => {
    if (at < 0) return;
    results.need(Math.max(0, at - remembered), at + remembered + 1);
    window.history.replaceState({ ...window.history.state, around }, '');
  }, [id, at, around?.ids.length, around?.count]);
  useEffect(() => {
    const go = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.key === 'Escape' && !isTaken(event)) {
        // Older browsers do not have it, although its type says so.
        if ('navigation' in window && window.navigation.canGoBack) window.history.back();
        else navigate(query);
        return;
      }
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
    <nav class="detail-around row" aria-label="List navigation">
      <Link href={query}>Back to list</Link>
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

/** Whether Escape belongs to the field, menu or dialog where it was pressed. */
function isTaken({ target, defaultPrevented }: KeyboardEvent): boolean {
  const isField = target instanceof Element && target.closest('input, textarea, select, dialog');
  return defaultPrevented || Boolean(isField) || document.querySelector('dialog[open]') !== null;
}

function stretchOf({ items, count }: Results, at: number): Stretch {
  const around = items.slice(at - remembered, at + remembered + 1);
  // The loaded items next to it.
  const start = around.lastIndexOf(undefined, remembered) + 1;
  const end = around.indexOf(undefined, start);
  const part = around.slice(start, end < 0 ? undefined : end);
  return {
    first: at - remembered + start,
    ids: part.flatMap((item) => (item ? [item.id] : [])),
    count,
  };
}

/** Returns the neighbours stored in the history entry, if any. */
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
