import {
  apply,
  applyToBox,
  heightOf,
  intersection,
  union,
  userToDisplay,
  widthOf,
} from '../../../../geometry.ts';
import { keepFont } from '../../../../pdf/kept-fonts.ts';
import { frameOf } from '../../../../pdf/page-frame.ts';
import { boundsOf, listObjects } from '../../../../pdf/page-objects.ts';
import {
  type PdfDocument,
  rawFunction,
  readDoubles,
  readFloats,
  withPage,
  withSlots,
} from '../../../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../../../results.ts';

/** A character on a page, in points as displayed. */
export interface SurveyedGlyph {
  code: number;
  /** The bounding box of the glyph's outline; empty for blanks. */
  ink: Box;
  /** The glyph's cell: its advance width, by the height of its font. */
  cell: Box;
  /** The part of the cell that every letter fills. */
  core: Box;
  origin: [number, number];
  /**
   * The direction of the glyph's line as displayed: 0 to the right, 90 down. Null for other angles.
   */
  direction: 0 | 90 | 180 | 270 | null;
  visible: boolean;
  /** Whether the font does not map the glyph to a character. */
  isUnmapped: boolean;
}

/** A drawn object other than text. Boxes may end there. */
interface Obstacle {
  box: Box;
}

export interface Survey {
  frame: PageFrame;
  glyphs: SurveyedGlyph[];
  obstacles: Obstacle[];
}

const invisibleMode = 3;
const maxGlyphs = 500_000;
const maxObjects = 20_000;

/**
 * Whether a code is a blank or ends a line. Such characters have no ink, even if they have a box.
 */
export const isBlankCode = (code: number): boolean =>
  code <= 0x20 || code === 0xa0 || (code >= 0x2000 && code <= 0x200b) || code === 0x3000;

/**
 * Reads the positions of all content of a page.
 * @throws EngineError if the page cannot be read
 */
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
  try {
    const count = Math.min(pdfium.FPDFText_CountChars(text), maxGlyphs);
    return withSlots(pdfium, 10, (at) => {
      const read = glyphReader(document, text, frame, at);
      const glyphs: SurveyedGlyph[] = [];
      for (let index = 0; index < count; index += 1) {
        const glyph = read(index);
        if (glyph) glyphs.push(glyph);
      }
      return glyphs;
    });
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

/** Reads glyphs of a text page by index. Uses ten slots at `at`. */
function glyphReader(
  document: PdfDocument,
  text: number,
  frame: PageFrame,
  at: number,
): (index: number) => SurveyedGlyph | undefined {
  const { pdfium } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const isGenerated = raw('FPDFText_IsGenerated');
  const getUnicode = raw('FPDFText_GetUnicode');
  const getObject = raw('FPDFText_GetTextObject');
  const getAngle = raw('FPDFText_GetCharAngle');
  const getCell = raw('FPDFText_GetLooseCharBox');
  const getInk = raw('FPDFText_GetCharBox');
  const getOrigin = raw('FPDFText_GetCharOrigin');
  const getMatrix = raw('FPDFText_GetMatrix');
  const getSize = raw('FPDFText_GetFontSize');
  const hasNoMap = raw('FPDFText_HasUnicodeMapError');
  const getFont = raw('FPDFTextObj_GetFont');
  const toDisplay = userToDisplay(frame);
  const visibility = new Map<number, boolean>();
  return (index) => {
    if (isGenerated(text, index) === 1) return undefined;
    const object = getObject(text, index);
    let visible = visibility.get(object);
    if (visible === undefined) {
      visible = pdfium.FPDFTextObj_GetTextRenderMode(object) !== invisibleMode;
      if (object !== 0) keepFont(document, getFont(object));
      visibility.set(object, visible);
    }
    if (!getCell(text, index, at)) return undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, at, 4);
    if (!getInk(text, index, at, at + 8, at + 16, at + 24)) return undefined;
    if (!getOrigin(text, index, at + 32, at + 40)) return undefined;
    const [x0 = 0, x1 = 0, y0 = 0, y1 = 0, x = 0, y = 0] = readDoubles(pdfium, at, 6);
    const [, , c = 0, d = 1] = getMatrix(text, index, at + 48)
      ? readFloats(pdfium, at + 48, 4)
      : [];
    const size = Math.abs(getSize(text, index)) * Math.hypot(c, d);
    const origin = apply(toDisplay, x, y);
    const direction = directionOf(frame.rotation + (getAngle(text, index) * 180) / Math.PI);
    const ink = applyToBox(toDisplay, [x0, y0, x1, y1]);
    const looseCell = applyToBox(toDisplay, [left, bottom, right, top]);
    const cell = trimToLine({ cell: looseCell, ink, origin, direction }, size);
    return {
      code: getUnicode(text, index),
      ink,
      cell,
      core: coreOf({ cell, origin, direction }),
      origin,
      direction,
      visible,
      isUnmapped: hasNoMap(text, index) === 1,
    };
  };
}

/** Extent of the letters of ordinary fonts above and below the baseline, in font sizes. */
const ascent = 0.95;
const descent = 0.3;
/**
 * Maximum share of a cell that may be trimmed. If more would be lost, the font size does not match
 * the letters, and the cell is left unchanged.
 */
const maxTrimmedShare = 0.5;

/**
 * Trims the cell of a glyph to the usual height, because cells of closely set lines would overlap
 * otherwise.
 */
function trimToLine(
  { cell, ink, origin, direction }: Pick<SurveyedGlyph, 'cell' | 'ink' | 'origin' | 'direction'>,
  size: number,
): Box {
  if (direction === null) return cell;
  const [x, y] = origin;
  const [up, down] = [ascent * size, descent * size];
  const lineCells: Record<typeof direction, Box> = {
    0: [cell[0], y - up, cell[2], y + down],
    90: [x - down, cell[1], x + up, cell[3]],
    180: [cell[0], y - down, cell[2], y + up],
    270: [x - up, cell[1], x + down, cell[3]],
  };
  const trimmed = intersection(cell, union(lineCells[direction], ink));
  const area = (box: Box): number => widthOf(box) * heightOf(box);
  return trimmed && area(trimmed) >= (1 - maxTrimmedShare) * area(cell) ? trimmed : cell;
}

/** Returns the part of a cell that every letter fills. */
function coreOf({
  cell,
  origin,
  direction,
}: Pick<SurveyedGlyph, 'cell' | 'origin' | 'direction'>): Box {
  const [x0, y0, x1, y1] = cell;
  const isLevel = direction === 0 || direction === 180 || direction === null;
  if (isLevel) {
    const isUpright = direction !== 180;
    const size = Math.abs(y1 - y0) * 0.45;
    return isUpright
      ? [x0, origin[1] - size, x1, origin[1]]
      : [x0, origin[1], x1, origin[1] + size];
  }
  const size = Math.abs(x1 - x0) * 0.45;
  return direction === 90
    ? [origin[0], y0, origin[0] + size, y1]
    : [origin[0] - size, y0, origin[0], y1];
}

/** Returns the quarter turn within half a degree of an angle; null for other angles. */
function directionOf(degrees: number): SurveyedGlyph['direction'] {
  const normalised = ((degrees % 360) + 360) % 360;
  const quarter = Math.round(normalised / 90) * 90;
  if (Math.abs(normalised - quarter) > 0.5) return null;
  return quarter === 90 ? 90 : quarter === 180 ? 180 : quarter === 270 ? 270 : 0;
}

/** Returns pictures and drawings, including those in forms. */
function readObstacles(document: PdfDocument, page: number, frame: PageFrame): Obstacle[] {
  return listObjects(document, page, frame)
    .all.slice(0, maxObjects)
    .flatMap((object) => {
      const isObstacle = object.kind === 'path' || object.kind === 'image';
      const box = isObstacle ? boundsOf(document, object) : undefined;
      return box ? [{ box }] : [];
    });
}
