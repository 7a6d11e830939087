import { EngineError } from '@scriptorium/sandbox/errors';
import { apply, type Matrix, userToDisplay } from '../geometry.ts';
import type { Box, PageFrame } from '../results.ts';
import { keepFont } from './kept-fonts.ts';
import type { PageObjects } from './page-objects.ts';
import { type PdfDocument, rawFunction, withSlots } from './pdfium.ts';

/**
 * A character of the text in a PDF page and its position, in points as displayed. Redaction,
 * normalisation and the text layer all read pages as glyphs. Only the checks of redacted pages use
 * other code, so that they do not repeat an error made here (`redact/check/page/glyphs`).
 */
export type Glyph = {
  /** The text: one character, or several for a ligature; a space for blanks; empty if unknown. */
  text: string;
  /** The code from PDFium: the Unicode value, or the code of the font if the font has no map. */
  code: number;
  /** The position of the pen. */
  x: number;
  y: number;
  /** Direction of the baseline in degrees, clockwise as displayed; 0 is left to right. */
  angle: number;
  /** Size of the font, in points. */
  size: number;
  /** The box from pen to pen, as high as the font; without an area if unknown. */
  cell: Box;
  /** The bounding box of the ink; without an area for spaces and for text without a size. */
  ink: Box;
  /** The advance of the pen, in points along the baseline. */
  advance: number;
  /** False for text that is not drawn (render mode 3). */
  visible: boolean;
  /** Whether the space is missing from the content and was inserted by PDFium at a wide gap. */
  inserted: boolean;
  /** PDFium's pointer to the text object, valid while the page is loaded; 0 without an object. */
  object: number;
  /** The index of the text object in drawing order; 0 if the objects were not listed. */
  drawn: number;
  /** The ratio of the font's width to its height. Default: 1. */
  stretch?: number;
  /**
   * Whether the appearance of the glyph differs, or may differ, from its text: see `ocr/doubts`.
   */
  doubted?: boolean;
};

/**
 * Maximum number of glyphs on a page, far more than people can read. Pages with more are rejected.
 */
const maxGlyphs = 300_000;
const invisibleMode = 3;
const hyphenMark = 0x02;

/** Returns the text of a code: ligatures as letters, full-width forms as ordinary characters. */
function textOfCode(code: number): string {
  if (code === hyphenMark || code === 0xad) return '-';
  if (code <= 0x20 || code === 0x7f || code === 0xa0 || (code >= 0x80 && code < 0xa0)) return ' ';
  if ((code >= 0xd800 && code < 0xe000) || (code >= 0xe000 && code <= 0xf8ff)) return '';
  if (code === 0xfffd || code === 0xfffe || code === 0xffff || code > 0x10ffff) return '';
  const text = String.fromCodePoint(code);
  if ((code >= 0xfb00 && code <= 0xfb06) || (code >= 0xff01 && code <= 0xff5e)) {
    return text.normalize('NFKC');
  }
  return code >= 0x2000 && code <= 0x200a ? ' ' : text;
}

/**
 * Returns the advance of a glyph at an angle, derived from the upright box around the pen, the
 * advance and the height of the font. Undefined near 45°, where the box does not determine the
 * advance.
 */
export function advanceOf([x0, y0, x1, y1]: Box, angle: number): number | undefined {
  if (angle === 0) return x1 - x0;
  const radians = (angle * Math.PI) / 180;
  const cos = Math.abs(Math.cos(radians));
  const sin = Math.abs(Math.sin(radians));
  const upright = cos * cos - sin * sin;
  if (Math.abs(upright) < 0.3) return undefined;
  return Math.max(0, ((x1 - x0) * cos - (y1 - y0) * sin) / upright);
}

/** Makes PDFium return the drawn text, not the `ActualText` that replaces it. */
function ignoreActualText({ document: { pdfium }, all }: PageObjects): void {
  const countMarks = rawFunction(pdfium, 'FPDFPageObj_CountMarks');
  for (const { handle } of all) {
    for (let index = countMarks(handle) - 1; index >= 0; index -= 1) {
      const mark = pdfium.FPDFPageObj_GetMark(handle, index);
      pdfium.FPDFPageObjMark_RemoveParam(handle, mark, 'ActualText');
    }
  }
}

/**
 * Returns the index of each text object in drawing order, because PDFium sorts the text of a line.
 */
function drawingOrder({ all }: PageObjects): Map<number, number> {
  const order = new Map<number, number>();
  for (const { handle, kind } of all) if (kind === 'text') order.set(handle, order.size);
  return order;
}

/**
 * Reads all characters of a loaded page in content order, except for lines that PDFium sorts.
 * Includes spaces, invisible characters, characters outside the visible rectangle and characters
 * without a size.
 */
export function readGlyphs(objects: PageObjects, page: number, frame: PageFrame): Glyph[] {
  if (!objects.complete) {
    throw new EngineError('too_large', 'A page of the PDF has too many objects.');
  }
  ignoreActualText(objects);
  const glyphs = readText(objects.document, page, frame, { order: drawingOrder(objects) });
  return glyphs.filter(({ inserted }) => !inserted);
}

const latinLetter = /^[a-z]$/i;

/**
 * Whether a letter belongs to the same ligature as the previous letter: both have the same pen
 * position.
 */
export const isLigature = (last: Glyph, next: Glyph): boolean =>
  next.object === last.object &&
  next.x === last.x &&
  next.y === last.y &&
  latinLetter.test(last.text) &&
  latinLetter.test(next.text);

const hasOtherCell = ({ cell: [x0, y0] }: Glyph, { cell: [x, y] }: Glyph): boolean =>
  x !== x0 || y !== y0;

type TextOptions = {
  /** The indices of text objects in drawing order. May be empty if the order is not needed. */
  order?: ReadonlyMap<number, number>;
  /** Whether to measure the ink of each glyph. If not, `ink` is the cell. */
  withInk?: boolean;
};
const noOrder: ReadonlyMap<number, number> = new Map();

/**
 * Reads a page's text like `readGlyphs`, but as programs extract it: `ActualText` replaces the
 * drawn text, and wide gaps are spaces.
 * @throws EngineError `too_large` if the page has too many glyphs.
 */
export function readText(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  { order = noOrder, withInk = true }: TextOptions = {},
): Glyph[] {
  const { pdfium } = document;
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return [];
  try {
    const count = pdfium.FPDFText_CountChars(text);
    if (count > maxGlyphs) {
      throw new EngineError('too_large', 'A page of the PDF has too much text.');
    }
    return withSlots(pdfium, 12, (at) => {
      const read = glyphReader(document, { text, count, order, withInk }, userToDisplay(frame), at);
      const glyphs: Glyph[] = [];
      for (let index = 0; index < count; index += 1) {
        const glyph = read(index);
        if (!glyph) continue;
        const last = glyphs.at(-1);
        // PDFium may divide a ligature into letters at the same pen. The last letter ends where the
        // ligature ends.
        if (last && isLigature(last, glyph) && hasOtherCell(last, glyph)) {
          glyph.advance += last.advance;
        }
        glyphs.push(glyph);
        // Characters beyond 16 bits consist of two units; the second unit has no position.
        if (glyph.code > 0xffff) index += 1;
      }
      return glyphs;
    });
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

/** Counts the readable characters of a loaded page, including invisible ones (render mode 3). */
export function countText(
  document: PdfDocument,
  page: number,
): { visible: number; invisible: number } {
  const { pdfium } = document;
  const counts = { visible: 0, invisible: 0 };
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return counts;
  try {
    const count = pdfium.FPDFText_CountChars(text);
    const isVisible = visibilityReader(document);
    const getUnicode = rawFunction(pdfium, 'FPDFText_GetUnicode');
    const hasNoMap = rawFunction(pdfium, 'FPDFText_HasUnicodeMapError');
    const getObject = rawFunction(pdfium, 'FPDFText_GetTextObject');
    for (let index = 0; index < count; index += 1) {
      if (textOfCode(getUnicode(text, index)).trim() === '' || hasNoMap(text, index) !== 0)
        continue;
      if (isVisible(getObject(text, index))) counts.visible += 1;
      else counts.invisible += 1;
    }
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
  return counts;
}

/**
 * Returns a function that reports whether a text object is drawn. Each object is queried once, and
 * its font is kept for the next pages.
 */
function visibilityReader(document: PdfDocument): (object: number) => boolean {
  const getMode = rawFunction(document.pdfium, 'FPDFTextObj_GetTextRenderMode');
  const getFont = rawFunction(document.pdfium, 'FPDFTextObj_GetFont');
  const visibilities = new Map<number, boolean>();
  return (object) => {
    let visible = visibilities.get(object);
    if (visible === undefined) {
      visible = object === 0 || getMode(object) !== invisibleMode;
      if (object !== 0) keepFont(document, getFont(object));
      visibilities.set(object, visible);
    }
    return visible;
  };
}

/** The properties that the characters of a text object share. */
type TextObject = Pick<Glyph, 'angle' | 'size' | 'visible' | 'object' | 'drawn'> & {
  stretch: number;
};

/** Returns a function that reads the shared properties of a text object, once per object. */
function textObjectReader(
  { pdfium }: PdfDocument,
  text: number,
  order: ReadonlyMap<number, number>,
  toDisplay: Matrix,
  at: number,
): (object: number, index: number) => TextObject {
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const getMode = raw('FPDFTextObj_GetTextRenderMode');
  const getMatrix = raw('FPDFText_GetMatrix');
  const getSize = raw('FPDFText_GetFontSize');
  const textObjects = new Map<number, TextObject>();
  let last: TextObject | undefined;
  return (object, index) => {
    if (last && object === last.object && object !== 0) return last;
    let textObject = textObjects.get(object);
    if (!textObject) {
      const hasMatrix = getMatrix(text, index, at) !== 0;
      const [ma = 1, mb = 0, mc = 0, md = 1] = new Float32Array(pdfium.heap().buffer, at, 4);
      const [a, b, c, d] = hasMatrix ? [ma, mb, mc, md] : [1, 0, 0, 1];
      const ux = toDisplay[0] * a + toDisplay[2] * b;
      const uy = toDisplay[1] * a + toDisplay[3] * b;
      textObject = {
        angle: ux === 0 && uy === 0 ? 0 : (Math.atan2(uy, ux) * 180) / Math.PI,
        size: Math.abs(getSize(text, index)) * Math.hypot(c, d),
        visible: object === 0 || getMode(object) !== invisibleMode,
        object,
        drawn: order.get(object) ?? last?.drawn ?? 0,
        stretch: Math.hypot(a, b) / Math.hypot(c, d) || 1,
      };
      if (object !== 0) textObjects.set(object, textObject);
    }
    last = textObject;
    return textObject;
  };
}

/**
 * Returns a function that reads the characters of a text page by index. It uses `at`, which has
 * space for twelve numbers. The function returns undefined for characters without a position:
 * spaces and line ends that PDFium inserts between texts.
 */
function glyphReader(
  document: PdfDocument,
  page: { text: number; count: number; order: ReadonlyMap<number, number>; withInk: boolean },
  toDisplay: Matrix,
  at: number,
): (index: number) => Glyph | undefined {
  const { pdfium } = document;
  const { text, count, order, withInk } = page;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const isGenerated = raw('FPDFText_IsGenerated');
  const getObject = raw('FPDFText_GetTextObject');
  const getOrigin = raw('FPDFText_GetCharOrigin');
  const getInk = raw('FPDFText_GetCharBox');
  const getCell = raw('FPDFText_GetLooseCharBox');
  const getUnicode = raw('FPDFText_GetUnicode');
  const hasNoMap = raw('FPDFText_HasUnicodeMapError');
  const objectOf = textObjectReader(document, text, order, toDisplay, at + 64);
  let doubles: Float64Array = new Float64Array();
  let floats: Float32Array = new Float32Array();
  return (index) => {
    const handle = getObject(text, index);
    if (getOrigin(text, index, at, at + 8) === 0) return undefined;
    const hasInk = withInk && getInk(text, index, at + 16, at + 24, at + 32, at + 40) !== 0;
    const hasCell = getCell(text, index, at + 48) !== 0;
    const { angle, size, visible, object, drawn, stretch } = objectOf(handle, index);
    // When PDFium's memory grows, existing views of it become empty.
    if (doubles.length === 0) {
      const { buffer } = pdfium.heap();
      doubles = new Float64Array(buffer, at, 6);
      floats = new Float32Array(buffer, at + 48, 4);
    }
    const [x, y] = apply(toDisplay, doubles[0] ?? 0, doubles[1] ?? 0);
    // FS_RECTF: left, top, right, bottom.
    const cell = hasCell ? boxAt(toDisplay, floats, 0, 3, 2, 1) : emptyBoxAt(x, y);
    // Left, right, bottom and top, after the pen.
    let ink = cell;
    if (withInk) ink = hasInk ? boxAt(toDisplay, doubles, 2, 4, 3, 5) : emptyBoxAt(x, y);
    if (withInk && isEmptyBox(ink, size)) ink = emptyBoxAt(x, y);
    const advance = (hasCell ? advanceOf(cell, angle) : undefined) ?? size * 0.55;
    if (!Number.isFinite(x + y + angle + size + advance + ink[0] + ink[1] + ink[2] + ink[3])) {
      return undefined;
    }
    let code = getUnicode(text, index);
    // For a font without a map, PDFium returns its codes, which are not Unicode values.
    let glyphText = hasNoMap(text, index) === 0 ? textOfCode(code) : '';
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < count) {
      const low = getUnicode(text, index + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        glyphText = String.fromCharCode(code, low);
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      }
    }
    const inserted = glyphText === ' ' && isGenerated(text, index) === 1;
    if (inserted && handle === 0) return undefined;
    return {
      text: glyphText,
      code,
      x,
      y,
      angle,
      size,
      cell,
      ink,
      advance,
      visible,
      inserted,
      object,
      drawn,
      stretch,
    };
  };
}

const emptyBoxAt = (x: number, y: number): Box => [x, y, x, y];

/**
 * Maximum thickness of a box that counts as empty, as a share of the font size. PDFium returns such
 * boxes for glyphs that a font does not describe.
 */
const maxEmptyThickness = 0.002;

const isEmptyBox = ([x0, y0, x1, y1]: Box, size: number): boolean =>
  Math.min(x1 - x0, y1 - y0) < maxEmptyThickness * size;

/**
 * Returns the box of the numbers at four indices, on the page as displayed. Pages only turn by
 * quarters, so two corners are enough.
 */
function boxAt(
  map: Matrix,
  numbers: Float32Array | Float64Array,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): Box {
  const [ax, ay] = apply(map, numbers[x0] ?? 0, numbers[y0] ?? 0);
  const [bx, by] = apply(map, numbers[x1] ?? 0, numbers[y1] ?? 0);
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}
