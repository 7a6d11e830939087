import { writeFile } from 'node:fs/promises';
import { isUnpaged } from '@scriptorium/contracts/documents/sources';
import sharp from 'sharp';
import { displaySize } from '../geometry.ts';
import { maxPagePixels } from '../limits.ts';
import { type Raster, renderPage } from '../pdf/bitmaps.ts';
import { openCachedPdf } from '../pdf/document-cache.ts';
import { frameOf } from '../pdf/page-frame.ts';
import { withPage } from '../pdf/pdfium.ts';
import { describeImage, imageError, openImage } from '../source/images.ts';
import { checkMime } from '../source/mime.ts';
import type { DrawnPage, DrawPageRequest } from './calls.ts';
import { markBoxes } from './mark-boxes.ts';

/**
 * Draws a page of a PDF or picture, or a sheet with the text of another file, with marked areas.
 * @throws EngineError if the page cannot be drawn.
 */
export async function drawPage(request: DrawPageRequest): Promise<DrawnPage> {
  const { raster, widthPt } = await drawRaster(request);
  markBoxes(raster, request.boxes, raster.width / widthPt);
  const { data, width, height, channels } = raster;
  const image = sharp(data, { raw: { width, height, channels } });
  const encoded =
    request.format === 'image/png'
      ? image.png({ compressionLevel: 7 })
      : image.webp({ quality: 80, effort: 2 });
  await writeFile(request.outPath, await encoded.toBuffer());
  return { width, height };
}

async function drawRaster(request: DrawPageRequest): Promise<DrawnRaster> {
  const { path, mime, page, width } = request;
  if (isUnpaged(mime)) {
    const { drawSheet } = await import('./sheet/index.ts');
    return drawSheet(path, mime, { page, width, isPreview: request.boxes.length === 0 });
  }
  const known = await checkMime(path, mime);
  return known === 'application/pdf' ? drawPdfPage(request) : drawImagePage(request);
}

type DrawnRaster = { raster: Raster; widthPt: number };

async function drawPdfPage({ path, page: number, width }: DrawPageRequest): Promise<DrawnRaster> {
  const document = await openCachedPdf(path);
  return withPage(document, number, (page) => {
    const shown = displaySize(frameOf(document, page));
    const size = sizeOf(shown.width, shown.height, width);
    const options = { ...size, grey: false, annotations: true };
    return { raster: renderPage(document.pdfium, page, options), widthPt: shown.width };
  });
}

async function drawImagePage({ path, page, width }: DrawPageRequest): Promise<DrawnRaster> {
  const { widthPt, heightPt } = await describeImage(path, page);
  const size = sizeOf(widthPt, heightPt, width);
  try {
    const { data, info } = await openImage(path, page)
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .resize(size.width, size.height, { fit: 'fill' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return {
      raster: {
        data: toRgb(data, info.channels),
        width: info.width,
        height: info.height,
        channels: 3,
      },
      widthPt,
    };
  } catch (error) {
    throw imageError(error);
  }
}

/**
 * Returns the size in pixels for a width. It is narrower if the picture would have too many pixels.
 */
function sizeOf(widthPt: number, heightPt: number, width: number) {
  const ratio = heightPt / widthPt;
  const pixelWidth = Math.min(width, Math.sqrt(maxPagePixels / ratio));
  return {
    width: Math.max(1, Math.floor(pixelWidth)),
    height: Math.max(1, Math.round(pixelWidth * ratio)),
  };
}

/** Converts pixels to RGB; greyscale pictures have one channel. */
function toRgb(data: Buffer, channels: number): Uint8Array {
  if (channels === 3) return data;
  const rgb = new Uint8Array((data.length / channels) * 3);
  for (let from = 0, to = 0; from < data.length; from += channels, to += 3) {
    rgb.fill(data[from]!, to, to + 3);
  }
  return rgb;
}
