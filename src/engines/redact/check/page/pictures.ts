import { EngineError } from '../../../errors.ts';
import { compose, displaySize, invert, type Matrix } from '../../../geometry.ts';
import { maxPicturePixels } from '../../../limits.ts';
import { type PdfDocument, readFloats, withSlots } from '../../../pdf/pdfium.ts';
import type { Box, Frame } from '../../../results.ts';
import type { Region } from './glyphs.ts';
import type { Drawn } from './objects.ts';
import { isSolid } from './solid.ts';
import { crop, rangeOf, type Tile } from './tiles.ts';

type Image = Extract<Drawn, { kind: 'image' }>;

/** A part of a picture that is of more than one colour, and has to be read. */
export interface Doubtful {
  tile: Tile;
  /** What it lies under; null for what lies outside the visible page. */
  region: Region | null;
}

/** Finer than this no picture is looked at, in pixels per point: 600 dpi. */
const finest = 600 / 72;
const mostPixels = 60e6;
/** Pictures reach over the edge of the page by this much to be trimmed, in points. */
const slack = 1;

/** Looks at one picture of a page: under each region, and outside the visible page. */
export function lookAtImage(
  document: PdfDocument,
  page: number,
  frame: Frame,
  image: Image,
  regions: readonly Region[],
): Doubtful[] {
  const size = displaySize(frame);
  const hidden = outside(image.box, size);
  const touched = regions.filter(({ box }) => cut(box, image.box));
  if (touched.length === 0 && hidden.length === 0) return [];
  const doubtful: Doubtful[] = [];
  withPlanes(document, page, image.object, (planes, lossy) => {
    for (const region of touched) {
      const area = cut(region.box, image.box);
      for (const found of area ? samples(planes, image.matrix, area) : []) {
        // The outermost pixels may lie half outside.
        const margin = Math.ceil(found.pixel);
        const tile = crop(found.tile, [
          margin,
          margin,
          found.tile.width - margin,
          found.tile.height - margin,
        ]);
        if (!isSolid(tile, lossy, found.pixel)) doubtful.push({ tile: found.tile, region });
      }
    }
    for (const area of hidden) {
      for (const { tile } of samples(planes, image.matrix, area)) {
        const [low, high] = rangeOf(tile);
        if (high - low > 24) doubtful.push({ tile, region: null });
      }
    }
  });
  return doubtful;
}

/** A colour of a picture, or what its mask lets through: bytes of a bitmap, which is not copied. */
interface Plane {
  width: number;
  height: number;
  /** PDFium's memory, where the first byte lies in it, and how far on the next column and row are. */
  memory: Uint8Array;
  from: number;
  step: number;
  stride: number;
}

/** From points as displayed to pixels of a plane, whose first row is the top of the unit square. */
function pixelsOf(matrix: Matrix, { width, height }: Plane): Matrix {
  return compose([width, 0, 0, -height, 0, height], invert(matrix));
}

interface Sample {
  tile: Tile;
  /** The size of a pixel of the picture in those of the tile. */
  pixel: number;
}

/** Part of each plane; what is alike in several, as grey is in all three colours, is there once. */
function samples(planes: readonly Plane[], matrix: Matrix, area: Box): Sample[] {
  const found: Sample[] = [];
  for (const plane of planes) {
    const one = sample(plane, pixelsOf(matrix, plane), area);
    const isKnown = found.some(
      ({ tile, pixel }) =>
        pixel === one?.pixel && tile.width === one.tile.width && isEqual(tile.data, one.tile.data),
    );
    if (one && !isKnown) found.push(one);
  }
  return found;
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Part of a picture as displayed, pixel by pixel; undefined where it is too small to show anything. */
function sample(plane: Plane, toPixels: Matrix, [x0, y0, x1, y1]: Box): Sample | undefined {
  const [a, b, c, d, e, f] = toPixels;
  const native = Math.max(Math.hypot(a, b), Math.hypot(c, d));
  const area = (x1 - x0) * (y1 - y0);
  const scale = Math.min(Math.max(native, 150 / 72), finest, Math.sqrt(mostPixels / area));
  const width = Math.round((x1 - x0) * scale);
  const height = Math.round((y1 - y0) * scale);
  if (width < 3 || height < 3) return undefined;
  const data = new Uint8Array(width * height);
  const { memory, from, step, stride } = plane;
  let last = 0;
  for (let row = 0; row < height; row += 1) {
    const y = y0 + (row + 0.5) / scale;
    const [left, top] = [c * y + e, d * y + f];
    for (let column = 0; column < width; column += 1) {
      const x = x0 + (column + 0.5) / scale;
      const [px, py] = [Math.floor(a * x + left), Math.floor(b * x + top)];
      // What a slanting picture does not cover repeats its last pixel.
      if (px >= 0 && py >= 0 && px < plane.width && py < plane.height) {
        last = memory[from + py * stride + px * step] ?? 0;
      }
      data[row * width + column] = last;
    }
  }
  return { tile: { data, width, height }, pixel: Math.max(1, scale / native) };
}

function cut(a: Box, b: Box): Box | undefined {
  const shared: Box = [
    Math.max(a[0], b[0]),
    Math.max(a[1], b[1]),
    Math.min(a[2], b[2]),
    Math.min(a[3], b[3]),
  ];
  return shared[2] > shared[0] && shared[3] > shared[1] ? shared : undefined;
}

/** The parts of a box that lie outside the page. */
function outside(box: Box, { width, height }: { width: number; height: number }): Box[] {
  const [x0, y0, x1, y1] = box;
  const parts: Box[] = [
    [x0, y0, x1, -slack],
    [x0, height + slack, x1, y1],
    [x0, Math.max(y0, 0), -slack, Math.min(y1, height)],
    [width + slack, Math.max(y0, 0), x1, Math.min(y1, height)],
  ];
  return parts.flatMap((part) => {
    const shared = cut(part, box);
    return shared ? [shared] : [];
  });
}

/** FPDFBitmap_* of PDFium's public header. */
const greyFormat = 1;
const bgrFormat = 2;
const bgraFormat = 4;

/**
 * Gives the picture's colours, each as a plane, as they are without a mask; and where a mask makes
 * parts of it invisible, the mask. They last as long as the call.
 */
function withPlanes(
  document: PdfDocument,
  page: number,
  object: number,
  use: (planes: Plane[], lossy: boolean) => void,
): void {
  const { pdfium } = document;
  const [width = 0, height = 0] = withSlots(pdfium, 1, (at) => {
    if (!pdfium.FPDFImageObj_GetImagePixelSize(object, at, at + 4)) return [];
    return [...new Uint32Array(pdfium.heap().buffer.slice(at, at + 8))];
  });
  if (width * height > maxPicturePixels) {
    throw new EngineError('too_large', 'A picture on the page is too large to be checked.');
  }
  const plain = pdfium.FPDFImageObj_GetBitmap(object);
  let masked = 0;
  try {
    masked = withMask(document, page, object, width, height);
    if (plain === 0 || masked === 0) {
      throw new EngineError('damaged', 'A picture on the page cannot be read.');
    }
    const lossy = isLossy(document, object);
    // From here on nothing asks PDFium, whose memory may move when it does.
    const mask = planesOf(document, masked, true).at(3);
    use([...planesOf(document, plain, false), ...(mask ? [mask] : [])], lossy);
  } finally {
    for (const bitmap of [plain, masked]) if (bitmap !== 0) pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

const mostMaskPixels = 12e6;

/** Draws a picture with its mask, at about the resolution of its pixels; 0 where it cannot. */
function withMask(
  document: PdfDocument,
  page: number,
  object: number,
  width: number,
  height: number,
): number {
  const { pdfium } = document;
  // The picture is drawn by its own matrix: for the time of drawing it is made one point a pixel.
  return withSlots(pdfium, 6, (at) => {
    if (!pdfium.FPDFPageObj_GetMatrix(object, at)) {
      throw new EngineError('damaged', 'A picture on the page cannot be read.');
    }
    const saved = readFloats(pdfium, at, 6);
    const write = (values: readonly number[]): void => {
      new Float32Array(pdfium.heap().buffer, at, 6).set(values);
      pdfium.FPDFPageObj_SetMatrix(object, at);
    };
    const scale = Math.min(1, Math.sqrt(mostMaskPixels / (width * height)));
    write([Math.max(width * scale, 300), 0, 0, Math.max(height * scale, 300), 0, 0]);
    try {
      return pdfium.FPDFImageObj_GetRenderedBitmap(document.handle, page, object);
    } finally {
      write(saved);
    }
  });
}

/** The planes of a bitmap: red, green and blue or grey; with `alpha`, what shows through fourth. */
function planesOf({ pdfium }: PdfDocument, bitmap: number, alpha: boolean): Plane[] {
  const width = pdfium.FPDFBitmap_GetWidth(bitmap);
  const height = pdfium.FPDFBitmap_GetHeight(bitmap);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const format = pdfium.FPDFBitmap_GetFormat(bitmap);
  const from = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
  const step = format === greyFormat ? 1 : format === bgrFormat ? 3 : 4;
  const count = format === greyFormat ? 1 : alpha && format === bgraFormat ? 4 : 3;
  const memory = pdfium.heap();
  return Array.from({ length: count }, (_, channel) => {
    return { width, height, memory, from: from + channel, step, stride };
  });
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
