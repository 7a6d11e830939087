import { EngineError } from '@scriptorium/sandbox/errors';
import { apply, applyToBox, compose, type Matrix, userToDisplay } from '../../../geometry.ts';
import { type PdfDocument, rawFunction, withSlots } from '../../../pdf/pdfium.ts';
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
  const raw = (name: string): NumberFunction => rawFunction(document.pdfium, name);
  const [typeOf, countInner, innerAt] = [
    raw('FPDFPageObj_GetType'),
    raw('FPDFFormObj_CountObjects'),
    raw('FPDFFormObj_GetObject'),
  ];
  const [countObjects, objectAt] = [raw('FPDFPage_CountObjects'), raw('FPDFPage_GetObject')];
  return withSlots(document.pdfium, 3, (at) => {
    const reader = new ObjectReader(document, at);
    const visit = (object: number, map: Matrix, depth: number): void => {
      if (reader.objects.length > maxObjects || depth > maxDepth) throw tooManyObjects();
      const kind = objectKinds[typeOf(object)] ?? 'other';
      if (kind !== 'form') {
        reader.read(object, kind, map);
        return;
      }
      const inner = compose(map, reader.matrixOf(object));
      const count = countInner(object);
      for (let index = 0; index < count; index += 1)
        visit(innerAt(object, index), inner, depth + 1);
    };
    const toDisplay = userToDisplay(frame);
    const count = countObjects(page);
    for (let index = 0; index < count; index += 1) visit(objectAt(page, index), toDisplay, 0);
    return reader.objects;
  });
}

const tooManyObjects = (): EngineError =>
  new EngineError('too_large', 'The page has too many objects to be checked.');

type NumberFunction = (...args: number[]) => number;

/** Reads drawn objects through `at`, which has space for six numbers of four bytes. */
class ObjectReader {
  readonly objects: DrawnObject[] = [];
  readonly #pdfium: PdfDocument['pdfium'];
  readonly #at: number;
  readonly #functions = new Map<string, NumberFunction>();
  #numbers: Float32Array = new Float32Array();
  #points = 0;

  constructor({ pdfium }: PdfDocument, at: number) {
    this.#pdfium = pdfium;
    this.#at = at;
  }

  /** Adds an object. `map` maps the coordinates around it to points as displayed. */
  read(object: number, kind: Exclude<(typeof objectKinds)[number], 'form'>, map: Matrix): void {
    const order = this.objects.length;
    if (kind === 'image') {
      const matrix = compose(map, this.matrixOf(object));
      const box = applyToBox(matrix, [0, 0, 1, 1]);
      this.objects.push({ kind, order, box, visible: true, object, matrix });
      return;
    }
    const bounds = this.#boundsOf(object);
    const box: Box = bounds ? applyToBox(map, bounds) : [0, 0, 0, 0];
    if (kind === 'path') {
      const parts = this.#partsOf(object, compose(map, this.matrixOf(object)));
      const isFilled = this.#isFilled(object);
      const isAligned = parts.every((part) => part.isAligned);
      this.objects.push({ kind, order, box, visible: true, parts, isAligned, isFilled });
    } else {
      const mode = kind === 'text' ? this.#raw('FPDFTextObj_GetTextRenderMode')(object) : 0;
      this.objects.push({ kind, order, box, visible: mode !== invisibleMode });
    }
  }

  /** Returns the matrix of an object. */
  matrixOf(object: number): Matrix {
    if (this.#raw('FPDFPageObj_GetMatrix')(object, this.#at) === 0) return [1, 0, 0, 1, 0, 0];
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = this.#read();
    return [a, b, c, d, e, f];
  }

  #raw(name: string): NumberFunction {
    const known = this.#functions.get(name) ?? rawFunction(this.#pdfium, name);
    this.#functions.set(name, known);
    return known;
  }

  /** Returns the numbers at the address. A view becomes empty when PDFium's memory grows. */
  #read(): Float32Array {
    if (this.#numbers.length === 0)
      this.#numbers = new Float32Array(this.#pdfium.heap().buffer, this.#at, 6);
    return this.#numbers;
  }

  #boundsOf(object: number): Box | undefined {
    const at = this.#at;
    const status = this.#raw('FPDFPageObj_GetBounds')(object, at, at + 4, at + 8, at + 12);
    if (status === 0) return undefined;
    const [left = 0, bottom = 0, right = 0, top = 0] = this.#read();
    return [left, bottom, right, top];
  }

  #isFilled(path: number): boolean {
    const isKnown = this.#raw('FPDFPath_GetDrawMode')(path, this.#at, this.#at + 4) !== 0;
    return isKnown && (this.#pdfium.heap()[this.#at] ?? 0) !== 0;
  }

  #partsOf(path: number, map: Matrix): PathPart[] {
    const [segmentAt, getPoint, typeOf] = [
      this.#raw('FPDFPath_GetPathSegment'),
      this.#raw('FPDFPathSegment_GetPoint'),
      this.#raw('FPDFPathSegment_GetType'),
    ];
    const at = this.#at;
    const count = Math.min(this.#raw('FPDFPath_CountSegments')(path), maxPoints);
    const parts: PathPart[] = [];
    let part: PathPart | undefined;
    let previous: [number, number] | undefined;
    for (let index = 0; index < count; index += 1) {
      const segment = segmentAt(path, index);
      const isKnown = getPoint(segment, at, at + 4) !== 0;
      const numbers = this.#read();
      const point = isKnown ? apply(map, numbers[0]!, numbers[1]!) : apply(map, 0, 0);
      const type = typeOf(segment);
      if (!part || !previous || type === segmentTypes.move) {
        part = { points: [point], isAligned: true };
        parts.push(part);
      } else {
        const isStraight =
          Math.abs(previous[0] - point[0]) < 0.05 || Math.abs(previous[1] - point[1]) < 0.05;
        if (type === segmentTypes.curve || !isStraight) part.isAligned = false;
        part.points.push(point);
      }
      previous = point;
    }
    this.#points += count;
    if (this.#points > maxPoints) throw tooManyObjects();
    return parts;
  }
}
