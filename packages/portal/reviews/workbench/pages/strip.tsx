import type { ReviewPageRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useRef } from 'preact/hooks';

/** The page numbers in a row, with pages that have pending findings marked. Arrow keys move between pages. */
export function PageStrip(props: {
  pages: readonly ReviewPageRecord[];
  /** The number of pending findings on a page. */
  pendingCount: (page: number) => number;
  current: number | undefined;
  onSelect: (page: number) => void;
}) {
  const { pages, pendingCount, current, onSelect } = props;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = row.current;
    const button = element?.querySelector<HTMLElement>(`[data-go="${current}"]`);
    if (!element || !button) return;
    const { offsetLeft, offsetWidth } = button;
    const isVisible =
      offsetLeft >= element.scrollLeft &&
      offsetLeft + offsetWidth <= element.scrollLeft + element.clientWidth;
    if (!isVisible) element.scrollLeft = offsetLeft - element.clientWidth / 2;
  }, [current]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const at = pages.findIndex(({ page }) => page === current);
    const next = pages[at + direction];
    if (!next) return;
    onSelect(next.page);
    row.current?.querySelector<HTMLElement>(`[data-go="${next.page}"]`)?.focus();
  };
  return (
    <div class="bench-strip" role="toolbar" aria-label="Pages" ref={row} onKeyDown={onKeyDown}>
      {pages.map(({ page }) => {
        const pending = pendingCount(page);
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
            onClick={() => onSelect(page)}
          >
            {page}
          </button>
        );
      })}
    </div>
  );
}
