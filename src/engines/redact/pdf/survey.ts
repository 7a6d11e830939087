import { apply, applyToBox, userToDisplay } from '../../geometry.ts';
import {
  type PdfDocument,
  readDoubles,
  readFloats,
  withPage,
  withSlots,
} from '../../pdf/pdfium.ts';
import type { Box, Frame } from '../../results.ts';
import { frameOf } from '../../source.ts';

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
const mostGlyphs = 500_000;
const mostObjects = 20_000;
/** Widest upright rule, in points: the edge of a table's cell. */
const widestRule = 3;

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
      const place = withSlots(pdfium, 8, (at) => {
        if (!pdfium.FPDFText_GetLooseCharBox(text, index, at)) return undefined;
        const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, at, 4);
        if (!pdfium.FPDFText_GetCharBox(text, index, at, at + 8, at + 16, at + 24))
          return undefined;
        const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = readDoubles(pdfium, at, 4);
        if (!pdfium.FPDFText_GetCharOrigin(text, index, at + 32, at + 40)) return undefined;
        const [x = 0, y = 0] = readDoubles(pdfium, at + 32, 2);
        const cell: Box = [left, bottom, right, top];
        const ink: Box = [x0, y0, x1, y1];
        return { cell, ink, origin: apply(toDisplay, x, y) };
      });
      if (!place) continue;
      glyphs.push({
        code,
        ink: applyToBox(toDisplay, place.ink),
        cell: applyToBox(toDisplay, place.cell),
        origin: place.origin,
        direction: directionOf(frame.rotation + degrees),
        visible,
        unmapped: pdfium.FPDFText_HasUnicodeMapError(text, index) === 1,
      });
    }
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
  return glyphs;
}

/** A quarter turn, where an angle is one within half a degree. */
function directionOf(degrees: number): Glyph['direction'] {
  const turned = ((degrees % 360) + 360) % 360;
  const quarter = Math.round(turned / 90) * 90;
  if (Math.abs(turned - quarter) > 0.5) return null;
  return quarter === 90 ? 90 : quarter === 180 ? 180 : quarter === 270 ? 270 : 0;
}

/** Pictures, and the upright or level rules of tables. */
function readObstacles(document: PdfDocument, page: number, frame: Frame): Obstacle[] {
  const { pdfium } = document;
  const toDisplay = userToDisplay(frame);
  const count = Math.min(pdfium.FPDFPage_CountObjects(page), mostObjects);
  const obstacles: Obstacle[] = [];
  for (let index = 0; index < count; index += 1) {
    const object = pdfium.FPDFPage_GetObject(page, index);
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type !== pathObject && type !== imageObject) continue;
    const box = withSlots(pdfium, 2, (at) => {
      if (!pdfium.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return undefined;
      const [left = 0, bottom = 0, right = 0, top = 0] = readFloats(pdfium, at, 4);
      return applyToBox(toDisplay, [left, bottom, right, top]);
    });
    if (!box) continue;
    const thin = Math.min(box[2] - box[0], box[3] - box[1]) <= widestRule;
    if (type === imageObject || thin) obstacles.push({ box });
  }
  return obstacles;
}
