import { applyToBox, userToDisplay } from '../../../geometry.ts';
import { type PdfDocument, readDoubles, withSlots } from '../../../pdf/pdfium.ts';
import type { Box, Frame } from '../../../results.ts';
import type { RedactedPage } from '../../plan.ts';
import { squeeze } from '../canonical.ts';

export type Region = RedactedPage['regions'][number];

/** A character and what is drawn of it, in points as displayed. */
export interface SeenGlyph {
  text: string;
  box: Box;
}

const mostGlyphs = 2_000_000;

/** The text of a loaded page as PDFium reads it, and its glyphs; undefined where it cannot. */
export function readGlyphs(
  { pdfium }: PdfDocument,
  page: number,
  frame: Frame,
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

/** A glyph of a neighbour may reach into a box by up to this share of its width or height. */
const neighbourShare = 1 / 2;

/** How far `[a, b]` lies in `[from, to]`, as a share of its length; of a point, whether it does. */
function share(a: number, b: number, from: number, to: number): number {
  if (b - a < 0.01) return (a + b) / 2 > from && (a + b) / 2 < to ? 1 : 0;
  return (Math.min(b, to) - Math.max(a, from)) / (b - a);
}

/** Whether a glyph stands in an area, and not only reaches into it from beside. */
export function standsIn([x0, y0, x1, y1]: Box, [ax0, ay0, ax1, ay1]: Box): boolean {
  return share(x0, x1, ax0, ax1) > neighbourShare && share(y0, y1, ay0, ay1) > neighbourShare;
}

/**
 * The regions in which text stands that is not their label: the name of the kind of data that was
 * there, which may be painted on the box.
 */
export function regionsWithText(
  regions: readonly Region[],
  glyphs: readonly SeenGlyph[],
): Region[] {
  return regions.filter((region) => {
    const inside = glyphs.filter((glyph) => standsIn(glyph.box, region.box));
    const text = inside.map((glyph) => glyph.text).join('');
    return !isLabel(text, typesAt(regions, region));
  });
}

/** The glyphs of the label on a region; none where what stands there is no label. */
export function labelOn(
  region: Region,
  types: readonly string[],
  glyphs: readonly SeenGlyph[],
): Box[] {
  const inside = glyphs.filter((glyph) => standsIn(glyph.box, region.box));
  return isLabel(inside.map(({ text }) => text).join(''), types)
    ? inside.map(({ box }) => box)
    : [];
}

/** The types of all regions where one is: boxes that touch may have one label. */
export function typesAt(regions: readonly Region[], { box }: Region): string[] {
  return regions.filter((other) => overlap(other.box, box)).map(({ type }) => type);
}

export function overlap(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/** Whether a text is nothing, or the names of these types and nothing else. */
export function isLabel(text: string, types: readonly string[]): boolean {
  let rest = squeeze(text);
  const names = [...new Set(types.map(squeeze))].sort((a, b) => b.length - a.length);
  for (const name of names) rest = rest.replaceAll(name, '');
  return rest === '';
}
