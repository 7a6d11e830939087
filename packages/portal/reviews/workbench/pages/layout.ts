import type { ReviewPageRecord } from '@scriptorium/contracts/wire/reviews';

/** The position of a page in the scrolled area, in pixels. */
export interface PagePosition {
  page: number;
  /** In points. */
  size: { width: number; height: number };
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The space around pages, in pixels. */
const gap = 16;
/** The size assumed for a page of unknown size, in points: A4. */
const defaultSize = { width: 595, height: 842 };
/** The maximum width of a page at 100%, in pixels. */
const maxWidth = 1000;

/** Places pages one below the other. `frameWidth` is in pixels, `zoom` in percent. */
export function layOut(pages: readonly ReviewPageRecord[], frameWidth: number, zoom: number) {
  const sizes = pages.map(({ width, height }) =>
    width && height ? { width, height } : defaultSize,
  );
  const maxPageWidth = sizes.reduce((max, { width }) => Math.max(max, width), 1);
  const scale =
    ((Math.max(100, Math.min(frameWidth - 2 * gap, maxWidth)) / maxPageWidth) * zoom) / 100;
  const width = Math.max(frameWidth, maxPageWidth * scale + 2 * gap);
  let top = gap;
  const positions = pages.map(({ page }, at): PagePosition => {
    const size = sizes[at]!;
    const scaledSize = { width: size.width * scale, height: size.height * scale };
    const position = { page, size, left: (width - scaledSize.width) / 2, top, ...scaledSize };
    top += scaledSize.height + gap;
    return position;
  });
  return { sheets: positions, width, height: top, scale };
}

/** Returns the visible pages, and those within `margin` pixels of them. */
export function visiblePages(
  positions: readonly PagePosition[],
  top: number,
  height: number,
  margin: number,
): readonly PagePosition[] {
  return positions.filter(
    (sheet) => sheet.top + sheet.height > top - margin && sheet.top < top + height + margin,
  );
}

/** Returns the page at 40% of the height of the frame, which counts as the current one. */
export function pageAt(
  positions: readonly PagePosition[],
  top: number,
  height: number,
): number | undefined {
  const referenceY = top + height * 0.4;
  return (positions.find((sheet) => sheet.top + sheet.height >= referenceY) ?? positions.at(-1))
    ?.page;
}
