import type { FindingRecord, ReviewPageRecord } from '@scriptorium/contracts/wire/reviews';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PagePicture } from '../../../kit/page-picture.tsx';
import { useMeasure } from '../../../kit/use-measure.ts';
import { usePan } from '../../../kit/use-pan.ts';
import type { Pointing } from '../pointing.ts';
import { inSight, layOut, pageAt, type Sheet } from './layout.ts';
import { Marks } from './marks.tsx';

/** The position to scroll the viewer to. A new object each time. */
export interface Goal {
  page: number;
  /** The box to scroll into view, in points; by default, the top of the page. */
  box?: readonly number[] | undefined;
}

interface ViewerProps {
  /** The object whose pages are drawn; without it, only the boxes are drawn. */
  objectId: string | undefined;
  pages: readonly ReviewPageRecord[];
  /** The findings to show, by page. */
  findings: ReadonlyMap<number, readonly FindingRecord[]>;
  pointing: Pointing;
  /** In percent. */
  zoom: number;
  onZoom: (zoom: number) => void;
  goal: Goal | undefined;
  onPage: (page: number) => void;
  /** Draws a tool's layer over a visible page; without it, dragging pans. */
  tool?: ((sheet: Sheet, scale: number) => ComponentChildren) | undefined;
}

/** How far outside the frame pages are prepared, in pixels. */
const around = 300;

/** The pages, one below the other. Only visible pages are drawn. */
export function Viewer(props: ViewerProps) {
  const { pages, findings, pointing, zoom, onZoom, goal, onPage, tool } = props;
  const frame = useRef<HTMLElement>(null);
  const room = useMeasure(frame, { width: 0, height: 0 }, (element) => ({
    width: element.clientWidth,
    height: element.clientHeight,
  }));
  const [top, setTop] = useState(0);
  const laid = useMemo(() => layOut(pages, room.width, zoom), [pages, room.width, zoom]);
  const { sheets, scale } = laid;

  // The middle can be kept only after the frame is measured.
  useSameMiddle(frame, room.width > 0 ? scale : Number.NaN);
  useLayoutEffect(() => {
    const element = frame.current;
    const sheet = goal && sheets.find(({ page }) => page === goal.page);
    if (element && sheet && room.width > 0) scrollTo(element, sheet, scale, goal.box);
    // Only a new target scrolls, not a new zoom or loaded pages.
  }, [goal, room.width > 0 && sheets.length > 0]);

  const page = pageAt(sheets, top, room.height);
  useEffect(() => {
    if (page !== undefined) onPage(page);
  }, [page]);
  const findingAt = ({ target }: Event): string | undefined =>
    (target instanceof Element && target.closest('[data-finding]')?.getAttribute('data-finding')) ||
    undefined;
  const pan = usePan(frame, {
    ...{ zoom, onZoom, drags: tool === undefined },
    onTap: (event) => {
      if (!tool) pointing.pick(findingAt(event), 'page');
    },
  });
  return (
    <section
      ref={frame}
      class={`bench-frame${tool ? ' drawing' : ''}`}
      aria-label="Document"
      tabIndex={0}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      {...pan}
      onPointerOver={(event) => !tool && pointing.hover(findingAt(event))}
      onPointerOut={() => pointing.hover(undefined)}
    >
      <div class="bench-pages" style={{ width: `${laid.width}px`, height: `${laid.height}px` }}>
        {inSight(sheets, top, room.height, around).map((sheet) => (
          <div
            key={sheet.page}
            class="bench-sheet"
            data-page={sheet.page}
            style={{
              left: `${sheet.left}px`,
              top: `${sheet.top}px`,
              width: `${sheet.width}px`,
              height: `${sheet.height}px`,
            }}
          >
            {props.objectId && (
              <PagePicture objectId={props.objectId} page={sheet.page} cssWidth={sheet.width} />
            )}
            <Marks
              page={sheet.page}
              findings={findings.get(sheet.page) ?? []}
              size={sheet.size}
              current={pointing.current}
              hovered={pointing.hovered}
              scale={scale}
            />
            {tool?.(sheet, scale)}
            <span class="bench-number">{sheet.page}</span>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Keeps the middle of the frame in place when the scale changes. */
function useSameMiddle(frame: { current: HTMLElement | null }, scale: number): void {
  const last = useRef(scale);
  useLayoutEffect(() => {
    const element = frame.current;
    const ratio = scale / last.current;
    last.current = scale;
    if (!element || !Number.isFinite(ratio) || ratio === 1) return;
    const { clientWidth, clientHeight } = element;
    element.scrollLeft = (element.scrollLeft + clientWidth / 2) * ratio - clientWidth / 2;
    element.scrollTop = (element.scrollTop + clientHeight / 2) * ratio - clientHeight / 2;
  }, [scale]);
}

/** The margin around a scroll target, in pixels. */
const margin = 60;

function scrollTo(frame: HTMLElement, sheet: Sheet, scale: number, box?: readonly number[]): void {
  if (!box) {
    frame.scrollTop = sheet.top - 8;
    return;
  }
  const [left = 0, top = 0, right = 0, bottom = 0] = box.map((one) => one * scale);
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = frame;
  const y = { from: sheet.top + top, to: sheet.top + bottom };
  if (y.from < scrollTop + margin || y.to > scrollTop + clientHeight - margin) {
    frame.scrollTop = (y.from + y.to) / 2 - clientHeight * 0.4;
  }
  const x = { from: sheet.left + left, to: sheet.left + right };
  if (x.from < scrollLeft || x.to > scrollLeft + clientWidth) {
    frame.scrollLeft = Math.min(x.from - margin, (x.from + x.to) / 2 - clientWidth / 2);
  }
}
