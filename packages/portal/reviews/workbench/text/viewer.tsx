import type { FindingRecord, ReviewPageRecord } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ProblemState } from '../../../kit/states.tsx';
import type { Pointing } from '../pointing.ts';
import { type Block, blockAt, blocksOf, blockWith, keyOf } from './blocks.ts';
import { Lines } from './lines.tsx';
import { type Selected, selectedIn } from './selection.ts';
import { usePieces } from './use-pieces.ts';
import { useWordKeys } from './use-word-keys.ts';

/** The position to scroll the viewer to. A new object each time. */
export interface TextGoal {
  page: number;
  /** The character to show; without it, the top of the page. */
  at?: number | undefined;
}

/** Distance outside the frame within which text is prepared, in pixels. */
const around = 600;

/** The text of a file, piece by piece. Only visible text is loaded and drawn. */
export function TextViewer(props: {
  reviewId: string;
  pages: readonly ReviewPageRecord[];
  /** The findings to show, by page; those that are not on a page are listed as page 0. */
  findings: ReadonlyMap<number, readonly FindingRecord[]>;
  pointing: Pointing;
  /** In percent. */
  zoom: number;
  goal: TextGoal | undefined;
  onPage: (page: number) => void;
  /** Called with the text that the pointer has selected. */
  onSelect: (selected: Selected | undefined) => void;
  /** Whether keys select words, and the action of Enter. */
  wordKeys: boolean;
  onAdd: (selected: Selected) => void;
}) {
  const { reviewId, pages, findings, pointing, zoom, goal, onPage, onSelect } = props;
  const frame = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const measured = useRef(new Map<string, number>());
  const [round, setRound] = useState(0);
  const { blocks, height } = useMemo(() => blocksOf(pages, measured.current), [pages, round]);
  const first = blockAt(blocks, view.top - around);
  const last = blockAt(blocks, view.top + view.height + around);
  const inSight = blocks.slice(first, last + 1);
  const { textOf, problem, retry } = usePieces(reviewId, inSight);
  const anchor = blocks[blockAt(blocks, view.top)];
  const words = useWordKeys(props.wordKeys, anchor, textOf, props.onAdd);

  const look = (): void => {
    const { scrollTop: top, clientHeight } = frame.current!;
    setView({ top, height: clientHeight });
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      measured.current.clear();
      setRound((now) => now + 1);
      look();
    });
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => measured.current.clear(), [zoom]);
  useMeasured(frame, inSight, measured.current, anchor, () => setRound((now) => now + 1));
  useLayoutEffect(() => {
    const block = goal && goalBlock(blocks, goal);
    if (block) frame.current!.scrollTop = Math.max(0, block.top - 8);
  }, [goal, blocks.length > 0]);
  const shown = goal?.at === undefined ? undefined : blockWith(blocks, goal.page, goal.at);
  const isDrawn = shown !== undefined && textOf(shown) !== undefined;
  useLayoutEffect(() => {
    if (isDrawn) bringIntoSight(frame.current!, goal!.page, goal!.at!);
    // Also runs once the text has been loaded and measured.
  }, [goal, isDrawn, round]);
  const page = anchor?.page;
  useEffect(() => {
    if (page !== undefined) onPage(page);
  }, [page]);
  useEffect(() => {
    const note = (): void => onSelect(frame.current ? selectedIn(frame.current) : undefined);
    document.addEventListener('selectionchange', note);
    return () => document.removeEventListener('selectionchange', note);
  }, []);
  const findingAt = ({ target }: Event): string | undefined =>
    (target instanceof Element && target.closest('[data-finding]')?.getAttribute('data-finding')) ||
    undefined;
  return (
    <>
      {problem && <ProblemState problem={problem} onRetry={retry} />}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: J and K pick findings by keys. */}
      <section
        ref={frame}
        class="bench-frame bench-text"
        aria-label="Document"
        tabIndex={0}
        style={{ fontSize: `${zoom / 100}rem` }}
        onScroll={look}
        onClick={(event) => {
          if (window.getSelection()?.isCollapsed !== false) pointing.pick(findingAt(event), 'page');
        }}
        onPointerOver={(event) => pointing.hover(findingAt(event))}
        onPointerOut={() => pointing.hover(undefined)}
      >
        <div class="text-all" style={{ height: `${height}px` }}>
          {inSight.map((block) => {
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
                  <h3 class="text-head">{titleOf(block.page, piece?.name ?? null)}</h3>
                )}
                {piece && (
                  <Lines
                    piece={piece}
                    findings={findings.get(block.page) ?? []}
                    shown={{
                      current: pointing.current,
                      hovered: pointing.hovered,
                      chosen: words?.page === block.page ? words : undefined,
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

function titleOf(page: number, name: string | null): string {
  if (page === 0) return 'Not visible to readers: link targets, attributes, names';
  return name ?? `Page ${page}`;
}

const goalBlock = (blocks: readonly Block[], { page, at }: TextGoal): Block | undefined =>
  at === undefined ? blocks.find((one) => one.page === page) : blockWith(blocks, page, at);

/** Scrolls to a character, unless it is visible. */
function bringIntoSight(frame: HTMLElement, page: number, at: number): void {
  const all = [...frame.querySelectorAll(`[data-page="${page}"] [data-start]`)];
  const element = all.findLast((one) => Number(one.getAttribute('data-start')) <= at);
  if (!element) return;
  const [own, box] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
  const y = own.top - box.top;
  if (y < 20 || own.bottom > box.bottom - 20) frame.scrollTop += y - frame.clientHeight * 0.4;
  const x = own.left - box.left;
  if (x < 0 || own.right > box.right) frame.scrollLeft += x - frame.clientWidth / 3;
}

/** Measures the drawn pieces, and keeps the top of the frame in place. */
function useMeasured(
  frame: { current: HTMLElement | null },
  inSight: readonly Block[],
  measured: Map<string, number>,
  anchor: Block | undefined,
  changed: () => void,
): void {
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    let moved = 0;
    let isNew = false;
    for (const block of inSight) {
      const own = element.querySelector<HTMLElement>(
        `[data-page="${block.page}"][data-piece="${block.piece}"]`,
      );
      if (!own || own.ariaBusy === 'true') continue;
      const height = own.getBoundingClientRect().height;
      if (height === 0 || Math.abs(height - block.height) < 0.5) continue;
      measured.set(keyOf(block), height);
      isNew = true;
      if (anchor && block.top < anchor.top) moved += height - block.height;
    }
    if (!isNew) return;
    if (moved !== 0) element.scrollTop += moved;
    changed();
  });
}
