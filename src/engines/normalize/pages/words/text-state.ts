import type { Matrix } from '../../../geometry.ts';
import { type FontLook, fontReader } from '../../../pdf/page-fonts.ts';
import { type PdfDocument, rawFunction } from '../../../pdf/pdfium.ts';
import { symbolFont } from './characters.ts';
import { artifact } from './word.ts';

/** Text render modes of PDF 32000-1 §9.3.6. */
const strokedToo = 2;
const invisible = 3;
const clipOnly = 7;
/** The maximum number of cached text states. */
const mostLike = 8;

/** The common state of the letters of one text object. */
export type TextState = FontLook & {
  size: number;
  angle: number;
  cos: number;
  sin: number;
  seen: boolean;
  mark: number;
  /** A font of symbols, whose codes map to letters. */
  symbols: boolean;
};

/** Whether letters with these states may be of one word: equal except for size and position. */
export function sameLook(a: TextState, b: TextState): boolean {
  return (
    a.angle === b.angle &&
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.mono === b.mono &&
    a.math === b.math &&
    a.seen === b.seen &&
    a.mark === b.mark
  );
}

/** The advance of the pen: from the upright box around pen, advance and the font's height. */
export function advanceOf(
  width: number,
  height: number,
  { cos, sin }: TextState,
  quarter: boolean,
): number {
  const [w, h] = quarter ? [height, width] : [width, height];
  if (sin === 0) return w;
  if (cos === 0) return h;
  const upright = cos * cos - sin * sin;
  if (Math.abs(upright) < 0.3) return Math.min(w, h) * 0.7;
  return Math.max(0, (w * Math.abs(cos) - h * Math.abs(sin)) / upright);
}

/** Reads the state of the letters of a text object; each object once. */
export function textStateReader(
  document: PdfDocument,
  text: number,
  toDisplay: Matrix,
  at: number,
): (object: number, index: number) => TextState {
  const { pdfium } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const getMode = raw('FPDFTextObj_GetTextRenderMode');
  const getFont = raw('FPDFTextObj_GetFont');
  const getMatrix = raw('FPDFText_GetMatrix');
  const getSize = raw('FPDFText_GetFontSize');
  const getMark = raw('FPDFPageObj_GetMarkedContentID');
  const countMarks = raw('FPDFPageObj_CountMarks');
  const markAt = raw('FPDFPageObj_GetMark');
  const nameOf = raw('FPDFPageObjMark_GetName');
  const isArtifact = (object: number): boolean => {
    const marks = Math.min(8, countMarks(object));
    for (let index = 0; index < marks; index += 1) {
      // The name in UTF-16; `Artifact` is what a page shows besides its content (§14.8.2.2).
      if (nameOf(markAt(object, index), at + 64, 18, at + 88) === 0) continue;
      const { buffer } = pdfium.heap();
      if (Buffer.from(buffer, at + 64, 16).toString('utf16le') === 'Artifact') return true;
    }
    return false;
  };
  const lookOf = fontReader(document);
  const known = new Map<number, TextState>();
  /** The components of states, shared: most objects have the same state as an earlier one. */
  const made: { key: readonly number[]; state: TextState }[] = [];
  let floats: Float32Array = new Float32Array();
  const [ta, tb, tc, td] = toDisplay;
  return (object, index) => {
    const before = known.get(object);
    if (before) return before;
    let [a, b, c, d] = [1, 0, 0, 1];
    if (getMatrix(text, index, at + 40) !== 0) {
      if (floats.length === 0) floats = new Float32Array(pdfium.heap().buffer, at + 40, 4);
      a = floats[0] ?? 1;
      b = floats[1] ?? 0;
      c = floats[2] ?? 0;
      d = floats[3] ?? 1;
    }
    const mode = getMode(object);
    const font = getFont(object);
    const fontSize = getSize(text, index);
    const mark = isArtifact(object) ? artifact : getMark(object);
    const key = [font, mode, fontSize, mark, a, b, c, d];
    const like = made.findLast((other) => other.key.every((value, place) => value === key[place]));
    if (like) {
      known.set(object, like.state);
      return like.state;
    }
    const look = lookOf(font);
    const ux = ta * a + tc * b;
    const uy = tb * a + td * b;
    const exact = ux === 0 && uy === 0 ? 0 : (Math.atan2(uy, ux) * 180) / Math.PI;
    const angle = Math.round(exact * 10) / 10 + 0;
    const level = angle % 90 === 0;
    const radians = (angle * Math.PI) / 180;
    const size = Math.round(Math.abs(fontSize) * Math.hypot(c, d) * 100) / 100;
    const state: TextState = {
      ...look,
      bold: look.bold || mode === strokedToo,
      size: Number.isFinite(size) ? size : 0,
      angle,
      cos: level ? Math.round(Math.cos(radians)) : Math.cos(radians),
      sin: level ? Math.round(Math.sin(radians)) : Math.sin(radians),
      seen: mode !== invisible && mode !== clipOnly,
      mark,
      symbols: symbolFont.test(look.name),
    };
    known.set(object, state);
    // A page has few sizes; if it has many marks, they are those of the last lines.
    if (made.length >= mostLike) made.shift();
    made.push({ key, state });
    return state;
  };
}
