import { apply, compose, type Matrix } from '../geometry.ts';
import type { Box } from '../results.ts';
import { matrixOf, type PageObjects } from './page-objects.ts';
import { type PdfDocument, rawFunction, withSlots } from './pdfium.ts';

/** A straight line along one axis from `from` to `to`. `at` is its centre on the other axis. */
export type Rule = { from: number; to: number; at: number; thickness: number };

/** The lines and shades of a page that may be part of a table, in points as displayed. */
export type PageRules = {
  across: Rule[];
  down: Rule[];
  /**
   * Filled rectangles that are too large to be lines, such as shaded rows and cells. White ones are
   * not included.
   */
  fills: Box[];
};

/** Maximum number of paths, more than on the largest ruled page. Further paths are ignored. */
const maxPaths = 12_000;
const maxPoints = 60_000;
/**
 * Maximum number of points in a path. Paths with more points are drawings, unless they consist of
 * rectangles.
 */
const maxPathPoints = 8_000;
/** Maximum thickness of a line, in points. Thicker lines are bars. */
const maxThickness = 3.2;
/** Maximum slope of a horizontal or vertical line, in points over its length. */
const maxSlope = 0.6;
/** Maximum tone of a line. Lighter lines cannot be distinguished from paper. */
const maxLineTone = 250;
/** FPDF_SEGMENT_* in PDFium's public header. */
const segments = { curve: 1, move: 2 };

type Point = readonly [number, number];
type Paint = { stroke: number; fill: boolean; paleStroke: boolean; paleFill: boolean };

/**
 * Reads the horizontal and vertical lines and the shades of a page. If the page is a drawing of
 * thousands of paths, only the first lines and shades are read.
 */
export function readRules({ document, all }: PageObjects): PageRules {
  const rules = new RuleCollector();
  withSlots(document.pdfium, 8, (at) => {
    const reader = new PathReader(document, at);
    let paths = 0;
    let points = 0;
    for (const { handle, kind, map } of all) {
      if (kind !== 'path') continue;
      paths += 1;
      if (paths > maxPaths || points > maxPoints) break;
      const count = reader.count(handle);
      if (count < 2 || count > maxPathPoints) continue;
      const paint = reader.paint(handle);
      if (!paint) continue;
      const pathMap = compose(map, matrixOf(document, handle));
      const scale = Math.sqrt(Math.abs(pathMap[0] * pathMap[3] - pathMap[1] * pathMap[2]));
      points += count;
      for (const part of reader.subpaths(handle, count, pathMap)) {
        rules.add(part, { ...paint, stroke: paint.stroke * scale });
      }
    }
  });
  return rules.finish();
}

/** Reads paths through `at`, which has space for eight numbers. */
class PathReader {
  readonly count: (object: number) => number;
  readonly #document: PdfDocument;
  readonly #at: number;
  readonly #raw: (name: string) => (...args: number[]) => number;

  constructor(document: PdfDocument, at: number) {
    const raw = (name: string): ((...args: number[]) => number) =>
      rawFunction(document.pdfium, name);
    this.#document = document;
    this.#at = at;
    this.#raw = raw;
    this.count = raw('FPDFPath_CountSegments');
  }

  #floats(count: number): Float32Array {
    const { buffer } = this.#document.pdfium.heap();
    return new Float32Array(buffer, this.#at, count);
  }

  #words(count: number): Int32Array {
    const { buffer } = this.#document.pdfium.heap();
    return new Int32Array(buffer, this.#at, count);
  }

  /** Returns the colours and width with which a path is painted; undefined if it is not painted. */
  paint(object: number): Paint | undefined {
    const at = this.#at;
    if (this.#raw('FPDFPath_GetDrawMode')(object, at, at + 4) === 0) return undefined;
    const [mode = 0, strokes = 0] = this.#words(2);
    const fill = mode !== 0;
    if (!fill && strokes === 0) return undefined;
    let stroke = 0;
    if (strokes !== 0 && this.#raw('FPDFPageObj_GetStrokeWidth')(object, at) !== 0) {
      // A width of 0 means the thinnest line that can be drawn.
      stroke = Math.max(0.1, this.#floats(1)[0] ?? 0);
    }
    const isPale = (name: string): boolean => {
      if (this.#raw(name)(object, at, at + 4, at + 8, at + 12) === 0) return false;
      const [red = 0, green = 0, blue = 0, alpha = 255] = this.#words(4);
      return alpha < 8 || Math.min(red, green, blue) > maxLineTone;
    };
    return {
      stroke,
      fill,
      paleStroke: stroke > 0 && isPale('FPDFPageObj_GetStrokeColor'),
      paleFill: fill && isPale('FPDFPageObj_GetFillColor'),
    };
  }

  /** Returns the subpaths without curves. */
  subpaths(object: number, count: number, map: Matrix): Point[][] {
    const at = this.#at;
    const segmentAt = this.#raw('FPDFPath_GetPathSegment');
    const pointOf = this.#raw('FPDFPathSegment_GetPoint');
    const typeOf = this.#raw('FPDFPathSegment_GetType');
    const closes = this.#raw('FPDFPathSegment_GetClose');
    const subpaths: Point[][] = [];
    let subpath: Point[] = [];
    let hasCurve = false;
    const endSubpath = (): void => {
      if (subpath.length > 1 && !hasCurve) subpaths.push(subpath);
      subpath = [];
      hasCurve = false;
    };
    for (let index = 0; index < count; index += 1) {
      const segment = segmentAt(object, index);
      if (pointOf(segment, at, at + 4) === 0) continue;
      const [x = 0, y = 0] = this.#floats(2);
      const type = typeOf(segment);
      if (type === segments.move) endSubpath();
      if (type === segments.curve) hasCurve = true;
      subpath.push(apply(map, x, y));
      const [first] = subpath;
      const last = subpath.at(-1);
      const isOpen = first && last && (first[0] !== last[0] || first[1] !== last[1]);
      if (closes(segment) === 1 && isOpen) subpath.push(first);
    }
    endSubpath();
    return subpaths;
  }
}

/** The lines and shades found so far. */
class RuleCollector {
  readonly #across: Rule[] = [];
  readonly #down: Rule[] = [];
  readonly #paleAcross: Rule[] = [];
  readonly #paleDown: Rule[] = [];
  readonly #fills: Box[] = [];

  /** Adds the line or shade of a subpath. */
  add(points: readonly Point[], paint: Paint): void {
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    const box: Box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    if (!box.every(Number.isFinite)) return;
    if (paint.fill && isRectangle(points, box)) {
      const isThin = Math.min(box[2] - box[0], box[3] - box[1]) <= maxThickness;
      if (isThin) this.#line(box, paint.paleFill);
      else if (!paint.paleFill) this.#fills.push(box);
    }
    if (paint.stroke === 0) return;
    for (const [index, [x, y]] of points.entries()) {
      const next = points[index + 1];
      if (!next) break;
      const side: Box = [
        Math.min(x, next[0]),
        Math.min(y, next[1]),
        Math.max(x, next[0]),
        Math.max(y, next[1]),
      ];
      const [width, height] = [side[2] - side[0], side[3] - side[1]];
      if (Math.min(width, height) > maxSlope) continue;
      if (paint.stroke <= maxThickness) {
        this.#line(side, paint.paleStroke, paint.stroke);
      } else if (!paint.paleStroke) {
        // A stroke as wide as a table row is high is a shade.
        const halfWidth = paint.stroke / 2;
        this.#fills.push(
          width > height
            ? [side[0], side[1] - halfWidth, side[2], side[3] + halfWidth]
            : [side[0] - halfWidth, side[1], side[2] + halfWidth, side[3]],
        );
      }
    }
  }

  #line([x0, y0, x1, y1]: Box, isPale: boolean, thickness = Math.min(x1 - x0, y1 - y0)): void {
    const [width, height] = [x1 - x0, y1 - y0];
    if (width >= height) {
      const rule = { from: x0, to: x1, at: (y0 + y1) / 2, thickness };
      (isPale ? this.#paleAcross : this.#across).push(rule);
    }
    if (height >= width) {
      const rule = { from: y0, to: y1, at: (x0 + x1) / 2, thickness };
      (isPale ? this.#paleDown : this.#down).push(rule);
    }
  }

  /** Returns the lines and shades. White lines are included if they separate shaded areas. */
  finish(): PageRules {
    const shades = this.#fills.slice(0, 400);
    const isOnShade = (x: number, y: number): boolean =>
      shades.some(([x0, y0, x1, y1]) => x > x0 - 1 && x < x1 + 1 && y > y0 - 1 && y < y1 + 1);
    const visibleRules = (rules: readonly Rule[], isVertical: boolean): Rule[] =>
      rules.slice(0, 2_000).filter(({ from, to, at }) => {
        const middle = (from + to) / 2;
        return isVertical ? isOnShade(at, middle) : isOnShade(middle, at);
      });
    return {
      across: [...this.#across, ...visibleRules(this.#paleAcross, false)],
      down: [...this.#down, ...visibleRules(this.#paleDown, true)],
      fills: this.#fills,
    };
  }
}

/** Whether the points are the corners of their bounding box; the first corner may be repeated. */
function isRectangle(points: readonly Point[], [x0, y0, x1, y1]: Box): boolean {
  if (points.length < 4 || points.length > 6) return false;
  return points.every(
    ([x, y]) =>
      Math.min(Math.abs(x - x0), Math.abs(x - x1)) < 0.3 &&
      Math.min(Math.abs(y - y0), Math.abs(y - y1)) < 0.3,
  );
}
