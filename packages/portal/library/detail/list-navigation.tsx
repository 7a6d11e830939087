import { useEffect } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { formatCount } from '../../kit/format-count.ts';
import { pathOfItem } from '../browse/item.ts';
import { neighbourCount, sectionOf, storedSection } from '../browse/list/section.ts';
import type { Results } from '../browse/results.ts';
import { previousScreen } from './previous-screen.ts';

/**
 * Links back to the previous screen and to the neighbours in its list; Escape returns as well. The
 * neighbours are stored in the history entry, because the list is gone after a reload. A list may
 * contain the item as an image or as an object, so `ids` has both.
 */
export function ListNavigation({ ids, results }: { ids: readonly string[]; results: Results }) {
  const address = new URLSearchParams(useSearch());
  // The page on which the current item was found.
  address.delete('page');
  const [, navigate] = useLocation();
  const query = address.size > 0 ? `?${address}` : '';
  const at = Math.max(...ids.map((id) => results.items.indexOf(id)));
  const around = at >= 0 ? sectionOf(results, at) : storedSection(window.history.state);
  const index = around?.ids.findIndex((id) => ids.includes(id)) ?? -1;
  const previousId = index > 0 ? around?.ids[index - 1] : undefined;
  const nextId = index >= 0 ? around?.ids[index + 1] : undefined;
  const previous = previousScreen();
  useEffect(() => {
    if (at < 0) return;
    results.load(Math.max(0, at - neighbourCount), at + neighbourCount + 1);
    window.history.replaceState({ ...window.history.state, around }, '');
  }, [ids.join(), at, around?.ids.length, around?.count]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.key === 'Escape' && !isHandledElsewhere(event)) {
        if (previous) window.history.back();
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
  }, [previousId, nextId, query, previous === null]);
  return (
    <nav class="detail-around row" aria-label="List navigation">
      {previous ? (
        <a
          href={previous.url}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            // Unlike a new entry, the previous one has its position.
            event.preventDefault();
            window.history.back();
          }}
        >
          {previous.title === null ? 'Back' : `Back to ${previous.title}`}
        </a>
      ) : (
        <Link href={query}>Back to Browse</Link>
      )}
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

function pathOf(id: string): string {
  return pathOfItem({ id, kind: id.startsWith('img_') ? 'image' : 'object' });
}
