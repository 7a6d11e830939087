import { applyToBox, userToDisplay } from '../../../geometry.ts';
import { type PdfDocument, readDoubles, withSlots } from '../../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../../results.ts';
import type { RedactedPage } from '../../contract/report.ts';
import { squeeze } from '../matching/canonical.ts';

export type ReportedRegion = RedactedPage['regions'][number];

/** A character and the extent of what is drawn of it, in points as displayed. */
export interface SeenGlyph {
  text: string;
  box: Box;
}

const mostGlyphs = 2_000_000;

/** The text and glyphs of a loaded page as PDFium reads them; undefined if it cannot. */
export function readSeenGlyphs(
  { pdfium }: PdfDocument,
  page: number,
  frame: PageFrame,
): { text: string; glyphs: SeenGlyph[] } | undefined {
  const handle = pdfium.FPDFText_LoadPage(page);
  if (handle === 0) return undefined;
  try {
    const toDisplay = userToDisplay(frame);
    const count = pdfium.FPDFText_CountChars(handle);
    if (count < 0 || count > mostGlyphs) return undefined;
    const letters: string[] = [];
    const glyphs: SeenGlyph[] = [];
    for (let index = 0; index < count; index += 1) {
      const code = pdfium.FPDFText_GetUnicode(handle, index);
      // PDFium marks a hyphen at the end of a line as U+0002.
      const text = code === 0x02 ? '-' : String.fromCodePoint(code <= 0x10ffff ? code : 0xfffd);
      letters.push(text);
      if (text.trim() === '' || pdfium.FPDFText_IsGenerated(handle, index) === 1) continue;
      const box = withSlots(pdfium, 4, (at): Box | undefined => {
        if (!pdfium.FPDFText_GetCharBox(handle, index, at, at + 8, at + 16, at + 24)) return;
        const [left = 0, right = 0, bottom = 0, top = 0] = readDoubles(pdfium, at, 4);
        return applyToBox(toDisplay, [left, bottom, right, top]);
      });
      if (box) glyphs.push({ text, box });
    }
    return { text: letters.join(''), glyphs };
  } finally {
    pdfium.FPDFText_ClosePage(handle);
  }
}

/** A neighbouring glyph may reach into a box by up to this share of its width or height. */
const neighbourShare = 1 / 2;

/** The share of `[a, b]` that is within `[from, to]`; for a point 1 or 0. */
function share(a: number, b: number, from: number, to: number): number {
  if (b - a < 0.01) return (a + b) / 2 > from && (a + b) / 2 < to ? 1 : 0;
  return (Math.min(b, to) - Math.max(a, from)) / (b - a);
}

/** Whether a glyph is in an area rather than reaching into it from outside. */
function standsIn([x0, y0, x1, y1]: Box, [ax0, ay0, ax1, ay1]: Box): boolean {
  return share(x0, x1, ax0, ax1) > neighbourShare && share(y0, y1, ay0, ay1) > neighbourShare;
}

/**
 * The regions that contain text other than their label: the type of the removed data, which may be
 * painted on the box.
 */
export function regionsWithText(
  regions: readonly ReportedRegion[],
  glyphs: readonly SeenGlyph[],
): ReportedRegion[] {
  return regions.filter((region) => {
    const inside = glyphs.filter((glyph) => standsIn(glyph.box, region.box));
    const text = inside.map((glyph) => glyph.text).join('');
    return !isLabel(text, typesAt(regions, region));
  });
}

/** The glyphs of the label on a region; none if the text there is not a label. */
export function labelOn(
  region: ReportedRegion,
  types: readonly string[],
  glyphs: readonly SeenGlyph[],
): Box[] {
  const inside = glyphs.filter((glyph) => standsIn(glyph.box, region.box));
  return isLabel(inside.map(({ text }) => text).join(''), types)
    ? inside.map(({ box }) => box)
    : [];
}

/** The types of all regions that overlap one: boxes that touch may share a label. */
export function typesAt(regions: readonly ReportedRegion[], { box }: ReportedRegion): string[] {
  return regions.filter((other) => overlap(other.box, box)).map(({ type }) => type);
}

export function overlap(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/** Whether a text is empty or consists only of the names of these types. */
export function isLabel(text: string, types: readonly string[]): boolean {
  let rest = squeeze(text);
  const names = [...new Set(types.map(squeeze))].sort((a, b) => b.length - a.length);
  for (const name of names) rest = rest.replaceAll(name, '');
  return rest === '';
}
