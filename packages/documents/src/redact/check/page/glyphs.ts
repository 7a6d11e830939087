import { createHash } from 'node:crypto';
import {
  apply,
  applyToBox,
  displaySize,
  intersects,
  type Matrix,
  userToDisplay,
} from '../../../geometry.ts';
import { once } from '../../../once.ts';
import { type FontResults, oncePerFont } from '../../../pdf/kept-fonts.ts';
import { fontReader } from '../../../pdf/page-fonts.ts';
import {
  type PdfDocument,
  rawFunction,
  readDoubles,
  readFloats,
  withSlots,
} from '../../../pdf/pdfium.ts';
import { type DrawnGlyph, evidenceReader } from '../../../pdf/shapes/drawn-glyphs.ts';
import { isType3Font } from '../../../pdf/shapes/outline.ts';
import type { Verdict } from '../../../pdf/shapes/verdict.ts';
import type { Box, PageFrame } from '../../../results.ts';
import type { RedactedPage } from '../../contract/report.ts';
import { foldText } from '../../matching/canonical.ts';

export type ReportedRegion = RedactedPage['regions'][number];

/** A character and the extent of its glyph, in points as displayed. */
export interface PageGlyph {
  text: string;
  box: Box;
  /** Identifies the font of the character within the file. */
  font: string;
  /**
   * Identifies the outline that the font draws for the character; empty if unknown. Default:
   * unknown.
   */
  shape?: () => string;
  /** Whether the outline looks like the character, or like a different one. */
  verdict?: () => Verdict;
  /** Whether the character is drawn. */
  visible: boolean;
}

const invisibleModes: readonly number[] = [3, 7];
/** Number of pages read so far. Font handles are valid for one page only. */
let pagesRead = 0;

const maxGlyphs = 2_000_000;

/** Reads the text and glyphs of a loaded page with PDFium; undefined if PDFium cannot read them. */
export function readPageGlyphs(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
): { text: string; glyphs: PageGlyph[] } | undefined {
  const { pdfium } = document;
  const handle = pdfium.FPDFText_LoadPage(page);
  if (handle === 0) return undefined;
  try {
    pagesRead += 1;
    const toDisplay = userToDisplay(frame);
    const count = pdfium.FPDFText_CountChars(handle);
    if (count < 0 || count > maxGlyphs) return undefined;
    const letters: string[] = [];
    const glyphs: PageGlyph[] = [];
    const appearanceOf = appearanceReader(document);
    const shapeOf = shapeReader(document);
    const evidenceOf = evidenceReader(document, page, displaySize(frame));
    const penPositionOf = penPositionReader(document, handle, toDisplay);
    const drawnGlyphs: DrawnGlyph[] = [];
    const getUnicode = rawFunction(pdfium, 'FPDFText_GetUnicode');
    const isGenerated = rawFunction(pdfium, 'FPDFText_IsGenerated');
    const getBox = rawFunction(pdfium, 'FPDFText_GetCharBox');
    const getObject = rawFunction(pdfium, 'FPDFText_GetTextObject');
    withSlots(pdfium, 12, (at) => {
      for (let index = 0; index < count; index += 1) {
        const code = getUnicode(handle, index);
        // PDFium represents a hyphen at the end of a line as U+0002.
        const text = code === 0x02 ? '-' : String.fromCodePoint(code <= 0x10ffff ? code : 0xfffd);
        letters.push(text);
        if (text.trim() === '' || isGenerated(handle, index) === 1) continue;
        if (getBox(handle, index, at, at + 8, at + 16, at + 24) === 0) continue;
        const [left = 0, right = 0, bottom = 0, top = 0] = readDoubles(pdfium, at, 4);
        const box = applyToBox(toDisplay, [left, bottom, right, top]);
        const object = getObject(handle, index);
        const { font, visible, handle: fontHandle } = appearanceOf(object);
        const drawnIndex =
          drawnGlyphs.push({ code, object, ink: box, ...penPositionOf(index, at + 32) }) - 1;
        glyphs.push({
          text,
          box,
          font,
          visible,
          shape: shapeOf(fontHandle, code),
          verdict: once(() => verdictAt(drawnGlyphs, drawnIndex, evidenceOf)),
        });
      }
    });
    return { text: letters.join(''), glyphs };
  } finally {
    pdfium.FPDFText_ClosePage(handle);
  }
}

type PenPosition = Pick<DrawnGlyph, 'x' | 'y' | 'angle' | 'size' | 'stretch' | 'advance'>;

/** Reads the pen positions of characters. Uses an address with space for eight numbers. */
function penPositionReader(
  { pdfium }: PdfDocument,
  text: number,
  toDisplay: Matrix,
): (index: number, at: number) => PenPosition {
  const getOrigin = rawFunction(pdfium, 'FPDFText_GetCharOrigin');
  const getMatrix = rawFunction(pdfium, 'FPDFText_GetMatrix');
  const getSize = rawFunction(pdfium, 'FPDFText_GetFontSize');
  return (index, at) => {
    getOrigin(text, index, at, at + 8);
    const [penX = 0, penY = 0] = readDoubles(pdfium, at, 2);
    const [x, y] = apply(toDisplay, penX, penY);
    const hasMatrix = getMatrix(text, index, at + 16) !== 0;
    const [a = 1, b = 0, c = 0, d = 1] = hasMatrix ? readFloats(pdfium, at + 16, 4) : [];
    const ux = toDisplay[0] * a + toDisplay[2] * b;
    const uy = toDisplay[1] * a + toDisplay[3] * b;
    const size = Math.abs(getSize(text, index)) * Math.hypot(c, d);
    return {
      x,
      y,
      angle: (Math.atan2(uy, ux) * 180) / Math.PI,
      size,
      stretch: Math.hypot(a, b) / Math.hypot(c, d) || 1,
      // Wider than any letter. The position of the next letter limits the advance.
      advance: 2 * size,
    };
  };
}

/** Returns the verdict on a glyph. The verdict on a glyph of several characters is unknown. */
function verdictAt(
  drawn: readonly DrawnGlyph[],
  at: number,
  evidenceOf: ReturnType<typeof evidenceReader>,
): Verdict {
  const [last, glyph, next] = [drawn[at - 1], drawn[at], drawn[at + 1]];
  if (!glyph) return 'unclear';
  const isAtPen = (other: DrawnGlyph | undefined): boolean =>
    other?.object === glyph.object && other.x === glyph.x && other.y === glyph.y;
  return evidenceOf(glyph, next, isAtPen(last) || isAtPen(next)).verdict;
}

/**
 * The appearance of a text object, and the handle of its font, which is valid while the page is
 * loaded.
 */
type TextAppearance = Pick<PageGlyph, 'font' | 'visible'> & { handle: number };

/** Reads the appearance of text objects, once for each object. */
function appearanceReader(document: PdfDocument): (object: number) => TextAppearance {
  const { pdfium } = document;
  const nameOf = fontReader(document);
  const getFont = rawFunction(pdfium, 'FPDFTextObj_GetFont');
  const getData = rawFunction(pdfium, 'FPDFFont_GetFontData');
  const fonts = new Map<number, string>();
  const cache = new Map<number, TextAppearance>();
  return (object) => {
    const cached = cache.get(object);
    if (cached) return cached;
    const handle = object === 0 ? 0 : getFont(object);
    const font =
      fonts.get(handle) ??
      withSlots(pdfium, 1, (at) => {
        const size = handle !== 0 && getData(handle, 0, 0, at) !== 0 ? sizeAt(pdfium, at) : 0;
        // Type 3 fonts have no properties that identify them on other pages.
        const suffix = size === 0 && handle !== 0 ? ` ${pagesRead} ${handle}` : '';
        return `${nameOf(handle).name} ${size}${suffix}`;
      });
    fonts.set(handle, font);
    const mode = object === 0 ? 0 : pdfium.FPDFTextObj_GetTextRenderMode(object);
    const appearance = { font, visible: !invisibleModes.includes(mode), handle };
    cache.set(object, appearance);
    return appearance;
  };
}

/** Digest of an empty outline. It proves nothing about a letter. */
export const emptyOutline = 'blank';

/** Font size at which outlines are compared, in points. */
const outlineSize = 100;

const shapes: FontResults<Map<number, () => string>> = new WeakMap();

/**
 * Reads the outlines that fonts draw for characters, on demand and once for each character. Fonts
 * of the same name and size may draw different outlines for the same character, or map the same
 * outline to different characters.
 */
function shapeReader(document: PdfDocument): (font: number, code: number) => () => string {
  const shapesOf = oncePerFont(document, shapes, () => new Map<number, () => string>());
  return (font, code) => {
    const known = shapesOf(font).get(code);
    if (known) return known;
    const read = once(() =>
      font === 0 || isType3Font(document, font) ? '' : outlineDigest(document, font, code),
    );
    shapesOf(font).set(code, read);
    return read;
  };
}

function outlineDigest({ pdfium }: PdfDocument, font: number, code: number): string {
  const path = rawFunction(pdfium, 'FPDFFont_GetGlyphPath')(font, code, outlineSize);
  if (path === 0) return '';
  const segmentAt = rawFunction(pdfium, 'FPDFGlyphPath_GetGlyphPathSegment');
  const getPoint = rawFunction(pdfium, 'FPDFPathSegment_GetPoint');
  const typeOf = rawFunction(pdfium, 'FPDFPathSegment_GetType');
  const count = rawFunction(pdfium, 'FPDFGlyphPath_CountGlyphSegments')(path);
  if (count <= 0) return emptyOutline;
  return withSlots(pdfium, 1, (at) => {
    const hash = createHash('sha1');
    for (let index = 0; index < count; index += 1) {
      const segment = segmentAt(path, index);
      getPoint(segment, at, at + 4);
      hash.update(Uint8Array.of(typeOf(segment))).update(pdfium.heap().subarray(at, at + 8));
    }
    return hash.digest('base64');
  });
}

/** Returns a size that PDFium wrote to this address. */
function sizeAt(pdfium: PdfDocument['pdfium'], at: number): number {
  return Buffer.from(pdfium.heap().subarray(at, at + 4)).readUInt32LE();
}

/** Maximum share of its width or height by which a neighbouring glyph may extend into a box. */
const neighbourShare = 1 / 2;

/**
 * Returns the share of the range `[a, b]` that is within `[from, to]`. For a point, returns 1 or 0.
 */
function shareWithin(a: number, b: number, from: number, to: number): number {
  if (b - a < 0.01) return (a + b) / 2 > from && (a + b) / 2 < to ? 1 : 0;
  return (Math.min(b, to) - Math.max(a, from)) / (b - a);
}

/** Whether a glyph is in an area, as opposed to extending into it from outside. */
function isMostlyIn([x0, y0, x1, y1]: Box, [ax0, ay0, ax1, ay1]: Box): boolean {
  return (
    shareWithin(x0, x1, ax0, ax1) > neighbourShare && shareWithin(y0, y1, ay0, ay1) > neighbourShare
  );
}

/**
 * Returns the regions that contain text other than their label, which is the type of the removed
 * data and may be painted on the box.
 */
export function regionsWithText(
  regions: readonly ReportedRegion[],
  glyphs: readonly PageGlyph[],
): ReportedRegion[] {
  return regions.filter((region) => {
    const inside = glyphs.filter((glyph) => isMostlyIn(glyph.box, region.box));
    const text = inside.map((glyph) => glyph.text).join('');
    return !isLabel(text, typesAt(regions, region));
  });
}

/** Returns the glyphs of the label on a region. Empty if the text on the region is not a label. */
export function labelGlyphs(
  region: ReportedRegion,
  types: readonly string[],
  glyphs: readonly PageGlyph[],
): Box[] {
  const inside = glyphs.filter((glyph) => isMostlyIn(glyph.box, region.box));
  return isLabel(inside.map(({ text }) => text).join(''), types)
    ? inside.map(({ box }) => box)
    : [];
}

/**
 * Returns the types of all regions that overlap a region, because touching boxes may share a label.
 */
export function typesAt(regions: readonly ReportedRegion[], { box }: ReportedRegion): string[] {
  return regions.filter((other) => intersects(other.box, box)).map(({ type }) => type);
}

/** Whether a text is empty or consists only of the names of these types. */
export function isLabel(text: string, types: readonly string[]): boolean {
  let rest = foldText(text);
  const names = [...new Set(types.map(foldText))].sort((a, b) => b.length - a.length);
  for (const name of names) rest = rest.replaceAll(name, '');
  return rest === '';
}
