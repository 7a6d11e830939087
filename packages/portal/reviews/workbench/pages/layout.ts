import type { ReviewPageRecord } from '@scriptorium/contracts/wire/reviews';

/** The position of a page in the scrolled area, in pixels. */
export interface Sheet {
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
/** A page whose size is unknown: A4. */
const usual = { width: 595, height: 842 };
/** The maximum width of a page at 100%, in pixels. */
const widest = 1000;

/** Places pages one below the other. `room` is the width of the frame, `zoom` in percent. */
export function layOut(pages: readonly ReviewPageRecord[], room: number, zoom: number) {
  const sizes = pages.map(({ width, height }) => (width && height ? { width, height } : usual));
  const widestPt = sizes.reduce((max, { width }) => Math.max(max, width), 1);
  const scale = ((Math.max(100, Math.min(room - 2 * gap, widest)) / widestPt) * zoom) / 100;
  const width = Math.max(room, widestPt * scale + 2 * gap);
  let top = gap;
  const sheets = pages.map(({ page }, at): Sheet => {
    const size = sizes[at]!;
    const own = { width: size.width * scale, height: size.height * scale };
    const sheet = { page, size, left: (width - own.width) / 2, top, ...own };
    top += own.height + gap;
    return sheet;
  });
  return { sheets, width, height: top, scale };
}

/** Returns the visible pages, and those within `around` pixels of them. */
export function inSight(
  sheets: readonly Sheet[],
  top: number,
  height: number,
  around: number,
): readonly Sheet[] {
  return sheets.filter(
    (sheet) => sheet.top + sheet.height > top - around && sheet.top < top + height + around,
  );
}

/** Returns the page in the upper half of the frame. */
export function pageAt(sheets: readonly Sheet[], top: number, height: number): number | undefined {
  const line = top + height * 0.4;
  return (sheets.find((sheet) => sheet.top + sheet.height >= line) ?? sheets.at(-1))?.page;
}
