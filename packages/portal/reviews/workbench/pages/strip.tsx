import type { ReviewPageRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useRef } from 'preact/hooks';

/** The pages in a row; those with pending findings are marked. Arrow keys move between them. */
export function PageStrip(props: {
  pages: readonly ReviewPageRecord[];
  /** The number of pending findings on a page. */
  pendingOn: (page: number) => number;
  current: number | undefined;
  onGo: (page: number) => void;
}) {
  const { pages, pendingOn, current, onGo } = props;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = row.current;
    const button = element?.querySelector<HTMLElement>(`[data-go="${current}"]`);
    if (!element || !button) return;
    const { offsetLeft, offsetWidth } = button;
    const isSeen =
      offsetLeft >= element.scrollLeft &&
      offsetLeft + offsetWidth <= element.scrollLeft + element.clientWidth;
    if (!isSeen) element.scrollLeft = offsetLeft - element.clientWidth / 2;
  }, [current]);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = pages.findIndex(({ page }) => page === current);
    const next = pages[at + by];
    if (!next) return;
    onGo(next.page);
    row.current?.querySelector<HTMLElement>(`[data-go="${next.page}"]`)?.focus();
  };
  return (
    <div class="bench-strip" role="toolbar" aria-label="Pages" ref={row} onKeyDown={step}>
      {pages.map(({ page }) => {
        const pending = pendingOn(page);
        return (
          <button
            key={page}
            type="button"
            data-go={page}
            class={pending > 0 ? 'open' : ''}
            tabIndex={page === (current ?? pages[0]?.page) ? 0 : -1}
            aria-current={page === current ? 'page' : undefined}
            aria-label={`Page ${page}${pending > 0 ? `, ${pending} pending` : ''}`}
            title={pending > 0 ? `${pending} pending` : undefined}
            onClick={() => onGo(page)}
          >
            {page}
          </button>
        );
      })}
    </div>
  );
}
