import { useEffect } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { formatCount } from '../../kit/format-count.ts';
import { pathOfItem } from '../browse/item.ts';
import type { Results } from '../browse/results.ts';

/** Maximum number of neighbours stored on each side. */
const neighbourCount = 50;

/**
 * A section of a list: the index of its first item, the ids of its items, and the length of the
 * list.
 */
interface ListSection {
  first: number;
  ids: readonly string[];
  count: number;
}

/**
 * Links back to the list and to the neighbours in it; Escape returns to the previous page. The
 * neighbours are stored in the history entry, because the list is gone after a reload.
 */
export function ListNavigation({ id, results }: { id: string; results: Results }) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const query = search && `?${search}`;
  const at = results.items.indexOf(id);
  const around = at >= 0 ? sectionOf(results, at) : storedSection(window.history.state);
  const index = around?.ids.indexOf(id) ?? -1;
  const previousId = index > 0 ? around?.ids[index - 1] : undefined;
  const nextId = index >= 0 ? around?.ids[index + 1] : undefined;
  useEffect(() => {
    if (at < 0) return;
    results.load(Math.max(0, at - neighbourCount), at + neighbourCount + 1);
    window.history.replaceState({ ...window.history.state, around }, '');
  }, [id, at, around?.ids.length, around?.count]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.key === 'Escape' && !isHandledElsewhere(event)) {
        // Older browsers lack `navigation`, although its type says otherwise.
        if ('navigation' in window && window.navigation.canGoBack) window.history.back();
        else navigate(query);
        return;
      }
      const isElsewhere =
        target instanceof HTMLElement && !target.matches('body, main, .detail-around a');
      if (isElsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
      const targetId = { ArrowLeft: previousId, ArrowRight: nextId }[event.key];
      if (targetId) navigate(pathOf(targetId) + query, { replace: true, state: { around } });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [previousId, nextId, query]);
  return (
    <nav class="detail-around row" aria-label="List navigation">
      <Link href={query}>Back to list</Link>
      {previousId && (
        <Link href={pathOf(previousId) + query} replace state={{ around }}>
          Previous
        </Link>
      )}
      {nextId && (
        <Link href={pathOf(nextId) + query} replace state={{ around }}>
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

/** Whether the field, menu or dialog where Escape was pressed handles it. */
function isHandledElsewhere({ target, defaultPrevented }: KeyboardEvent): boolean {
  const isField = target instanceof Element && target.closest('input, textarea, select, dialog');
  return defaultPrevented || Boolean(isField) || document.querySelector('dialog[open]') !== null;
}

function sectionOf({ items, count }: Results, at: number): ListSection {
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

/** Returns the neighbours stored in the history entry, if any. */
function storedSection(state: unknown): ListSection | null {
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
