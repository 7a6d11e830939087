import { applyToBox, compose, type Matrix, userToDisplay } from '../geometry.ts';
import type { Box, Frame } from '../results.ts';
import { type PdfDocument, rawFunction, withSlots } from './pdfium.ts';

/** Where a page shows pictures and drawings, in points as displayed. */
export type PageShapes = {
  pictures: Box[];
  /** What is drawn with lines and fills, each shape by itself, and of how many segments it is. */
  paths: { box: Box; segments: number }[];
  /** The page has more than was looked at. */
  crowded: boolean;
};

/** FPDF_PAGEOBJ_* of PDFium's public header. */
const pathObject = 2;
const imageObject = 3;
const shadingObject = 4;
const formObject = 5;
const mostObjects = 20_000;
const deepest = 8;

/** Pictures and drawn shapes of a loaded page, forms included. */
export function readShapes(document: PdfDocument, page: number, frame: Frame): PageShapes {
  const { pdfium } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const getType = raw('FPDFPageObj_GetType');
  const getMatrix = raw('FPDFPageObj_GetMatrix');
  const getBounds = raw('FPDFPageObj_GetBounds');
  const countSegments = raw('FPDFPath_CountSegments');
  const countObjects = raw('FPDFPage_CountObjects');
  const getObject = raw('FPDFPage_GetObject');
  const countInner = raw('FPDFFormObj_CountObjects');
  const getInner = raw('FPDFFormObj_GetObject');
  const found: PageShapes = { pictures: [], paths: [], crowded: false };
  let seen = 0;
  return withSlots(pdfium, 3, (at) => {
    const floats = (count: number): Float32Array =>
      new Float32Array(pdfium.heap().buffer, at, count);
    const matrixOf = (object: number): Matrix => {
      if (getMatrix(object, at) === 0) return [1, 0, 0, 1, 0, 0];
      const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = floats(6);
      return [a, b, c, d, e, f];
    };
    const visit = (object: number, map: Matrix, depth: number): void => {
      seen += 1;
      if (seen > mostObjects) return;
      const type = getType(object);
      if (type === imageObject) {
        found.pictures.push(applyToBox(compose(map, matrixOf(object)), [0, 0, 1, 1]));
      } else if (type === pathObject || type === shadingObject) {
        if (getBounds(object, at, at + 4, at + 8, at + 12) === 0) return;
        const [left = 0, bottom = 0, right = 0, top = 0] = floats(4);
        const box = applyToBox(map, [left, bottom, right, top]);
        found.paths.push({ box, segments: type === pathObject ? countSegments(object) : 1 });
      } else if (type === formObject && depth > 0) {
        const inner = compose(map, matrixOf(object));
        const count = Math.min(countInner(object), mostObjects);
        for (let index = 0; index < count && seen <= mostObjects; index += 1) {
          visit(getInner(object, index), inner, depth - 1);
        }
      }
    };
    const count = Math.min(countObjects(page), mostObjects + 1);
    for (let index = 0; index < count && seen <= mostObjects; index += 1) {
      visit(getObject(page, index), userToDisplay(frame), deepest);
    }
    found.crowded = seen > mostObjects;
    return found;
  });
}
