import { apply, compose } from '../../geometry.ts';
import { matrixOf, type PageObject } from '../../pdf/page-objects.ts';
import type { PageShapes } from '../../pdf/page-shapes.ts';
import { type PdfDocument, rawFunction, readFloats, withSlots } from '../../pdf/pdfium.ts';
import type { Box } from '../../results.ts';

type Shape = PageShapes['paths'][number];

/** FPDF_SEGMENT_* constants of PDFium's public header. */
const [lineTo, bezierTo, moveTo] = [0, 1, 2] as const;
/** Maximum number of points that are examined one by one. */
const maxPoints = 10_000;
/** Minimum length of straight lines that are too long to be strokes of letters, in points. */
const minLongStroke = 72;
/**
 * Maximum number of short strokes that cannot spell a value. A letter has about three strokes, or
 * eight as an outline.
 */
const maxStrokes = 12;
/** Maximum thickness of ink that a line explains, in points. Thicker lines may contain a pattern. */
const maxThickness = 3;

/**
 * Part of an outline, in points as displayed: the two ends of a straight line, or the four points
 * of a curve.
 */
type Stroke = readonly (readonly [number, number])[];

/** The outline of a shape. */
export type Outline = { strokes: Stroke[]; thickness: number };

const endsOf = (stroke: Stroke): readonly [Stroke[number], Stroke[number]] => [
  stroke[0]!,
  stroke.at(-1)!,
];

function lengthOf(stroke: Stroke): number {
  const [[x0, y0], [x1, y1]] = endsOf(stroke);
  return Math.hypot(x1 - x0, y1 - y0);
}

/** Returns the bounding box of points. */
function boundsOf(points: readonly Stroke[number][]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Tolerance within which coordinates count as equal, as a share of the size of a shape. */
const tolerance = 0.02;

/** Whether a shape is an axis-aligned ellipse made of four curves. */
function isEllipse(strokes: readonly Stroke[]): boolean {
  if (strokes.length !== 4 || strokes.some(({ length }) => length !== 4)) return false;
  const points = strokes.flatMap(endsOf);
  const [left, top, right, bottom] = boundsOf(points);
  const isNear = (a: number, b: number, size: number): boolean =>
    Math.abs(a - b) <= tolerance * size;
  // Each curve runs from the middle of one side to the middle of the next.
  return points.every(([x, y]) => {
    const isMiddle = isNear(x, (left + right) / 2, right - left);
    return isMiddle !== isNear(y, (top + bottom) / 2, bottom - top);
  });
}

/** Whether a shape lies entirely on the edges of its bounding box, so that the box explains it. */
function isRectangle(strokes: readonly Stroke[]): boolean {
  if (strokes.some(({ length }) => length !== 2)) return false;
  const points = strokes.flatMap(endsOf);
  const [left, top, right, bottom] = boundsOf(points);
  const isAt = (value: number, low: number, high: number): boolean =>
    value - low < 0.1 || high - value < 0.1;
  const isCorner = points.every(([x, y]) => isAt(x, left, right) && isAt(y, top, bottom));
  return isCorner && strokes.every((stroke) => isLevelOrUpright(stroke));
}

function isLevelOrUpright(stroke: Stroke): boolean {
  const [[x0, y0], [x1, y1]] = endsOf(stroke);
  return Math.abs(x0 - x1) < 0.1 || Math.abs(y0 - y1) < 0.1;
}

/** The shapes of a page that are not letters. */
export type Outlines = {
  /** Outlines that are known not to spell anything. */
  explained: Outline[];
  /** Points of graphs and rings. Each could be read as an O. */
  ellipses: ReadonlySet<Shape>;
};

/**
 * Returns the outlines of shapes that are not letters: ellipses and long straight lines, and all
 * other shapes if they have too few strokes to spell a value.
 */
export function outlinesOf(document: PdfDocument, shapes: readonly Shape[]): Outlines {
  const paths = shapes.filter(({ object }) => object.kind === 'path');
  const explained: Outline[] = [];
  const ellipses = new Set<Shape>();
  if (paths.reduce((sum, { segments }) => sum + segments, 0) > maxPoints) {
    return { explained, ellipses };
  }
  const unexplained: Outline[] = [];
  let remainingStrokes = maxStrokes;
  for (const path of paths) {
    const { strokes, thickness } = readOutline(document, path.object);
    if (strokes.length === 0 || isRectangle(strokes)) continue;
    if (isEllipse(strokes)) {
      ellipses.add(path);
      explained.push({ strokes, thickness });
      continue;
    }
    const isLong = (stroke: Stroke): boolean =>
      stroke.length === 2 && lengthOf(stroke) > minLongStroke;
    const shortStrokes = strokes.filter((stroke) => !isLong(stroke));
    explained.push({ strokes: strokes.filter(isLong), thickness });
    unexplained.push({ strokes: shortStrokes, thickness });
    remainingStrokes -= shortStrokes.length;
  }
  return {
    explained: remainingStrokes >= 0 ? [...explained, ...unexplained] : explained,
    ellipses,
  };
}

function readOutline(document: PdfDocument, { handle, map }: PageObject): Outline {
  const { pdfium } = document;
  const count = rawFunction(pdfium, 'FPDFPath_CountSegments')(handle);
  const segmentAt = rawFunction(pdfium, 'FPDFPath_GetPathSegment');
  const getPoint = rawFunction(pdfium, 'FPDFPathSegment_GetPoint');
  const typeOf = rawFunction(pdfium, 'FPDFPathSegment_GetType');
  const isClosed = rawFunction(pdfium, 'FPDFPathSegment_GetClose');
  const getWidth = rawFunction(pdfium, 'FPDFPageObj_GetStrokeWidth');
  const toDisplay = compose(map, matrixOf(document, handle));
  const [a, b, c, d] = toDisplay;
  return withSlots(pdfium, 1, (at) => {
    const scale = Math.sqrt(Math.abs(a * d - b * c));
    const thickness = getWidth(handle, at) === 0 ? 0 : scale * (readFloats(pdfium, at, 1)[0] ?? 0);
    const strokes: Stroke[] = [];
    let start: [number, number] = [0, 0];
    let pen = start;
    let curve: [number, number][] = [];
    for (let index = 0; index < count; index += 1) {
      const segment = segmentAt(handle, index);
      getPoint(segment, at, at + 4);
      const [x = 0, y = 0] = readFloats(pdfium, at, 2);
      const point = apply(toDisplay, x, y);
      const type = typeOf(segment);
      if (type === moveTo) start = point;
      else if (type === lineTo) strokes.push([pen, point]);
      else if (type === bezierTo) {
        curve.push(point);
        if (curve.length === 3) {
          strokes.push([pen, ...curve]);
          curve = [];
        }
      }
      if (curve.length === 0) pen = point;
      if (isClosed(segment) === 1 && (pen[0] !== start[0] || pen[1] !== start[1])) {
        strokes.push([pen, start]);
        pen = start;
      }
    }
    return { strokes, thickness };
  });
}

/** Yields points along outlines, at most `step` apart, with the distance that their ink extends. */
export function* alongOutlines(
  outlines: readonly Outline[],
  step: number,
): Generator<{ x: number; y: number; reach: number }> {
  for (const { strokes, thickness } of outlines) {
    const reach = Math.min(thickness, maxThickness) / 2;
    for (const stroke of strokes) {
      const [p0, p1, p2, p3] = stroke;
      if (!p0 || !p1) continue;
      let length = 0;
      for (let at = 1; at < stroke.length; at += 1) {
        length += lengthOf(stroke.slice(at - 1, at + 1));
      }
      // Lines may extend far beyond the edges of the page.
      const parts = Math.min(5000, Math.max(1, Math.ceil(length / step)));
      for (let part = 0; part <= parts; part += 1) {
        const t = part / parts;
        const u = 1 - t;
        const coordinateAt = (side: 0 | 1): number =>
          p2 && p3
            ? u * u * u * p0[side] +
              3 * u * u * t * p1[side] +
              3 * u * t * t * p2[side] +
              t * t * t * p3[side]
            : u * p0[side] + t * p1[side];
        yield { x: coordinateAt(0), y: coordinateAt(1), reach };
      }
    }
  }
}
