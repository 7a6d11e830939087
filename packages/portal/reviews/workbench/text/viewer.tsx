import type { FindingRecord, ReviewPageRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ProblemState } from '../../../kit/states.tsx';
import { shownFindings } from '../../finding-text.ts';
import type { FindingFocus } from '../finding-focus.ts';
import { type Block, blockContaining, blockIndexAt, blocksOf, keyOf } from './blocks.ts';
import { Lines } from './lines.tsx';
import { selectedRangeIn, type TextRange } from './selection.ts';
import { usePieces } from './use-pieces.ts';
import { useWordKeys } from './use-word-keys.ts';

/** The position to scroll the viewer to; a new object for each request. */
export interface TextScrollTarget {
  page: number;
  /** The character to show; by default, the top of the page. */
  at?: number | undefined;
}

/** The distance outside the frame within which text is rendered, in pixels. */
const preloadMargin = 600;

/** The text of a file, in pieces. Only pieces near the visible text are loaded and rendered. */
export function TextViewer(props: {
  reviewId: string;
  pages: readonly ReviewPageRecord[];
  /** The findings to show, by page; those that are not on a page are listed as page 0. */
  findings: ReadonlyMap<number, readonly FindingRecord[]>;
  findingFocus: FindingFocus;
  /** Whether only what will be removed is marked, and covered. */
  isPreview: boolean;
  /** In percent. */
  zoom: number;
  scrollTarget: TextScrollTarget | undefined;
  onPage: (page: number) => void;
  /** Called with the text that the pointer has selected. */
  onSelect: (range: TextRange | undefined) => void;
  /** Whether the keyboard selects words; Enter then calls `onAdd`. */
  hasWordKeys: boolean;
  onAdd: (range: TextRange) => void;
}) {
  const { reviewId, pages, findings, findingFocus, zoom, scrollTarget, onPage, onSelect } = props;
  const frame = useRef<HTMLElement>(null);
  const [viewport, setViewport] = useState({ top: 0, height: 600 });
  const measuredHeights = useRef(new Map<string, number>());
  const [layoutVersion, setLayoutVersion] = useState(0);
  const { blocks, height } = useMemo(
    () => blocksOf(pages, measuredHeights.current),
    [pages, layoutVersion],
  );
  const first = blockIndexAt(blocks, viewport.top - preloadMargin);
  const last = blockIndexAt(blocks, viewport.top + viewport.height + preloadMargin);
  const visibleBlocks = blocks.slice(first, last + 1);
  const { textOf, problem, retry } = usePieces(reviewId, visibleBlocks);
  const anchor = blocks[blockIndexAt(blocks, viewport.top)];
  const selectedWords = useWordKeys(props.hasWordKeys, anchor, textOf, props.onAdd);

  const updateViewport = (): void => {
    const { scrollTop: top, clientHeight } = frame.current!;
    setViewport({ top, height: clientHeight });
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      measuredHeights.current.clear();
      setLayoutVersion((now) => now + 1);
      updateViewport();
    });
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => measuredHeights.current.clear(), [zoom]);
  useMeasureBlocks(frame, visibleBlocks, measuredHeights.current, anchor, () =>
    setLayoutVersion((now) => now + 1),
  );
  useLayoutEffect(() => {
    const block = scrollTarget && targetBlockOf(blocks, scrollTarget);
    if (block) frame.current!.scrollTop = Math.max(0, block.top - 8);
  }, [scrollTarget, blocks.length > 0]);
  const targetBlock =
    scrollTarget?.at === undefined
      ? undefined
      : blockContaining(blocks, scrollTarget.page, scrollTarget.at);
  const isTargetRendered = targetBlock !== undefined && textOf(targetBlock) !== undefined;
  useLayoutEffect(() => {
    if (isTargetRendered) scrollToCharacter(frame.current!, scrollTarget!.page, scrollTarget!.at!);
    // Also runs once the text has been loaded and measured.
  }, [scrollTarget, isTargetRendered, layoutVersion]);
  const page = anchor?.page;
  useEffect(() => {
    if (page !== undefined) onPage(page);
  }, [page]);
  useEffect(() => {
    const reportSelection = (): void =>
      onSelect(frame.current ? selectedRangeIn(frame.current) : undefined);
    document.addEventListener('selectionchange', reportSelection);
    return () => document.removeEventListener('selectionchange', reportSelection);
  }, []);
  const findingAt = ({ target }: Event): string | undefined =>
    (target instanceof Element && target.closest('[data-finding]')?.getAttribute('data-finding')) ||
    undefined;
  return (
    <>
      {problem && <ProblemState problem={problem} onRetry={retry} />}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: J and K select findings by keyboard. */}
      <section
        ref={frame}
        class="bench-frame bench-text"
        aria-label="Document"
        tabIndex={0}
        style={{ fontSize: `${zoom / 100}rem` }}
        onScroll={updateViewport}
        onClick={(event) => {
          if (window.getSelection()?.isCollapsed !== false)
            findingFocus.select(findingAt(event), 'page');
        }}
        onPointerOver={(event) => findingFocus.hover(findingAt(event))}
        onPointerOut={() => findingFocus.hover(undefined)}
      >
        <div class="text-all" style={{ height: `${height}px` }}>
          {visibleBlocks.map((block) => {
            const piece = textOf(block);
            return (
              <div
                key={keyOf(block)}
                class="text-block"
                data-page={block.page}
                data-piece={block.piece}
                style={{ top: `${block.top}px`, ...(piece ? {} : { height: `${block.height}px` }) }}
                aria-busy={!piece}
              >
                {block.piece === 0 && (pages.length > 1 || block.page === 0) && (
                  <h3 class="text-head">{pageTitle(block.page, piece?.name ?? null)}</h3>
                )}
                {piece && (
                  <Lines
                    piece={piece}
                    findings={shownFindings(findings.get(block.page), props.isPreview)}
                    highlights={{
                      isPreview: props.isPreview,
                      current: findingFocus.current,
                      hovered: findingFocus.hovered,
                      selectedWords: selectedWords?.page === block.page ? selectedWords : undefined,
                    }}
                  />
                )}
              </div>
            );
          })}
        </div>
      </section>
    </>
  );
}

function pageTitle(page: number, name: string | null): string {
  if (page === 0) return 'Not visible to readers: link targets, attributes, names';
  return name ?? `Page ${page}`;
}

const targetBlockOf = (
  blocks: readonly Block[],
  { page, at }: TextScrollTarget,
): Block | undefined =>
  at === undefined ? blocks.find((one) => one.page === page) : blockContaining(blocks, page, at);

/** Scrolls to a character, unless it is visible. */
function scrollToCharacter(frame: HTMLElement, page: number, at: number): void {
  const textElements = [...frame.querySelectorAll(`[data-page="${page}"] [data-start]`)];
  const element = textElements.findLast((one) => Number(one.getAttribute('data-start')) <= at);
  if (!element) return;
  const [elementBox, frameBox] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
  const y = elementBox.top - frameBox.top;
  if (y < 20 || elementBox.bottom > frameBox.bottom - 20)
    frame.scrollTop += y - frame.clientHeight * 0.4;
  const x = elementBox.left - frameBox.left;
  if (x < 0 || elementBox.right > frameBox.right) frame.scrollLeft += x - frame.clientWidth / 3;
}

/** Measures the rendered pieces, and keeps the text at the top of the frame in place. */
function useMeasureBlocks(
  frame: { current: HTMLElement | null },
  visibleBlocks: readonly Block[],
  measuredHeights: Map<string, number>,
  anchor: Block | undefined,
  onChange: () => void,
): void {
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    let shift = 0;
    let hasChanged = false;
    for (const block of visibleBlocks) {
      const blockElement = element.querySelector<HTMLElement>(
        `[data-page="${block.page}"][data-piece="${block.piece}"]`,
      );
      if (!blockElement || blockElement.ariaBusy === 'true') continue;
      const height = blockElement.getBoundingClientRect().height;
      if (height === 0 || Math.abs(height - block.height) < 0.5) continue;
      measuredHeights.set(keyOf(block), height);
      hasChanged = true;
      if (anchor && block.top < anchor.top) shift += height - block.height;
    }
    if (!hasChanged) return;
    if (shift !== 0) element.scrollTop += shift;
    onChange();
  });
}
