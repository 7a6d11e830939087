import type { FindingRecord, ReviewPageRecord } from '@scriptorium/contracts/wire/reviews';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PagePicture, pictureWidth } from '../../../kit/page-picture.tsx';
import { createPictureCache, type PictureCache } from '../../../kit/picture-cache.ts';
import { useMeasure } from '../../../kit/use-measure.ts';
import { usePan } from '../../../kit/use-pan.ts';
import { shownFindings } from '../../finding-text.ts';
import type { FindingFocus } from '../finding-focus.ts';
import { layOut, type PagePosition, pageAt, visiblePages } from './layout.ts';
import { Marks } from './marks.tsx';

/** The position to scroll the viewer to; a new object for each request. */
export interface ScrollTarget {
  page: number;
  /** The box to scroll into view, in points; by default, the top of the page. */
  box?: readonly number[] | undefined;
}

export type ViewerSide = 'original' | 'preview' | 'result';

interface ViewerProps {
  /** The object whose pages are drawn; if undefined, only the boxes are drawn. */
  objectId: string | undefined;
  pages: readonly ReviewPageRecord[];
  /** The findings to show, by page. */
  findings: ReadonlyMap<number, readonly FindingRecord[]>;
  pointing: FindingFocus;
  /** In percent. */
  zoom: number;
  onZoom: (zoom: number) => void;
  scrollTarget: ScrollTarget | undefined;
  onPage: (page: number) => void;
  /** Pages that may be shown next, whose pictures are loaded. */
  preload: readonly { objectId: string; page: number }[];
  /** `preview` shows only what will be painted over, and `result` an output without marks. */
  side: ViewerSide;
  /** Renders the layer of a tool over a visible page; if undefined, dragging pans. */
  toolLayer?: ((sheet: PagePosition, scale: number) => ComponentChildren) | undefined;
}

/** The distance outside the frame within which pages are rendered, in pixels. */
const preloadMargin = 300;

/** The pages, one below the other. Only visible pages are drawn. */
export function Viewer(props: ViewerProps) {
  const { pages, findings, pointing, zoom, onZoom, scrollTarget, onPage, toolLayer } = props;
  const { side } = props;
  const frame = useRef<HTMLElement>(null);
  const size = useMeasure(frame, { width: 0, height: 0 }, (element) => ({
    width: element.clientWidth,
    height: element.clientHeight,
  }));
  const [top, setTop] = useState(0);
  const pageLayout = useMemo(() => layOut(pages, size.width, zoom), [pages, size.width, zoom]);
  const { sheets, scale } = pageLayout;

  // The centre cannot be kept before the frame is measured.
  useCentreAnchor(frame, size.width > 0 ? scale : Number.NaN);
  useLayoutEffect(() => {
    const element = frame.current;
    const position = scrollTarget && sheets.find(({ page }) => page === scrollTarget.page);
    if (element && position && size.width > 0) {
      scrollToBox(element, position, scale, scrollTarget.box);
      // The event of the scrolling would render the page one frame later.
      setTop(element.scrollTop);
    }
    // Only a new target scrolls, not a new zoom or loaded pages.
  }, [scrollTarget, size.width > 0 && sheets.length > 0]);

  const page = pageAt(sheets, top, size.height);
  useEffect(() => {
    if (page !== undefined) onPage(page);
  }, [page]);
  const pictures = usePreloadedPictures(props.preload, size.width > 0 ? sheets : []);
  const findingAt = ({ target }: Event): string | undefined =>
    (target instanceof Element && target.closest('[data-finding]')?.getAttribute('data-finding')) ||
    undefined;
  const pan = usePan(frame, {
    zoom,
    onZoom,
    canDrag: toolLayer === undefined,
    onTap: (event) => {
      if (!toolLayer) pointing.select(findingAt(event), 'page');
    },
  });
  return (
    <section
      ref={frame}
      class={`bench-frame ${side}${toolLayer ? ' drawing' : ''}`}
      aria-label="Document"
      tabIndex={0}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      {...pan}
      onPointerOver={(event) => !toolLayer && pointing.hover(findingAt(event))}
      onPointerOut={() => pointing.hover(undefined)}
    >
      <div
        class="bench-pages"
        style={{ width: `${pageLayout.width}px`, height: `${pageLayout.height}px` }}
      >
        {visiblePages(sheets, top, size.height, preloadMargin).map((sheet) => (
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
              <PagePicture
                key={props.objectId}
                objectId={props.objectId}
                page={sheet.page}
                cssWidth={sheet.width}
                pictures={pictures}
                placeholder={<p class="bench-loading">Loading page {sheet.page}…</p>}
              />
            )}
            {side !== 'result' && (
              <Marks
                page={sheet.page}
                findings={shownFindings(findings.get(sheet.page), side === 'preview')}
                size={sheet.size}
                current={pointing.current}
                hovered={pointing.hovered}
                scale={scale}
              />
            )}
            {toolLayer?.(sheet, scale)}
            <span class="bench-number">{sheet.page}</span>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Loads the pictures of pages that may be shown next, so that their pages are never blank. */
function usePreloadedPictures(
  pages: ViewerProps['preload'],
  sheets: readonly PagePosition[],
): PictureCache {
  const pictures = useMemo(createPictureCache, []);
  useEffect(() => pictures.stop, []);
  useEffect(() => {
    for (const { objectId, page } of pages) {
      const sheet = sheets.find((one) => one.page === page);
      if (sheet) pictures.preload({ objectId, page, width: pictureWidth(sheet.width) });
    }
    // Each picture is requested once, even if it cannot be loaded.
  }, [pages.map(({ objectId, page }) => `${objectId} ${page}`).join(), sheets.length]);
  return pictures;
}

/** Keeps the centre of the frame in place when the scale changes. */
function useCentreAnchor(frame: { current: HTMLElement | null }, scale: number): void {
  const lastScale = useRef(scale);
  useLayoutEffect(() => {
    const element = frame.current;
    const ratio = scale / lastScale.current;
    lastScale.current = scale;
    if (!element || !Number.isFinite(ratio) || ratio === 1) return;
    const { clientWidth, clientHeight } = element;
    element.scrollLeft = (element.scrollLeft + clientWidth / 2) * ratio - clientWidth / 2;
    element.scrollTop = (element.scrollTop + clientHeight / 2) * ratio - clientHeight / 2;
  }, [scale]);
}

/** The margin around a scroll target, in pixels. */
const scrollMargin = 60;

function scrollToBox(
  frame: HTMLElement,
  position: PagePosition,
  scale: number,
  box?: readonly number[],
): void {
  if (!box) {
    frame.scrollTop = position.top - 8;
    return;
  }
  const [left = 0, top = 0, right = 0, bottom = 0] = box.map((one) => one * scale);
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = frame;
  const y = { from: position.top + top, to: position.top + bottom };
  if (y.from < scrollTop + scrollMargin || y.to > scrollTop + clientHeight - scrollMargin) {
    frame.scrollTop = (y.from + y.to) / 2 - clientHeight * 0.4;
  }
  const x = { from: position.left + left, to: position.left + right };
  if (x.from < scrollLeft || x.to > scrollLeft + clientWidth) {
    frame.scrollLeft = Math.min(x.from - scrollMargin, (x.from + x.to) / 2 - clientWidth / 2);
  }
}
