import { applyToBox, compose, type Matrix, userToDisplay } from '../geometry.ts';
import type { Box, PageFrame } from '../results.ts';
import { type PdfDocument, rawFunction, withSlots } from './pdfium.ts';

/** FPDF_PAGEOBJ_* in PDFium's public header. */
const kinds = ['other', 'text', 'path', 'image', 'shading', 'form'] as const;

/** An object that a page draws. */
export type PageObject = {
  /** PDFium's pointer to the object, valid while the page is loaded. */
  handle: number;
  kind: (typeof kinds)[number];
  /** Maps the coordinates of the object to points as displayed. */
  map: Matrix;
};

/** The objects of a page in drawing order; a form precedes its contents. */
export type PageObjects = {
  document: PdfDocument;
  all: readonly PageObject[];
  /** False if the page has more objects, or more deeply nested ones, than are listed. */
  complete: boolean;
};

/** The maximum number of objects and depth of forms that the check of a redacted page accepts. */
const maxObjects = 500_000;
const maxDepth = 30;

/**
 * Lists the objects that a loaded page draws, including those in forms. All code that needs the
 * objects of a page uses this list.
 */
export function listObjects(document: PdfDocument, page: number, frame: PageFrame): PageObjects {
  const { pdfium } = document;
  const raw = (name: string): ((...args: number[]) => number) => rawFunction(pdfium, name);
  const typeOf = raw('FPDFPageObj_GetType');
  const count = raw('FPDFPage_CountObjects');
  const objectAt = raw('FPDFPage_GetObject');
  const countInner = raw('FPDFFormObj_CountObjects');
  const innerAt = raw('FPDFFormObj_GetObject');
  const all: PageObject[] = [];
  let complete = true;
  const visit = (handle: number, map: Matrix, depth: number): void => {
    const kind = kinds[typeOf(handle)] ?? 'other';
    all.push({ handle, kind, map });
    if (kind !== 'form') return;
    const innerCount = countInner(handle);
    if (depth === maxDepth) {
      if (innerCount > 0) complete = false;
      return;
    }
    const formMap = compose(map, matrixOf(document, handle));
    visitAll(innerCount, (index) => innerAt(handle, index), formMap, depth + 1);
  };
  const visitAll = (
    length: number,
    handleAt: (index: number) => number,
    map: Matrix,
    depth: number,
  ): void => {
    for (let index = 0; index < length; index += 1) {
      if (all.length >= maxObjects) {
        complete = false;
        return;
      }
      visit(handleAt(index), map, depth);
    }
  };
  visitAll(count(page), (index) => objectAt(page, index), userToDisplay(frame), 0);
  return { document, all, complete };
}

/**
 * Returns the matrix of an object: from its coordinates to those of the page or form that draws it.
 */
export function matrixOf({ pdfium }: PdfDocument, handle: number): Matrix {
  return withSlots(pdfium, 3, (at): Matrix => {
    if (rawFunction(pdfium, 'FPDFPageObj_GetMatrix')(handle, at) === 0) return [1, 0, 0, 1, 0, 0];
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = new Float32Array(
      pdfium.heap().buffer,
      at,
      6,
    );
    return [a, b, c, d, e, f];
  });
}

/** Returns the bounding box of an object, in points as displayed; undefined if PDFium has none. */
export function boundsOf({ pdfium }: PdfDocument, { handle, map }: PageObject): Box | undefined {
  return withSlots(pdfium, 2, (at): Box | undefined => {
    const status = rawFunction(pdfium, 'FPDFPageObj_GetBounds')(
      handle,
      at,
      at + 4,
      at + 8,
      at + 12,
    );
    if (status === 0) return undefined;
    const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(
      pdfium.heap().buffer,
      at,
      4,
    );
    return applyToBox(map, [left, bottom, right, top]);
  });
}
