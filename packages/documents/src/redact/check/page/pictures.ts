import { EngineError } from '@scriptorium/sandbox/errors';
import { apply, displaySize, invert, type Matrix } from '../../../geometry.ts';
import { maxPicturePixels } from '../../../limits.ts';
import { type PdfDocument, readFloats, withSlots } from '../../../pdf/pdfium.ts';
import type { Box, PageFrame } from '../../../results.ts';
import type { ReportedRegion } from './glyphs.ts';
import type { DrawnObject } from './objects.ts';
import { isSolid } from './solid.ts';
import { crop, type GreyTile, hasContrast } from './tiles.ts';

type Image = Extract<DrawnObject, { kind: 'image' }>;

/** A part of a picture that is not uniform and must be read. */
export interface DoubtfulPart {
  tile: GreyTile;
  /**
   * The region above this part. Null outside the visible page, and for pixels that the page does
   * not show.
   */
  region: ReportedRegion | null;
  /** For a part without a region: the failure to report if text can be read in it. */
  fault?: string;
}

/**
 * One component of a picture's pixels, in PDFium's memory. A copy of a large picture would take
 * hundreds of megabytes.
 */
export interface Plane {
  data: Uint8Array;
  /** Offset of the first pixel in `data`, and the strides to the next row and to the next pixel. */
  offset: number;
  stride: number;
  step: number;
  width: number;
  height: number;
}

/** Maximum resolution at which pictures are examined, in pixels per point: 600 dpi. */
const maxScale = 600 / 72;
const maxPixels = 60e6;
/** Maximum distance by which pictures may extend beyond the edge of the page, in points. */
const edgeTolerance = 1;

/** Examines a picture of a page under each region and outside the visible page. */
export function examineImage(
  document: PdfDocument,
  page: number,
  frame: PageFrame,
  image: Image,
  regions: readonly ReportedRegion[],
): DoubtfulPart[] {
  const size = displaySize(frame);
  const outsidePage = partsOutside(image.box, size);
  const touched = regions.filter(({ box }) => intersection(box, image.box));
  if (touched.length === 0 && outsidePage.length === 0) return [];
  const doubtful: DoubtfulPart[] = [];
  eachPlane(document, page, image.object, (plane, lossy) => {
    const map = pixelMap(image.matrix, plane);
    for (const region of touched) {
      const area = intersection(region.box, image.box);
      const sampled = area && sample(plane, map, area);
      if (!sampled) continue;
      // Up to half of the outermost pixels may be outside the area.
      const margin = Math.ceil(sampled.pixel);
      const tile = crop(sampled.tile, [
        margin,
        margin,
        sampled.tile.width - margin,
        sampled.tile.height - margin,
      ]);
      if (!isSolid(tile, lossy, sampled.pixel)) doubtful.push({ tile: sampled.tile, region });
    }
    for (const area of outsidePage) {
      const found = sample(plane, map, area);
      if (found && hasContrast(found.tile)) doubtful.push({ tile: found.tile, region: null });
    }
  });
  return doubtful;
}

/**
 * Maps points as displayed to pixels of a plane: `[a * x + c * y + e, b * x + d * y + f]`, in shares
 * of its sides. Its first row is the top of the unit square.
 */
export type PixelMap = { inverse: Matrix; width: number; height: number };

export const pixelMap = (matrix: Matrix, { width, height }: Plane): PixelMap => ({
  inverse: invert(matrix),
  width,
  height,
});

function toPixels({ inverse, width, height }: PixelMap, x: number, y: number): [number, number] {
  const [u, v] = apply(inverse, x, y);
  return [u * width, (1 - v) * height];
}

/**
 * Samples part of a picture as displayed, pixel by pixel. Undefined if the part is too small to
 * show anything.
 */
export function sample(
  plane: Plane,
  map: PixelMap,
  [x0, y0, x1, y1]: Box,
): { tile: GreyTile; pixel: number } | undefined {
  const [ax, ay] = toPixels(map, x0, y0);
  const [bx, by] = toPixels(map, x0 + 1, y0);
  const [cx, cy] = toPixels(map, x0, y0 + 1);
  const nativeScale = Math.max(Math.hypot(bx - ax, by - ay), Math.hypot(cx - ax, cy - ay));
  const area = (x1 - x0) * (y1 - y0);
  const scale = Math.min(Math.max(nativeScale, 150 / 72), maxScale, Math.sqrt(maxPixels / area));
  const width = Math.round((x1 - x0) * scale);
  const height = Math.round((y1 - y0) * scale);
  if (width < 3 || height < 3) return undefined;
  const tile: GreyTile = { data: new Uint8Array(width * height), width, height };
  const [a, b, c, d, e, f] = map.inverse;
  const xs = Float64Array.from({ length: width }, (_, column) => x0 + (column + 0.5) / scale);
  let lastTone = 0;
  for (let row = 0, at = 0; row < height; row += 1) {
    const y = y0 + (row + 0.5) / scale;
    for (let column = 0; column < width; column += 1, at += 1) {
      const x = xs[column]!;
      const px = Math.floor((a * x + c * y + e) * map.width);
      const py = Math.floor((1 - (b * x + d * y + f)) * map.height);
      // Where a slanting picture does not cover the tile, its last pixel is repeated.
      if (px >= 0 && py >= 0 && px < plane.width && py < plane.height) {
        lastTone = plane.data[plane.offset + py * plane.stride + px * plane.step]!;
      }
      tile.data[at] = lastTone;
    }
  }
  return { tile, pixel: Math.max(1, scale / nativeScale) };
}

export function intersection(a: Box, b: Box): Box | undefined {
  const shared: Box = [
    Math.max(a[0], b[0]),
    Math.max(a[1], b[1]),
    Math.min(a[2], b[2]),
    Math.min(a[3], b[3]),
  ];
  return shared[2] > shared[0] && shared[3] > shared[1] ? shared : undefined;
}

/** Returns the parts of a box that are outside the page. */
function partsOutside(box: Box, { width, height }: { width: number; height: number }): Box[] {
  const [x0, y0, x1, y1] = box;
  const parts: Box[] = [
    [x0, y0, x1, -edgeTolerance],
    [x0, height + edgeTolerance, x1, y1],
    [x0, Math.max(y0, 0), -edgeTolerance, Math.min(y1, height)],
    [width + edgeTolerance, Math.max(y0, 0), x1, Math.min(y1, height)],
  ];
  return parts.flatMap((part) => {
    const shared = intersection(part, box);
    return shared ? [shared] : [];
  });
}

/** FPDFBitmap_* constants of PDFium's public header. */
const greyFormat = 1;
const bgrFormat = 2;
const bgraFormat = 4;

/**
 * Passes each colour plane of a picture without its mask to a callback, and then the mask if it
 * makes parts invisible. A plane is valid only during the call.
 */
function eachPlane(
  document: PdfDocument,
  page: number,
  object: number,
  visit: (plane: Plane, lossy: boolean) => void,
): void {
  const { pdfium } = document;
  const [width = 0, height = 0] = withSlots(pdfium, 1, (at) => {
    if (!pdfium.FPDFImageObj_GetImagePixelSize(object, at, at + 4)) return [];
    return [...new Uint32Array(pdfium.heap().buffer.slice(at, at + 8))];
  });
  if (width * height > maxPicturePixels) {
    throw new EngineError('too_large', 'A picture on the page is too large to be checked.');
  }
  const lossy = isLossy(document, object);
  const bitmap = pdfium.FPDFImageObj_GetBitmap(object);
  if (bitmap === 0) throw new EngineError('damaged', 'A picture on the page cannot be read.');
  try {
    for (const plane of planesOf(document, bitmap, false)) visit(plane, lossy);
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
  withMask({ document, page, object, width, height }, (mask) => {
    visit(mask, lossy);
  });
}

/**
 * Passes the stored pixels of a picture and its transparency to `visit`, unless the picture is
 * opaque.
 */
export function withTransparency(
  document: PdfDocument,
  page: number,
  object: number,
  visit: (stored: Plane, shown: Plane, mask: Plane) => void,
): void {
  const { pdfium } = document;
  const bitmap = pdfium.FPDFImageObj_GetBitmap(object);
  if (bitmap === 0) throw new EngineError('damaged', 'A picture on the page cannot be read.');
  try {
    const [width, height] = [
      pdfium.FPDFBitmap_GetWidth(bitmap),
      pdfium.FPDFBitmap_GetHeight(bitmap),
    ];
    withMask({ document, page, object, width, height }, (mask, shown) => {
      // The green channel is the closest to greyscale.
      const stored = planesOf(document, bitmap, false);
      const [first] = stored;
      if (first) visit(stored[1] ?? first, shown, mask);
    });
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

const maxMaskPixels = 12e6;

interface DrawnPicture {
  document: PdfDocument;
  page: number;
  object: number;
  width: number;
  height: number;
}

/**
 * Passes the transparency of a picture to `visit`, at about the resolution of its pixels, unless
 * the picture is opaque.
 */
function withMask(
  { document, page, object, width, height }: DrawnPicture,
  visit: (mask: Plane, shown: Plane) => void,
): void {
  const { pdfium } = document;
  // The picture is drawn with its matrix, which is therefore temporarily set to one point per pixel.
  withSlots(pdfium, 6, (at) => {
    if (!pdfium.FPDFPageObj_GetMatrix(object, at)) return;
    const saved = readFloats(pdfium, at, 6);
    const write = (values: readonly number[]): void => {
      new Float32Array(pdfium.heap().buffer, at, 6).set(values);
      pdfium.FPDFPageObj_SetMatrix(object, at);
    };
    const scale = Math.min(1, Math.sqrt(maxMaskPixels / (width * height)));
    write([Math.max(width * scale, 300), 0, 0, Math.max(height * scale, 300), 0, 0]);
    const bitmap = pdfium.FPDFImageObj_GetRenderedBitmap(document.handle, page, object);
    try {
      if (bitmap === 0) throw new EngineError('damaged', 'A picture on the page cannot be read.');
      const [, shown, , mask] = planesOf(document, bitmap, true);
      if (mask && shown) visit(mask, shown);
    } finally {
      if (bitmap !== 0) pdfium.FPDFBitmap_Destroy(bitmap);
      write(saved);
    }
  });
}

function planesOf({ pdfium }: PdfDocument, bitmap: number, withAlpha: boolean): Plane[] {
  const width = pdfium.FPDFBitmap_GetWidth(bitmap);
  const height = pdfium.FPDFBitmap_GetHeight(bitmap);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const format = pdfium.FPDFBitmap_GetFormat(bitmap);
  const offset = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
  const step = format === greyFormat ? 1 : format === bgrFormat ? 3 : 4;
  const count = format === greyFormat ? 1 : withAlpha && format === bgraFormat ? 4 : 3;
  const data = pdfium.heap();
  return Array.from({ length: count }, (_, channel) => ({
    data,
    offset: offset + channel,
    stride,
    step,
    width,
    height,
  }));
}

function isLossy({ pdfium }: PdfDocument, object: number): boolean {
  const count = pdfium.FPDFImageObj_GetImageFilterCount(object);
  return Array.from({ length: Math.min(count, 8) }, (_, index) =>
    withSlots(pdfium, 4, (at) => {
      const length = pdfium.FPDFImageObj_GetImageFilter(object, index, at, 32);
      return Buffer.from(pdfium.heap().slice(at, at + Math.max(0, length - 1))).toString('latin1');
    }),
  ).some((name) => name === 'DCTDecode' || name === 'JPXDecode');
}
