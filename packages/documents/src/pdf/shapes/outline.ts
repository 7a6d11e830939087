import { createHash } from 'node:crypto';
import { fontDataSize } from '../kept-fonts.ts';
import { type PdfDocument, rawFunction } from '../pdfium.ts';
import type { Contour } from './shape.ts';

/** The drawing of a character, read from the font program. */
export interface Outline {
  /** Identifies the drawing: equal drawings have equal digests. */
  digest: string;
  /** Three numbers per segment: its kind, and the x and y of its end in font sizes. */
  segments: Float32Array;
}

/** The kinds of segments in PDFium's public header. */
const lineTo = 0;
const bezierTo = 1;
const moveTo = 2;

/** The size passed to PDFium. Outlines do not depend on it: they always have size 1. */
const outlineSize = 1;
/** Maximum number of segments. Outlines with more segments are ornaments. */
const maxSegments = 5_000;
/** Number of straight lines that approximate a curve. */
const linesPerCurve = 5;

/** Reads the outline that a loaded font draws for a character, given its Unicode value. */
export type ReadOutline = (font: number, code: number) => Outline | null;

/**
 * Returns a reader of outlines that uses `at`, which has space for two numbers. The reader returns
 * null for a character without an outline, and an outline without segments if nothing is drawn.
 */
export function outlineReader({ pdfium }: PdfDocument, at: number): ReadOutline {
  const pathOf = rawFunction(pdfium, 'FPDFFont_GetGlyphPath');
  const segmentAt = rawFunction(pdfium, 'FPDFGlyphPath_GetGlyphPathSegment');
  const getPoint = rawFunction(pdfium, 'FPDFPathSegment_GetPoint');
  const kindOf = rawFunction(pdfium, 'FPDFPathSegment_GetType');
  const countOf = rawFunction(pdfium, 'FPDFGlyphPath_CountGlyphSegments');
  let point: Float32Array = new Float32Array();
  return (font, code) => {
    const path = pathOf(font, code, outlineSize);
    if (path === 0) return null;
    const count = Math.max(0, countOf(path));
    if (count > maxSegments) return null;
    // When PDFium's memory grows, existing views of it become empty.
    if (point.length === 0) point = new Float32Array(pdfium.heap().buffer, at, 2);
    const segments = new Float32Array(count * 3);
    for (let index = 0; index < count; index += 1) {
      const segment = segmentAt(path, index);
      getPoint(segment, at, at + 4);
      segments[index * 3] = kindOf(segment);
      segments[index * 3 + 1] = point[0]!;
      segments[index * 3 + 2] = point[1]!;
    }
    const digest = createHash('sha1').update(new Uint8Array(segments.buffer)).digest('base64');
    return { digest, segments };
  };
}

/**
 * Whether the glyphs of a font are drawings of the page (Type 3). For such a font, PDFium returns
 * outlines of another font. It is embedded but has no font program.
 */
export function isType3Font(document: PdfDocument, font: number): boolean {
  const isEmbedded = rawFunction(document.pdfium, 'FPDFFont_GetIsEmbedded')(font) === 1;
  return isEmbedded && fontDataSize(document, font) === 0;
}

/** Returns the contours of an outline, with curves approximated by straight lines. */
export function contoursOf({ segments }: Outline): Contour[] {
  const contours: number[][] = [];
  let points: number[] = [];
  for (let at = 0; at < segments.length; at += 3) {
    const [x, y] = [segments[at + 1]!, segments[at + 2]!];
    switch (segments[at]) {
      case moveTo:
        points = [x, y];
        contours.push(points);
        break;
      case lineTo:
        points.push(x, y);
        break;
      case bezierTo: {
        const [x2, y2, x3, y3] = [4, 5, 7, 8].map((offset) => segments[at + offset] ?? 0);
        addCurve(points, [x, y, x2 ?? 0, y2 ?? 0, x3 ?? 0, y3 ?? 0]);
        at += 6;
      }
    }
  }
  return contours;
}

type Curve = readonly [x1: number, y1: number, x2: number, y2: number, x3: number, y3: number];

function addCurve(points: number[], [x1, y1, x2, y2, x3, y3]: Curve): void {
  const [x0 = x1, y0 = y1] = points.slice(-2);
  for (let part = 1; part <= linesPerCurve; part += 1) {
    const t = part / linesPerCurve;
    const u = 1 - t;
    const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    points.push(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
  }
}
