import { EngineError } from '@scriptorium/sandbox/errors';
import { apply, applyToBox, compose, type Matrix, userToDisplay } from '../../../geometry.ts';
import { type PdfDocument, readFloats, withSlots } from '../../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../../results.ts';

/**
 * An object drawn on a page, with its position in the drawing order. Boxes are in points as
 * displayed.
 */
export type DrawnObject = { order: number; box: Box; visible: boolean } & (
  | { kind: 'text' | 'shading' | 'other' }
  | { kind: 'path'; parts: PathPart[]; isAligned: boolean; isFilled: boolean }
  | { kind: 'image'; object: number; matrix: Matrix }
);

/** A subpath: the part of a path that is drawn without lifting the pen. */
export interface PathPart {
  points: [number, number][];
  /** Whether the subpath has neither curves nor slanting lines. */
  isAligned: boolean;
}

const maxObjects = 500_000;
const maxDepth = 30;
const maxPoints = 2_000_000;
/** FPDF_PAGEOBJ_* constants of PDFium's public header. */
const objectKinds = ['other', 'text', 'path', 'image', 'shading', 'form'] as const;
/** FPDF_SEGMENT_* constants of the same header. */
const segmentTypes = { curve: 1, move: 2 };
const invisibleMode = 3;

/**
 * Reads everything that a loaded page draws, with forms expanded.
 * @throws EngineError `too_large` if the page draws too much
 */
export function readObjects(document: PdfDocument, page: number, frame: PageFrame): DrawnObject[] {
  const { pdfium } = document;
  const objects: DrawnObject[] = [];
  let points = 0;

  const visit = (object: number, map: Matrix, depth: number): void => {
    if (objects.length > maxObjects || depth > maxDepth) {
      throw new EngineError('too_large', 'The page has too many objects to be checked.');
    }
    const kind = objectKinds[pdfium.FPDFPageObj_GetType(object)] ?? 'other';
    const matrix = withSlots(pdfium, 3, (at): Matrix => {
      if (!pdfium.FPDFPageObj_GetMatrix(object, at)) return [1, 0, 0, 1, 0, 0];
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = readFloats(pdfium, at, 6);
      return [a, b, c, d, e, f];
    });
    const objectMatrix = compose(map, matrix);
    if (kind === 'form') {
      const count = pdfium.FPDFFormObj_CountObjects(object);
      for (let index = 0; index < count; index += 1) {
        visit(pdfium.FPDFFormObj_GetObject(object, index), objectMatrix, depth + 1);
      }
      return;
    }
    const box = withSlots(pdfium, 2, (at): Box => {
      if (!pdfium.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return [0, 0, 0, 0];
      const [left = 0, bottom = 0, right = 0, top = 0] = readFloats(pdfium, at, 4);
      return applyToBox(map, [left, bottom, right, top]);
    });
    const order = objects.length;
    if (kind === 'path') {
      const parts = readParts(object, objectMatrix);
      points += parts.reduce((sum, part) => sum + part.points.length, 0);
      if (points > maxPoints) {
        throw new EngineError('too_large', 'The page has too many objects to be checked.');
      }
      const isFilled = withSlots(pdfium, 1, (at) => {
        const known = pdfium.FPDFPath_GetDrawMode(object, at, at + 4);
        return known && (pdfium.heap()[at] ?? 0) !== 0;
      });
      const isAligned = parts.every((part) => part.isAligned);
      objects.push({ kind, order, box, visible: true, parts, isAligned, isFilled });
    } else if (kind === 'image') {
      objects.push({
        kind,
        order,
        box: applyToBox(objectMatrix, [0, 0, 1, 1]),
        visible: true,
        object,
        matrix: objectMatrix,
      });
    } else {
      const visible =
        kind !== 'text' || pdfium.FPDFTextObj_GetTextRenderMode(object) !== invisibleMode;
      objects.push({ kind, order, box, visible });
    }
  };

  const readParts = (path: number, map: Matrix): PathPart[] => {
    const count = Math.min(pdfium.FPDFPath_CountSegments(path), maxPoints);
    const parts: PathPart[] = [];
    for (let index = 0; index < count; index += 1) {
      const segment = pdfium.FPDFPath_GetPathSegment(path, index);
      const [x = 0, y = 0] = withSlots(pdfium, 1, (at) => {
        pdfium.FPDFPathSegment_GetPoint(segment, at, at + 4);
        return readFloats(pdfium, at, 2);
      });
      const point = apply(map, x, y);
      const type = pdfium.FPDFPathSegment_GetType(segment);
      const part = parts.at(-1);
      const previous = part?.points.at(-1);
      if (!part || !previous || type === segmentTypes.move) {
        parts.push({ points: [point], isAligned: true });
        continue;
      }
      const isStraight =
        Math.abs(previous[0] - point[0]) < 0.05 || Math.abs(previous[1] - point[1]) < 0.05;
      if (type === segmentTypes.curve || !isStraight) part.isAligned = false;
      part.points.push(point);
    }
    return parts;
  };

  const toDisplay = userToDisplay(frame);
  const count = pdfium.FPDFPage_CountObjects(page);
  for (let index = 0; index < count; index += 1) {
    visit(pdfium.FPDFPage_GetObject(page, index), toDisplay, 0);
  }
  return objects;
}
