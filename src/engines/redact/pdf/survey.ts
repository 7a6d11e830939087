import { apply, applyToBox, compose, type Matrix, userToDisplay } from '../../geometry.ts';
import {
  type PdfDocument,
  readDoubles,
  readFloats,
  withPage,
  withSlots,
} from '../../pdf/pdfium.ts';
import type { Box, Frame } from '../../results.ts';
import { frameOf } from '../../source.ts';
import { cut, heightOf, union, widthOf } from './boxes.ts';

/** A character on a page, in points as displayed. */
export interface Glyph {
  code: number;
  /** What is drawn of it; empty for blanks. */
  ink: Box;
  /** Its advance by the height of its font. */
  cell: Box;
  origin: [number, number];
  /** The way its line runs as displayed: 0 to the right, 90 down; null for any other angle. */
  direction: 0 | 90 | 180 | 270 | null;
  visible: boolean;
  /** The font does not say which character it is. */
  unmapped: boolean;
}

/** Something drawn that is no text: boxes may stop at it. */
export interface Obstacle {
  box: Box;
}

export interface Survey {
  frame: Frame;
  glyphs: Glyph[];
  obstacles: Obstacle[];
}

const invisibleMode = 3;
const pathObject = 2;
const imageObject = 3;
const formObject = 5;
const deepestForm = 12;
const mostGlyphs = 500_000;
const mostObjects = 20_000;

/** Blanks and line ends have no ink, whatever box they are given. */
export const isBlank = (code: number): boolean =>
  code <= 0x20 || code === 0xa0 || (code >= 0x2000 && code <= 0x200b) || code === 0x3000;

/** Reads where everything on a page stands. Throws EngineError. */
export async function surveyPage(document: PdfDocument, number: number): Promise<Survey> {
  return withPage(document, number, (page) => {
    const frame = frameOf(document, page);
    return {
      frame,
      glyphs: readGlyphs(document, page, frame),
      obstacles: readObstacles(document, page, frame),
    };
  });
}

function readGlyphs(document: PdfDocument, page: number, frame: Frame): Glyph[] {
  const { pdfium } = document;
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return [];
  const toDisplay = userToDisplay(frame);
  const modes = new Map<number, boolean>();
  const glyphs: Glyph[] = [];
  try {
    const count = Math.min(pdfium.FPDFText_CountChars(text), mostGlyphs);
    for (let index = 0; index < count; index += 1) {
      if (pdfium.FPDFText_IsGenerated(text, index) === 1) continue;
      const code = pdfium.FPDFText_GetUnicode(text, index);
      const object = pdfium.FPDFText_GetTextObject(text, index);
      let visible = modes.get(object);
      if (visible === undefined) {
        visible = pdfium.FPDFTextObj_GetTextRenderMode(object) !== invisibleMode;
        modes.set(object, visible);
      }
      const degrees = (pdfium.FPDFText_GetCharAngle(text, index) * 180) / Math.PI;
      const place = withSlots(pdfium, 10, (at) => {
        if (!pdfium.FPDFText_GetLooseCharBox(text, index, at)) return undefined;
        const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, at, 4);
        if (!pdfium.FPDFText_GetCharBox(text, index, at, at + 8, at + 16, at + 24))
          return undefined;
        const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = readDoubles(pdfium, at, 4);
        if (!pdfium.FPDFText_GetCharOrigin(text, index, at + 32, at + 40)) return undefined;
        const [x = 0, y = 0] = readDoubles(pdfium, at + 32, 2);
        const isSet = pdfium.FPDFText_GetMatrix(text, index, at + 48);
        const [, , c = 0, d = 1] = isSet ? readFloats(pdfium, at + 48, 4) : [];
        const cell: Box = [left, bottom, right, top];
        const ink: Box = [x0, y0, x1, y1];
        const size = Math.abs(pdfium.FPDFText_GetFontSize(text, index)) * Math.hypot(c, d);
        return { cell, ink, origin: apply(toDisplay, x, y), size };
      });
      if (!place) continue;
      const { origin, size } = place;
      const direction = directionOf(frame.rotation + degrees);
      const ink = applyToBox(toDisplay, place.ink);
      const cell = applyToBox(toDisplay, place.cell);
      glyphs.push({
        code,
        ink,
        cell: asHighAsItsLine({ cell, ink, origin, direction }, size),
        origin,
        direction,
        visible,
        unmapped: pdfium.FPDFText_HasUnicodeMapError(text, index) === 1,
      });
    }
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
  return glyphs;
}

/** How far letters of usual fonts reach over and under their line, in sizes of the font. */
const ascent = 0.95;
const descent = 0.3;
/** A cell that would lose more than this is left: then the size is not that of the letters. */
const mostLost = 0.5;

/**
 * The cell of a glyph without what its font claims beyond the usual: lines set close together would
 * stand in one another's.
 */
function asHighAsItsLine(
  { cell, ink, origin, direction }: Pick<Glyph, 'cell' | 'ink' | 'origin' | 'direction'>,
  size: number,
): Box {
  if (direction === null) return cell;
  const [x, y] = origin;
  const [up, down] = [ascent * size, descent * size];
  const usual: Record<typeof direction, Box> = {
    0: [cell[0], y - up, cell[2], y + down],
    90: [x - down, cell[1], x + up, cell[3]],
    180: [cell[0], y - down, cell[2], y + up],
    270: [x - up, cell[1], x + down, cell[3]],
  };
  const within = cut(cell, union(usual[direction], ink));
  const area = (box: Box): number => widthOf(box) * heightOf(box);
  return within && area(within) >= (1 - mostLost) * area(cell) ? within : cell;
}

/** A quarter turn, where an angle is one within half a degree. */
function directionOf(degrees: number): Glyph['direction'] {
  const turned = ((degrees % 360) + 360) % 360;
  const quarter = Math.round(turned / 90) * 90;
  if (Math.abs(turned - quarter) > 0.5) return null;
  return quarter === 90 ? 90 : quarter === 180 ? 180 : quarter === 270 ? 270 : 0;
}

/** Pictures and drawings, those of forms too. */
function readObstacles({ pdfium }: PdfDocument, page: number, frame: Frame): Obstacle[] {
  const obstacles: Obstacle[] = [];
  let seen = 0;
  const read = (object: number, toDisplay: Matrix, depth: number): void => {
    seen += 1;
    if (seen > mostObjects) return;
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type === formObject && depth > 0) {
      const map = withSlots(pdfium, 3, (at): Matrix => {
        if (!pdfium.FPDFPageObj_GetMatrix(object, at)) return toDisplay;
        const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = readFloats(pdfium, at, 6);
        return compose(toDisplay, [a, b, c, d, e, f]);
      });
      const count = pdfium.FPDFFormObj_CountObjects(object);
      for (let index = 0; index < count && seen <= mostObjects; index += 1) {
        read(pdfium.FPDFFormObj_GetObject(object, index), map, depth - 1);
      }
    }
    if (type !== pathObject && type !== imageObject) return;
    const box = withSlots(pdfium, 2, (at) => {
      if (!pdfium.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return undefined;
      const [left = 0, bottom = 0, right = 0, top = 0] = readFloats(pdfium, at, 4);
      return applyToBox(toDisplay, [left, bottom, right, top]);
    });
    if (box) obstacles.push({ box });
  };
  const count = pdfium.FPDFPage_CountObjects(page);
  for (let index = 0; index < count && seen <= mostObjects; index += 1) {
    read(pdfium.FPDFPage_GetObject(page, index), userToDisplay(frame), deepestForm);
  }
  return obstacles;
}
