import {
  apply,
  applyToBox,
  heightOf,
  intersection,
  union,
  userToDisplay,
  widthOf,
} from '../../../../geometry.ts';
import { boundsOf, listObjects } from '../../../../pdf/page-objects.ts';
import {
  type PdfDocument,
  readDoubles,
  readFloats,
  withPage,
  withSlots,
} from '../../../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../../../results.ts';
import { frameOf } from '../../../../source.ts';

/** A character on a page, in points as displayed. */
export interface SurveyedGlyph {
  code: number;
  /** The extent of what is drawn; empty for blanks. */
  ink: Box;
  /** Its advance width by the height of its font. */
  cell: Box;
  origin: [number, number];
  /** The direction of its line as displayed: 0 to the right, 90 down; null for other angles. */
  direction: 0 | 90 | 180 | 270 | null;
  visible: boolean;
  /** Whether the font does not map it to a character. */
  unmapped: boolean;
}

/** Something drawn other than text, at which boxes may end. */
interface Obstacle {
  box: Box;
}

export interface Survey {
  frame: PageFrame;
  glyphs: SurveyedGlyph[];
  obstacles: Obstacle[];
}

const invisibleMode = 3;
const mostGlyphs = 500_000;
const mostObjects = 20_000;

/** Blanks and line ends have no ink, whatever box they have. */
export const isBlankCode = (code: number): boolean =>
  code <= 0x20 || code === 0xa0 || (code >= 0x2000 && code <= 0x200b) || code === 0x3000;

/** Reads the position of everything on a page. Throws EngineError. */
export async function surveyGlyphs(document: PdfDocument, number: number): Promise<Survey> {
  return withPage(document, number, (page) => {
    const frame = frameOf(document, page);
    return {
      frame,
      glyphs: readGlyphs(document, page, frame),
      obstacles: readObstacles(document, page, frame),
    };
  });
}

function readGlyphs(document: PdfDocument, page: number, frame: PageFrame): SurveyedGlyph[] {
  const { pdfium } = document;
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return [];
  const toDisplay = userToDisplay(frame);
  const modes = new Map<number, boolean>();
  const glyphs: SurveyedGlyph[] = [];
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

/** How far letters of ordinary fonts extend above and below the baseline, in font sizes. */
const ascent = 0.95;
const descent = 0.3;
/**
 * If a cell would lose more than this, its font size does not match its letters, and it is left
 * alone.
 */
const mostLost = 0.5;

/**
 * Trims the cell of a glyph to an ordinary height; otherwise lines set close together would
 * overlap.
 */
function asHighAsItsLine(
  { cell, ink, origin, direction }: Pick<SurveyedGlyph, 'cell' | 'ink' | 'origin' | 'direction'>,
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
  const within = intersection(cell, union(usual[direction], ink));
  const area = (box: Box): number => widthOf(box) * heightOf(box);
  return within && area(within) >= (1 - mostLost) * area(cell) ? within : cell;
}

/** The quarter turn within half a degree of an angle; null if none. */
function directionOf(degrees: number): SurveyedGlyph['direction'] {
  const turned = ((degrees % 360) + 360) % 360;
  const quarter = Math.round(turned / 90) * 90;
  if (Math.abs(turned - quarter) > 0.5) return null;
  return quarter === 90 ? 90 : quarter === 180 ? 180 : quarter === 270 ? 270 : 0;
}

/** Pictures and drawings, including those in forms. */
function readObstacles(document: PdfDocument, page: number, frame: PageFrame): Obstacle[] {
  return listObjects(document, page, frame)
    .all.slice(0, mostObjects)
    .flatMap((object) => {
      const isObstacle = object.kind === 'path' || object.kind === 'image';
      const box = isObstacle ? boundsOf(document, object) : undefined;
      return box ? [{ box }] : [];
    });
}
