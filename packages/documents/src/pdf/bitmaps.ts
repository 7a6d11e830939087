import { EngineError } from '@scriptorium/sandbox/errors';
import type { GreyRaster } from '../ink/components.ts';
import type { Pdfium } from './pdfium.ts';

/** The pixels of a rendered or extracted picture, in rows without padding. */
export type Raster = { data: Uint8Array; width: number; height: number; channels: 1 | 3 | 4 };

/** FPDF_ANNOT, FPDF_GRAYSCALE, FPDF_RENDER_NO_SMOOTH… and bitmap formats in PDFium's header. */
const annotationsFlag = 0x01;
const greyscaleFlag = 0x08;
const noSmoothingFlags = 0x1000 | 0x2000 | 0x4000;
const bitmapGrey = 1;
const bitmapBgr = 2;
const bitmapBgrx = 3;
const bitmapBgra = 4;

/** How a page is rendered, at `width` × `height` pixels. */
interface Rendering {
  width: number;
  height: number;
  grey: boolean;
  annotations: boolean;
  smooth?: boolean;
}

/**
 * Renders a loaded page as displayed, on white, at `width` × `height` pixels. Without smoothing,
 * the picture has only the colours of the content.
 */
export const renderPage = (pdfium: Pdfium, page: number, options: Rendering): Raster =>
  withRendered(pdfium, page, options, (bitmap) => readBitmap(pdfium, bitmap));

/**
 * Renders a loaded page as displayed, on white, and returns each colour channel in greyscale; one
 * picture if all channels are equal.
 */
export const renderChannels = (
  pdfium: Pdfium,
  page: number,
  options: Omit<Rendering, 'grey'>,
): GreyRaster[] =>
  withRendered(pdfium, page, { ...options, grey: false }, (bitmap) => readChannels(pdfium, bitmap));

function withRendered<Result>(
  pdfium: Pdfium,
  page: number,
  { width, height, grey, annotations, smooth = true }: Rendering,
  read: (bitmap: number) => Result,
): Result {
  const format = grey ? bitmapGrey : bitmapBgrx;
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, format, 0, 0);
  if (bitmap === 0) throw new EngineError('memory_exceeded', 'The page needs too much memory.');
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    const flags =
      (annotations ? annotationsFlag : 0) |
      (grey ? greyscaleFlag : 0) |
      (smooth ? 0 : noSmoothingFlags);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
    return read(bitmap);
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

/**
 * Copies the colour channels of a PDFium bitmap of four bytes a pixel out of the heap; one picture
 * if all are equal. Most pages are grey, and only their first channel is copied.
 */
function readChannels(pdfium: Pdfium, bitmap: number): GreyRaster[] {
  const width = pdfium.FPDFBitmap_GetWidth(bitmap);
  const height = pdfium.FPDFBitmap_GetHeight(bitmap);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const address = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
  // Blue, green and red, from the lowest byte.
  const pixels = new Uint32Array(pdfium.heap().buffer, address, (stride >> 2) * height);
  const copy = (shift: number): GreyRaster => {
    const data = new Uint8Array(width * height);
    for (let y = 0, to = 0; y < height; y += 1) {
      const row = y * (stride >> 2);
      for (let at = row; at < row + width; at += 1, to += 1) data[to] = pixels[at]! >>> shift;
    }
    return { data, width, height };
  };
  const isGrey = (): boolean => {
    for (let y = 0; y < height; y += 1) {
      const row = y * (stride >> 2);
      for (let at = row; at < row + width; at += 1)
        if (((pixels[at]! ^ (pixels[at]! >>> 8)) & 0xffff) !== 0) return false;
    }
    return true;
  };
  return isGrey() ? [copy(16)] : [copy(16), copy(8), copy(0)];
}

/** Copies a PDFium bitmap out of the heap, as grey or RGB. */
export function readBitmap(pdfium: Pdfium, bitmap: number): Raster {
  const width = pdfium.FPDFBitmap_GetWidth(bitmap);
  const height = pdfium.FPDFBitmap_GetHeight(bitmap);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const format = pdfium.FPDFBitmap_GetFormat(bitmap);
  const address = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
  const heap = pdfium.heap();
  if (format === bitmapGrey) {
    const data = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      const row = address + y * stride;
      data.set(heap.subarray(row, row + width), y * width);
    }
    return { data, width, height, channels: 1 };
  }
  if (format !== bitmapBgr && format !== bitmapBgrx && format !== bitmapBgra) {
    throw new EngineError('unsupported', 'The page has an image in an unsupported format.');
  }
  const step = format === bitmapBgr ? 3 : 4;
  const data = new Uint8Array(width * height * 3);
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    let at = address + y * stride;
    for (let x = 0; x < width; x += 1, at += step, to += 3) {
      data[to] = heap[at + 2] ?? 0;
      data[to + 1] = heap[at + 1] ?? 0;
      data[to + 2] = heap[at] ?? 0;
    }
  }
  return { data, width, height, channels: 3 };
}
