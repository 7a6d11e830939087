import { EngineError } from '../errors.ts';
import { apply, compose, type Matrix, userToDisplay } from '../geometry.ts';
import type { Box, Frame } from '../results.ts';
import { type PdfDocument, rawFunction, readFloats, withSlots } from './pdfium.ts';

/** A character of the page's own text, and where it is drawn, in points as displayed. */
export type Glyph = {
  /** What it reads as: one character or, for ligatures, several; empty where that is not known. */
  text: string;
  /** Where the pen was set down. */
  x: number;
  y: number;
  /** Direction of the baseline in degrees, clockwise as displayed; 0 is left to right. */
  angle: number;
  /** Size of the font, in points. */
  size: number;
  /** The box around what is drawn; without area for blanks, and for text of no size. */
  ink: Box;
  /** How far the pen moves on, in points along the baseline. */
  advance: number;
  /** False for text that is not drawn (render mode 3). */
  visible: boolean;
  /** Which of the page's texts it belongs to, in the order they are drawn in. */
  drawn: number;
};

/** Far more than a page that a person reads; a page with more is refused. */
const mostGlyphs = 300_000;
/** As deep as forms are looked into for the order of their texts. */
const deepest = 12;
const invisibleMode = 3;
const textObject = 1;
const hyphenMark = 0x02;

/** What a code reads as: ligatures as their letters, full-width forms as the plain ones. */
export function readAs(code: number): string {
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
 * The advance of a glyph set at an angle, out of the upright box around pen, advance and the font's
 * height; undefined near 45°, where the box does not tell.
 */
function advanceOf([x0, y0, x1, y1]: Box, angle: number): number | undefined {
  const radians = (angle * Math.PI) / 180;
  const cos = Math.abs(Math.cos(radians));
  const sin = Math.abs(Math.sin(radians));
  const upright = cos * cos - sin * sin;
  if (Math.abs(upright) < 0.3) return undefined;
  return Math.max(0, ((x1 - x0) * cos - (y1 - y0) * sin) / upright);
}

/**
 * Shows every object of a page, in the order they are drawn in, those in forms `depth` deep too, and
 * how the space of its form lies in the page's.
 */
export function visitObjects(
  { pdfium }: PdfDocument,
  page: number,
  depth: number,
  see: (object: number, map: Matrix) => void,
): void {
  const visit = (object: number, map: Matrix, below: number): void => {
    see(object, map);
    if (below === 0) return;
    const inner = pdfium.FPDFFormObj_CountObjects(object);
    if (inner <= 0) return;
    const own = compose(map, formMatrix(pdfium, object));
    for (let index = 0; index < inner; index += 1) {
      visit(pdfium.FPDFFormObj_GetObject(object, index), own, below - 1);
    }
  };
  const count = pdfium.FPDFPage_CountObjects(page);
  for (let index = 0; index < count; index += 1) {
    visit(pdfium.FPDFPage_GetObject(page, index), [1, 0, 0, 1, 0, 0], depth);
  }
}

function formMatrix(pdfium: PdfDocument['pdfium'], form: number): Matrix {
  return withSlots(pdfium, 3, (at): Matrix => {
    if (!pdfium.FPDFPageObj_GetMatrix(form, at)) return [1, 0, 0, 1, 0, 0];
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = readFloats(pdfium, at, 6);
    return [a, b, c, d, e, f];
  });
}

/** `ActualText` says something in the place of what is drawn; what is drawn counts here. */
function ignoreActualText(document: PdfDocument, page: number): void {
  const { pdfium } = document;
  visitObjects(document, page, 8, (object) => {
    for (let index = pdfium.FPDFPageObj_CountMarks(object) - 1; index >= 0; index -= 1) {
      const mark = pdfium.FPDFPageObj_GetMark(object, index);
      pdfium.FPDFPageObjMark_RemoveParam(object, mark, 'ActualText');
    }
  });
}

/** The texts of a page in the order they are drawn in: PDFium sorts what stands on one line. */
function drawingOrder(document: PdfDocument, page: number): Map<number, number> {
  const order = new Map<number, number>();
  visitObjects(document, page, deepest, (object) => {
    if (document.pdfium.FPDFPageObj_GetType(object) === textObject) order.set(object, order.size);
  });
  return order;
}

/**
 * Every character of a loaded page's own text in the order of its content, but for what PDFium sorts,
 * blanks included: drawn and invisible alike, outside the visible rectangle and of no size too. Throws
 * EngineError too_large.
 */
export function readGlyphs(document: PdfDocument, page: number, frame: Frame): Glyph[] {
  const { pdfium } = document;
  ignoreActualText(document, page);
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return [];
  try {
    const count = pdfium.FPDFText_CountChars(text);
    if (count > mostGlyphs) {
      throw new EngineError('too_large', 'A page of the PDF has more text than can be read.');
    }
    const order = drawingOrder(document, page);
    return withSlots(pdfium, 12, (at) =>
      readAll(document, { text, count, order }, userToDisplay(frame), at),
    );
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

/** Reads the characters of a text page; `at` is room for twelve numbers. */
function readAll(
  { pdfium }: PdfDocument,
  { text, count, order }: { text: number; count: number; order: ReadonlyMap<number, number> },
  toDisplay: Matrix,
  at: number,
): Glyph[] {
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const isGenerated = raw('FPDFText_IsGenerated');
  const getObject = raw('FPDFText_GetTextObject');
  const getMode = raw('FPDFTextObj_GetTextRenderMode');
  const getOrigin = raw('FPDFText_GetCharOrigin');
  const getInk = raw('FPDFText_GetCharBox');
  const getCell = raw('FPDFText_GetLooseCharBox');
  const getMatrix = raw('FPDFText_GetMatrix');
  const getSize = raw('FPDFText_GetFontSize');
  const getUnicode = raw('FPDFText_GetUnicode');
  const hasNoMap = raw('FPDFText_HasUnicodeMapError');
  const visible = new Map<number, boolean>();
  const glyphs: Glyph[] = [];
  let doubles: Float64Array = new Float64Array();
  let floats: Float32Array = new Float32Array();
  for (let index = 0; index < count; index += 1) {
    // Blanks and line ends that PDFium made up have no place on the page.
    if (isGenerated(text, index) === 1 || getOrigin(text, index, at, at + 8) === 0) continue;
    const hasInk = getInk(text, index, at + 16, at + 24, at + 32, at + 40) !== 0;
    const hasCell = getCell(text, index, at + 48) !== 0;
    const hasMatrix = getMatrix(text, index, at + 64) !== 0;
    const { buffer } = pdfium.heap();
    if (doubles.buffer !== buffer) {
      doubles = new Float64Array(buffer, at, 6);
      floats = new Float32Array(buffer, at + 48, 10);
    }
    // The pen; left, right, bottom and top of the ink.
    const [penX = 0, penY = 0, left = 0, right = 0, bottom = 0, top = 0] = doubles;
    // FS_RECTF (left, top, right, bottom), then FS_MATRIX.
    const [l = 0, t = 0, r = 0, o = 0, ma = 1, mb = 0, mc = 0, md = 1] = floats;
    const [a, b, c, d] = hasMatrix ? [ma, mb, mc, md] : [1, 0, 0, 1];
    const [x, y] = apply(toDisplay, penX, penY);
    const ux = toDisplay[0] * a + toDisplay[2] * b;
    const uy = toDisplay[1] * a + toDisplay[3] * b;
    const angle = ux === 0 && uy === 0 ? 0 : (Math.atan2(uy, ux) * 180) / Math.PI;
    const size = Math.abs(getSize(text, index)) * Math.hypot(c, d);
    const cell = hasCell ? turned(toDisplay, l, o, r, t) : flat(x, y);
    const ink = hasInk ? turned(toDisplay, left, bottom, right, top) : flat(x, y);
    const advance = advanceOf(cell, angle) ?? size * 0.55;
    if (!Number.isFinite(x + y + angle + size + advance + ink[0] + ink[1] + ink[2] + ink[3])) {
      continue;
    }
    const object = getObject(text, index);
    let drawn = visible.get(object);
    if (drawn === undefined) {
      drawn = object === 0 || getMode(object) !== invisibleMode;
      visible.set(object, drawn);
    }
    const code = getUnicode(text, index);
    // Of a font without a map PDFium gives the codes, which read as something else or nothing.
    let reads = hasNoMap(text, index) === 0 ? readAs(code) : '';
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < count) {
      // Characters beyond 16 bits come in two, of which the second has no place of its own.
      const low = getUnicode(text, index + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        reads = String.fromCharCode(code, low);
        index += 1;
      }
    }
    const place = order.get(object) ?? glyphs.at(-1)?.drawn ?? 0;
    glyphs.push({ text: reads, x, y, angle, size, ink, advance, visible: drawn, drawn: place });
  }
  return glyphs;
}

const flat = (x: number, y: number): Box => [x, y, x, y];

/** A box on the page as displayed: pages turn by quarters only, so two corners are enough. */
function turned(map: Matrix, x0: number, y0: number, x1: number, y1: number): Box {
  const [ax, ay] = apply(map, x0, y0);
  const [bx, by] = apply(map, x1, y1);
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}
