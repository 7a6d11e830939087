import { lazy, Suspense } from 'preact/compat';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useRouter, useSearch } from 'wouter-preact';
import { formatCount } from '../../../kit/count.ts';
import { toast } from '../../../kit/toasts.tsx';
import type { Changes } from '../filters/filters.ts';
import { type Item, pathOfItem } from '../item.ts';
import type { Items } from '../list/items.ts';
import { useProcessing } from '../processing.ts';
import type { Results } from '../results.ts';
import { Timeline } from '../timeline.tsx';
import type { View } from '../view.ts';
import { Band, useBand } from './band.tsx';
import { useFocus } from './focus.ts';
import { type GridLayout, layoutFor, moveBy } from './grid-layout.ts';
import { type Filled, fill, justified } from './justified.ts';
import { Line, ListHead, lineColumns } from './list.tsx';
import { covered, Row, useBox, useVisibleRows } from './rows.tsx';
import { useKeptScroll } from './scroll.ts';
import type { Selection } from './selection.ts';
import { Tile } from './tile.tsx';
import { useUnpacked } from './unpack.ts';

/** Maximum number of items that a range selects at once, because all of its pages are loaded. */
const maxInRange = 10_000;

const Lightbox = lazy(() => import('../../lightbox/index.tsx'));

interface GridProps {
  results: Results;
  selection: Selection;
  selectable: boolean;
  label: string;
  view: View;
  set: (changes: Changes) => void;
}

/**
 * The results in rows of tiles, or as lines. Only visible rows are rendered. The height follows from
 * the count, so nothing moves while more results load.
 */
export function Grid(props: GridProps) {
  const { results, selection, selectable, label, view } = props;
  const isList = view.as === 'list';
  const { items, count } = results;
  const grid = useRef<HTMLDivElement>(null);
  const box = useBox(grid);
  const layout = useLayout(box, view, items, count);
  // Runs before the visible items are read: other results start at the top.
  const keepScroll = useKeptScroll(results.key, box.width > 0 && !results.stale, count);
  const { first, end, top, isFast } = useVisibleRows(grid, layout, results.key, box.width > 0);
  const [active, setActive] = useState(0);
  const [viewed, setViewed] = useState<number | null>(null);
  const { base } = useRouter();
  const search = useSearch();

  useSight(results, layout, { first, end, isFast });
  useEffect(() => setActive((now) => Math.max(0, Math.min(now, count - 1))), [count]);

  const focus = useFocus(grid, active, setActive);
  useEffect(() => setViewed(null), [results.key]);
  const { band, onPointerDown } = useBand(grid, layout, items, selectable ? selection : null);
  const { onTileCheck, onTileOpen, onKeyDown } = useTileActions(props, layout, {
    active,
    focus,
    view: setViewed,
    setActive,
    keepScroll,
  });
  const activeRow = layout.rowOf(active);
  const shown = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  // The focused row stays rendered, even if it is scrolled out of view.
  if (count > 0 && (activeRow < first || activeRow >= end)) shown.push(activeRow);
  const isSelected = (item: Item | undefined): boolean =>
    item !== undefined && selection.has(item.id);
  const isFull = useUnpacked(shown, { items, list: results.key, layout, isFast });
  return (
    <div class="browse-laid-out">
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a virtualised grid are positioned absolutely */}
      <div
        class={`browse-${view.as}`}
        role="grid"
        aria-label={label}
        aria-multiselectable={selectable || undefined}
        aria-rowcount={layout.rows + (isList ? 1 : 0)}
        aria-colcount={isList ? lineColumns : (layout.columns ?? -1)}
        aria-busy={results.loading}
      >
        {isList && <ListHead kind={results.kind} sort={results.sort} set={props.set} />}
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div
          ref={grid}
          class={`browse-grid${results.stale ? ' stale' : ''}`}
          role="rowgroup"
          style={{ height: `${layout.height}px` }}
          onPointerDown={onPointerDown}
          onKeyDown={onKeyDown}
          onFocusIn={(event) => {
            const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
            if (cell) setActive(Number(cell.dataset.index));
          }}
        >
          <Band area={band} />
          {box.width > 0 &&
            shown.map((row, slot) => (
              <Row
                // Elements of rows that are only scrolled past are reused for others.
                key={isFast && row !== activeRow && !isFull(row) ? `passing ${slot}` : row}
                layout={layout}
                row={row}
                heads={isList ? 1 : 0}
                selected={isList && isSelected(items.at(row))}
              >
                {(index, column, { left, width }) => {
                  const item = items.at(index);
                  const Cell = isList ? Line : Tile;
                  return (
                    <Cell
                      key={isFast && !isFull(row) ? column : (item?.id ?? `at ${index}`)}
                      item={item}
                      index={index}
                      column={column}
                      left={left}
                      width={width}
                      href={item ? base + pathOfItem(item) + (search && `?${search}`) : ''}
                      active={index === active}
                      passing={!isFull(row)}
                      selected={isSelected(item)}
                      selectable={selectable}
                      onCheck={onTileCheck}
                      onOpen={onTileOpen}
                      onView={setViewed}
                    />
                  );
                }}
              </Row>
            ))}
        </div>
      </div>
      <Timeline
        results={results}
        at={layout.firstOf(top + 1) - 1}
        goTo={(index) => {
          const row = layout.rowOf(index);
          const start = grid.current!.getBoundingClientRect().top + window.scrollY;
          window.scrollTo(0, start + layout.topOf(row) - covered);
        }}
      />
      {viewed !== null && (
        <Suspense fallback={null}>
          <Lightbox
            results={results}
            index={viewed}
            onIndex={setViewed}
            onClose={() => {
              setViewed(null);
              focus(viewed);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Loads the visible items and those around them, and polls those that are being processed. */
function useSight(
  results: Results,
  layout: GridLayout,
  { first, end, isFast }: { first: number; end: number; isFast: boolean },
): void {
  // Rows that are scrolled past too fast to be seen are not loaded.
  const [from, to] = [layout.firstOf(Math.max(0, first - 4)), layout.firstOf(end + 8)];
  useEffect(() => {
    if (!isFast && !results.stale && to > from) results.need(from, to);
  }, [isFast, results.stale, from, to, results.need]);
  const inSight = isFast ? [] : results.items.slice(layout.firstOf(first), layout.firstOf(end));
  useProcessing(
    inSight.filter((item) => item !== undefined),
    results,
  );
}

/** The layout of the view; a new one only if something moves. */
function useLayout(
  { width, rem }: { width: number; rem: number },
  { as, density }: View,
  items: Items,
  count: number,
): GridLayout {
  const filled = useRef<Filled | null>(null);
  const pictures = as === 'justified' ? items : null;
  return useMemo(() => {
    if (!pictures) return layoutFor(width, rem, { as, density }, count);
    filled.current = fill(filled.current, pictures, count, width, rem, density);
    return justified(filled.current);
  }, [width, rem, as, density, pictures, count]);
}

/** Selecting, opening and moving between tiles, by mouse and keyboard. */
function useTileActions(
  { results, selection, selectable }: GridProps,
  layout: GridLayout,
  position: {
    active: number;
    setActive: (index: number) => void;
    /** Makes a tile active and moves focus to it. */
    focus: (index: number) => void;
    /** Shows an item in full size. */
    view: (index: number) => void;
    keepScroll: () => void;
  },
) {
  const { items, count } = results;
  const { active, setActive, focus, keepScroll } = position;
  /** The start of a range selection. */
  const anchor = useRef(0);
  const [, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    anchor.current = 0;
  }, [results.key]);
  const addBetween = (one: number, other: number): void => {
    const [from, to] = [Math.min(one, other), Math.max(one, other) + 1];
    // Other results have different items there.
    if (results.stale) return;
    if (to - from > maxInRange) {
      toast('bad', `Select at most ${formatCount(maxInRange)} items at once, or select all.`);
      return;
    }
    const loaded = items.slice(from, to);
    if (!loaded.includes(undefined)) selection.add(loaded.filter((item) => item !== undefined));
    else selection.addLater(results.range(from, to));
  };
  const check = (index: number, extend: boolean): void => {
    const item = items.at(index);
    if (!item) return;
    if (extend) addBetween(anchor.current, index);
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
    navigate(pathOfItem(item) + (search && `?${search}`));
  };
  const onOpen = (index: number, event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.button !== 0) return;
    event.preventDefault();
    if (selectable && (event.shiftKey || !selection.isEmpty)) check(index, event.shiftKey);
    else open(index);
  };
  // Stable callbacks, so that only tiles that change are rendered again.
  const latest = useRef({ check, onOpen });
  latest.current = { check, onOpen };
  const onTileCheck = useCallback(
    (index: number, extend: boolean) => latest.current.check(index, extend),
    [],
  );
  const onTileOpen = useCallback(
    (index: number, event: MouseEvent) => latest.current.onOpen(index, event),
    [],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    // The browser clicks the box.
    if (event.key === ' ' && event.target instanceof HTMLInputElement) return;
    const rowHeight = layout.heightOf(layout.rowOf(active)) + layout.gap;
    const rowsAPage = Math.max(1, Math.floor(window.innerHeight / rowHeight) - 1);
    const to = moveBy(event.key, active, count, layout, rowsAPage);
    if (to !== undefined) {
      if (selectable && event.shiftKey) addBetween(anchor.current, to);
      else anchor.current = to;
      focus(to);
    } else if (event.key === 'v' && !event.ctrlKey && !event.metaKey && items.at(active)) {
      position.view(active);
    } else if (event.key === ' ' && selectable) check(active, false);
    else if (event.key === 'Enter') open(active);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selectable) {
      selection.add(items.loaded);
    } else if (event.key === 'Escape' && !selection.isEmpty) selection.clear();
    else return;
    event.preventDefault();
  };

  return { onTileCheck, onTileOpen, onKeyDown };
}
