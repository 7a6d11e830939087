import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Dialog } from '../../../kit/dialog.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import { lazyComponent } from '../../../kit/lazy-component.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { type Item, pathInList } from '../item.ts';
import type { Items } from '../list/items.ts';
import { sectionOf } from '../list/section.ts';
import { useProcessing } from '../processing.ts';
import type { Results } from '../results.ts';
import { Timeline } from '../timeline.tsx';
import type { View } from '../view.ts';
import { useFocus } from './focus.ts';
import { useFullRows } from './full-rows.ts';
import { type GridLayout, indexAfterKey, layoutFor } from './grid-layout.ts';
import { type JustifiedBlocks, justifiedLayout, layOutBlocks } from './justified.ts';
import { ListCells, ListHead, listColumnCount } from './list.tsx';
import { Marquee, useMarquee } from './marquee.tsx';
import { headerHeight, Row, useGridSize, useVisibleRows } from './rows.tsx';
import { useScrollRestoration } from './scroll-restoration.ts';
import type { Selection } from './selection.ts';
import { Tile } from './tile.tsx';
import { useReorder } from './use-reorder.ts';
import { useViewed } from './use-viewed.ts';

/** Maximum number of items that a range selects at once, because all of its pages are loaded. */
const maxInRange = 10_000;

const Lightbox = lazyComponent(() => import('../../lightbox/index.tsx'), {
  frame: (error, { onClose }) => (
    <Dialog title="Image" onClose={onClose}>
      {error}
    </Dialog>
  ),
});

interface GridProps {
  results: Results;
  selection: Selection;
  selectable: boolean;
  label: string;
  view: View;
  /** The query of the addresses of the items' pages, which is that of the list in Browse. */
  query?: string;
  onSort?: (sort: string) => void;
  /**
   * Moves an item within the list; false if it cannot be moved there. Without it, the order cannot
   * be changed.
   */
  onMove?: ((from: number, to: number) => boolean) | undefined;
}

/**
 * The results in rows of tiles, or as lines. Only visible rows are rendered. The height follows from
 * the count, so nothing moves while more results load.
 */
export function Grid(props: GridProps) {
  const { results, selection, selectable, label, view, query = '' } = props;
  const isList = view.layout === 'list';
  const { items, count } = results;
  const grid = useRef<HTMLDivElement>(null);
  const size = useGridSize(grid);
  const layout = useLayout(size, view, items, count);
  // Must run before `useVisibleRows`, because new results start at the top.
  const keepScroll = useScrollRestoration(results.key, size.width > 0 && !results.stale, count);
  const { first, end, top, isFast } = useVisibleRows(grid, layout, results.key, size.width > 0);
  const [activeIndex, setActiveIndex] = useState(0);
  const [announcement, announce] = useState('');

  useVisibleItems(results, layout, { first, end, isFast });
  useEffect(() => setActiveIndex((now) => Math.max(0, Math.min(now, count - 1))), [count]);

  const focus = useFocus(grid, activeIndex, setActiveIndex);
  const viewed = useViewed(focus);
  const { marquee, onPointerDown } = useMarquee(grid, layout, items, selectable ? selection : null);
  const moveItem = (from: number, to: number): void => {
    const item = items.at(from);
    if (!item || from === to || !props.onMove?.(from, to)) return;
    focus(to);
    announce(`${item.name}: position ${formatCount(to + 1)} of ${formatCount(count)}.`);
  };
  const reorder = useReorder(moveItem, isList);
  const { onTileCheck, onTileOpen, onTileView, onKeyDown } = useTileActions(props, layout, {
    active: activeIndex,
    focus,
    openLightbox: viewed.open,
    moveTo: moveItem,
    setActive: setActiveIndex,
    keepScroll,
  });
  const activeRow = layout.rowOf(activeIndex);
  const renderedRows = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  // The focused row stays rendered, even if it is scrolled out of view.
  if (count > 0 && (activeRow < first || activeRow >= end)) renderedRows.push(activeRow);
  const isSelected = (item: Item | undefined): boolean =>
    item !== undefined && selection.has(item.id);
  const isFull = useFullRows(renderedRows, { items, listKey: results.key, layout, isFast });
  return (
    <div class="browse-laid-out">
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a virtualised grid are positioned absolutely */}
      <div
        class={`browse-${view.layout}`}
        role="grid"
        aria-label={label}
        aria-multiselectable={selectable || undefined}
        aria-rowcount={layout.rows + (isList ? 1 : 0)}
        aria-colcount={isList ? listColumnCount : (layout.columns ?? -1)}
        aria-busy={results.loading}
      >
        {isList && <ListHead sorts={results.sorts} sort={results.sort} onSort={props.onSort} />}
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div
          ref={grid}
          class={`browse-grid${results.stale ? ' stale' : ''}`}
          role="rowgroup"
          style={{ height: `${layout.height}px` }}
          onPointerDown={onPointerDown}
          onKeyDown={onKeyDown}
          {...(props.onMove ? reorder.handlers : {})}
          onFocusIn={(event) => {
            const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
            if (cell) setActiveIndex(Number(cell.dataset.index));
          }}
        >
          <Marquee area={marquee} />
          {size.width > 0 &&
            renderedRows.map((row, slot) => (
              <Row
                // Elements of rows that are only scrolled past are reused for others.
                key={isFast && row !== activeRow && !isFull(row) ? `passing ${slot}` : row}
                layout={layout}
                row={row}
                headerRows={isList ? 1 : 0}
                selected={isList && isSelected(items.at(row))}
              >
                {(index, column, { left, width }) => {
                  const item = items.at(index);
                  const Cell = isList ? ListCells : Tile;
                  return (
                    <Cell
                      key={isFast && !isFull(row) ? column : (item?.id ?? `at ${index}`)}
                      item={item}
                      index={index}
                      column={column}
                      left={left}
                      width={width}
                      href={item ? `/portal/library${pathInList(item, query)}` : ''}
                      active={index === activeIndex}
                      nameOnly={!isFull(row)}
                      selected={isSelected(item)}
                      selectable={selectable}
                      onCheck={onTileCheck}
                      onOpen={onTileOpen}
                      onView={onTileView}
                      movable={props.onMove !== undefined}
                      dropSide={reorder.dropSideOf(index)}
                    />
                  );
                }}
              </Row>
            ))}
        </div>
      </div>
      <Timeline
        results={results}
        firstVisibleIndex={layout.firstTileOf(top + 1) - 1}
        goTo={(index) => {
          const row = layout.rowOf(index);
          const start = grid.current!.getBoundingClientRect().top + window.scrollY;
          window.scrollTo(0, start + layout.topOf(row) - headerHeight);
        }}
      />
      {viewed.index !== null && (
        <Lightbox
          results={results}
          index={viewed.index}
          query={query}
          onIndex={viewed.move}
          onClose={viewed.close}
        />
      )}
      {props.onMove && (
        <p class="visually-hidden" role="status">
          {announcement}
        </p>
      )}
    </div>
  );
}

/** Loads the visible items and those around them, and polls those that are being processed. */
function useVisibleItems(
  results: Results,
  layout: GridLayout,
  { first, end, isFast }: { first: number; end: number; isFast: boolean },
): void {
  // Rows that are scrolled past too fast to see are not loaded.
  const [from, to] = [layout.firstTileOf(Math.max(0, first - 4)), layout.firstTileOf(end + 8)];
  useEffect(() => {
    if (!isFast && !results.stale && to > from) results.load(from, to);
  }, [isFast, results.stale, from, to, results.load]);
  const visible = isFast
    ? []
    : results.items.slice(layout.firstTileOf(first), layout.firstTileOf(end));
  useProcessing(
    visible.filter((item) => item !== undefined),
    results,
  );
}

/** Returns the layout of the view; the same object until something moves. */
function useLayout(
  { width, rem }: { width: number; rem: number },
  { layout, density }: View,
  items: Items,
  count: number,
): GridLayout {
  const blocks = useRef<JustifiedBlocks | null>(null);
  const pictures = layout === 'justified' ? items : null;
  return useMemo(() => {
    if (!pictures) return layoutFor(width, rem, { layout, density }, count);
    blocks.current = layOutBlocks(blocks.current, pictures, count, width, rem, density);
    return justifiedLayout(blocks.current);
  }, [width, rem, layout, density, pictures, count]);
}

/** Handles selecting, opening and moving between tiles, by mouse and keyboard. */
function useTileActions(
  { results, selection, selectable, query = '' }: GridProps,
  layout: GridLayout,
  position: {
    active: number;
    setActive: (index: number) => void;
    /** Makes a tile active and moves focus to it. */
    focus: (index: number) => void;
    /** Shows an item in full size. */
    openLightbox: (index: number) => void;
    keepScroll: () => void;
    /** Moves an item within the list. */
    moveTo: (from: number, to: number) => void;
  },
) {
  const { items, count } = results;
  const { active, setActive, focus, keepScroll } = position;
  /** The start of a range selection. */
  const anchor = useRef(0);
  const [, navigate] = useLocation();
  useEffect(() => {
    anchor.current = 0;
  }, [results.key]);
  const addRange = (start: number, end: number): void => {
    const [from, to] = [Math.min(start, end), Math.max(start, end) + 1];
    // While results are stale, these indexes refer to other items in the new results.
    if (results.stale) return;
    if (to - from > maxInRange) {
      toast('bad', `Select at most ${formatCount(maxInRange)} items at once, or select all.`);
      return;
    }
    const loaded = items.slice(from, to);
    if (!loaded.includes(undefined)) selection.add(loaded.filter((item) => item !== undefined));
    else selection.addWhenLoaded(results.loadRange(from, to));
  };
  const toggle = (index: number, extend: boolean): void => {
    const item = items.at(index);
    if (!item) return;
    if (extend) addRange(anchor.current, index);
    else {
      selection.toggle(item, items.loaded);
      anchor.current = index;
    }
    setActive(index);
  };
  const open = (index: number): void => {
    const item = items.at(index);
    if (!item) return;
    keepScroll();
    navigate(`~/portal/library${pathInList(item, query)}`, {
      state: { around: sectionOf(results, index) },
    });
  };
  const onOpen = (index: number, event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.button !== 0) return;
    event.preventDefault();
    if (selectable && (event.shiftKey || !selection.isEmpty)) toggle(index, event.shiftKey);
    else open(index);
  };
  // Stable callbacks, so that only tiles that change are rendered again.
  const latest = useRef({ check: toggle, onOpen, view: position.openLightbox });
  latest.current = { check: toggle, onOpen, view: position.openLightbox };
  const onTileCheck = useCallback(
    (index: number, extend: boolean) => latest.current.check(index, extend),
    [],
  );
  const onTileOpen = useCallback(
    (index: number, event: MouseEvent) => latest.current.onOpen(index, event),
    [],
  );
  const onTileView = useCallback((index: number) => latest.current.view(index), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    // The browser toggles the checkbox.
    if (event.key === ' ' && event.target instanceof HTMLInputElement) return;
    const rowHeight = layout.heightOf(layout.rowOf(active)) + layout.gap;
    const rowsPerPage = Math.max(1, Math.floor(window.innerHeight / rowHeight) - 1);
    const to = indexAfterKey(event.key, active, count, layout, rowsPerPage);
    if (to !== undefined && event.altKey) position.moveTo(active, to);
    else if (to !== undefined) {
      if (selectable && event.shiftKey) addRange(anchor.current, to);
      else anchor.current = to;
      focus(to);
    } else if (event.key === 'v' && !event.ctrlKey && !event.metaKey && items.at(active)) {
      position.openLightbox(active);
    } else if (event.key === ' ' && selectable) toggle(active, false);
    else if (event.key === 'Enter') open(active);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selectable) {
      selection.add(items.loaded);
    } else if (event.key === 'Escape' && !selection.isEmpty) selection.clear();
    else return;
    event.preventDefault();
  };

  return { onTileCheck, onTileOpen, onTileView, onKeyDown };
}
