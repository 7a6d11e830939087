import { closeSync, openSync, readSync, statSync } from 'node:fs';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { isUnpaged, pagedMimes, type SourceMime } from '../contracts/documents/sources.ts';
import { EngineError } from './errors.ts';
import { displaySize, quarter } from './geometry.ts';
import { unsupportedForm } from './imaging/unsupported.ts';
import { maxImagePixels, maxPagePoints, maxPages } from './limits.ts';
import { countText } from './pdf/page-glyphs.ts';
import { openPdf, type PdfDocument, readFloats, withPage, withSlots } from './pdf/pdfium.ts';
import type { InspectedPage, Inspection, PageFrame } from './results.ts';
import { isolatedPage, tiffPages } from './tiff-pages.ts';

sharp.cache(false);
sharp.concurrency(1);

/**
 * Allows libvips to load only these four formats from now on, whatever a file claims to be: its
 * other loaders (SVG, ImageMagick, PDF) are far larger attack surfaces. Affects the whole process;
 * children call it before they read anything.
 */
export function restrictLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadTiff',
      'VipsForeignLoadWebp',
    ],
  });
}

/**
 * Translates an error of libvips about a picture into one for the customer; system errors are returned
 * unchanged.
 */
export function imageError(error: unknown): unknown {
  if (error instanceof EngineError) return error;
  if (error instanceof Error && 'syscall' in error) return error;
  const text = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(text)) {
    return new EngineError('too_large', 'The image has more than 100 megapixels.');
  }
  if (/unsupported image format/i.test(text)) {
    return new EngineError('unsupported', 'The file is not an image of its declared type.');
  }
  return (
    unsupportedForm(text) ?? new EngineError('damaged', 'The image is damaged and cannot be read.')
  );
}

/**
 * A page of an image file, not decoded yet. EXIF orientation is not applied. Throws EngineError
 * damaged for a page that is missing from a truncated TIFF.
 */
export function openImage(path: string, page: number): Sharp {
  return open(path, page, maxImagePixels);
}

function open(path: string, page: number, limitInputPixels: number | false): Sharp {
  const options = { limitInputPixels, failOn: 'error', sequentialRead: true } as const;
  const tiff = tiffPages(path);
  if (!tiff || tiff.sound) return sharp(path, { ...options, page: page - 1 });
  return sharp(isolatedPage(path, tiff, page), options);
}

/** An image page: its size as displayed and its resolution. */
type ImagePage = {
  metadata: Metadata;
  pixelWidth: number;
  pixelHeight: number;
  /** The EXIF orientation: clockwise turn and mirroring. */
  orientation: number;
  widthPt: number;
  heightPt: number;
  dpi: number;
  /** False if `dpi` is a guess, which must not be passed to the recogniser. */
  dpiKnown: boolean;
};

const a4LongSideInches = 11.69;

/**
 * The resolution of a picture. Files of unknown resolution often say 72, and a page of more than 25
 * inches comes from a camera: both are assumed to show an A4 page, within 72 to 600 dpi.
 */
function resolutionOf(density: number | undefined, longSide: number): [number, boolean] {
  if (density !== undefined && density >= 60 && density <= 2400) {
    const inches = longSide / density;
    if (inches <= (Math.round(density) === 72 ? 12 : 25) && inches >= 0.1) return [density, true];
  }
  return [Math.min(600, Math.max(72, longSide / a4LongSideInches)), false];
}

/** Reads the header of one page of an image. Throws EngineError. */
export async function describeImage(path: string, page: number): Promise<ImagePage> {
  const found = await readHeader(path, page);
  if (found.pixelWidth * found.pixelHeight > maxImagePixels) {
    throw new EngineError('too_large', 'The image has more than 100 megapixels.');
  }
  return found;
}

/** Like `describeImage`, without the limit of pixels. */
async function readHeader(path: string, page: number): Promise<ImagePage> {
  try {
    const metadata = await open(path, page, false).metadata();
    const width = metadata.width;
    const height = metadata.pageHeight ?? metadata.height;
    const orientation = metadata.orientation ?? 1;
    const turned = orientation >= 5;
    const [dpi, dpiKnown] = resolutionOf(metadata.density, Math.max(width, height));
    return {
      metadata,
      pixelWidth: turned ? height : width,
      pixelHeight: turned ? width : height,
      orientation,
      widthPt: ((turned ? height : width) / dpi) * 72,
      heightPt: ((turned ? width : height) / dpi) * 72,
      dpi,
      dpiKnown,
    };
  } catch (error) {
    throw imageError(error);
  }
}

/** Rejects types that are not supported, and files whose first bytes belong to another type. */
export async function checkMime(path: string, mime: string): Promise<SourceMime> {
  const known = pagedMimes.find((candidate) => candidate === mime);
  if (!known) {
    throw new EngineError('unsupported', `Pages cannot be read from a file of type ${mime}.`);
  }
  // Synchronous, because a child has nothing else to do and a promise costs more than reading a few
  // bytes.
  const file = openSync(path, 'r');
  const head = Buffer.alloc(16);
  try {
    if (readSync(file, head, 0, 16, 0) === 0) throw new EngineError('empty', 'The file is empty.');
  } finally {
    closeSync(file);
  }
  const text = head.toString('latin1');
  const fits =
    known === 'application/pdf' ||
    (known === 'image/png' && text.startsWith('\x89PNG')) ||
    (known === 'image/jpeg' && text.startsWith('\xff\xd8')) ||
    (known === 'image/tiff' && /^(II[*+]\0|MM\0[*+])/.test(text)) ||
    (known === 'image/webp' && text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP');
  if (!fits) throw new EngineError('unsupported', `The file is not of type ${mime}.`);
  return known;
}

/** The visible rectangle and rotation of a loaded PDF page. Throws EngineError too_large. */
export function frameOf(document: PdfDocument, page: number): PageFrame {
  const { pdfium } = document;
  const [left = 0, top = 0, right = 0, bottom = 0] = withSlots(pdfium, 2, (at) => {
    // FS_RECTF: left, top, right, bottom; the intersection of CropBox and MediaBox.
    pdfium.FPDF_GetPageBoundingBox(page, at);
    return readFloats(pdfium, at, 4);
  });
  const frame = {
    left,
    bottom,
    width: right - left,
    height: top - bottom,
    rotation: quarter(pdfium.FPDFPage_GetRotation(page) * 90),
  };
  if (!(frame.width > 0 && frame.height > 0)) {
    throw new EngineError('damaged', 'A page of the PDF has no area.');
  }
  if (Math.max(frame.width, frame.height) > maxPagePoints) {
    throw new EngineError('too_large', 'A page of the PDF is too large to be drawn.');
  }
  return frame;
}

const cacheSize = 2;
const cache = new Map<string, PdfDocument>();

/** Closes every open document. Called between projects. */
export function closeSources(): void {
  for (const document of cache.values()) document.close();
  cache.clear();
}

/**
 * Opens a PDF, or returns the one still open from the previous page. Do not close it. Callers that
 * change the document in memory pass a `state`, which keeps it separate from the unchanged
 * document.
 */
export async function openCachedPdf(path: string, state = ''): Promise<PdfDocument> {
  const { size, mtimeMs, ino } = statSync(path);
  const key = `${state}:${ino}:${size}:${mtimeMs}:${path}`;
  const known = cache.get(key);
  if (known) return known;
  const document = await openPdf(path);
  for (const [oldest, stale] of cache) {
    if (cache.size < cacheSize) break;
    stale.close();
    cache.delete(oldest);
  }
  cache.set(key, document);
  return document;
}

function refusePages(count: number): void {
  if (count > maxPages) {
    throw new EngineError('too_large', `The file has ${count} pages; the maximum is ${maxPages}.`);
  }
}

async function inspectPdf(path: string): Promise<Inspection> {
  const document = await openCachedPdf(path);
  const { pdfium, handle, pageCount } = document;
  refusePages(pageCount);
  const pages: InspectedPage[] = [];
  for (let number = 1; number <= pageCount; number += 1) {
    pages.push(await inspectPdfPage(document, number));
  }
  return {
    kind: 'pdf',
    pages,
    signed: pdfium.FPDF_GetSignatureCount(handle) > 0,
    repaired: !pdfium.FPDF_DocumentHasValidCrossReferenceTable(handle),
  };
}

/** A page that cannot be read does not affect the others: it fails when it is processed. */
async function inspectPdfPage(document: PdfDocument, number: number): Promise<InspectedPage> {
  try {
    return await withPage(document, number, (page) => {
      const frame = frameOf(document, page);
      const { width, height } = displaySize(frame);
      const { visible, invisible } = countText(document, page);
      return {
        number,
        widthPt: width,
        heightPt: height,
        rotation: frame.rotation,
        pixels: null,
        characters: visible,
        hasText: visible + invisible > 0,
      };
    });
  } catch (error) {
    if (error instanceof EngineError) return unreadable(number);
    throw error;
  }
}

function unreadable(number: number): InspectedPage {
  const nothing = { rotation: 0, pixels: null, characters: 0, hasText: false };
  return { number, widthPt: 0, heightPt: 0, ...nothing };
}

async function inspectImage(path: string, mime: SourceMime): Promise<Inspection> {
  // An animation is shown by its first frame; only TIFF has pages.
  const tiff = mime === 'image/tiff' ? tiffPages(path) : null;
  const count = tiff ? tiff.directories.length + (tiff.cutOff ? 1 : 0) : 1;
  refusePages(count);
  const pages: InspectedPage[] = [];
  let failure: unknown;
  for (let number = 1; number <= count; number += 1) {
    try {
      const { widthPt, heightPt, pixelWidth, pixelHeight } = await readHeader(path, number);
      const pixels = pixelWidth * pixelHeight;
      pages.push({ ...unreadable(number), widthPt, heightPt, pixels });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      failure ??= error;
      pages.push(unreadable(number));
    }
  }
  // One readable page is enough: the others fail when they are processed.
  const fit = pages.some(({ pixels }) => pixels !== null && pixels <= maxImagePixels);
  if (!fit) throw failure ?? (await describeImage(path, 1));
  const repaired = tiff !== null && !tiff.sound;
  return { kind: 'image', pages, signed: false, repaired };
}

/**
 * Inspects a source: its pages, their sizes and text. Throws EngineError encrypted, damaged, empty,
 * too_large or unsupported.
 */
export async function inspect(path: string, mime: string): Promise<Inspection> {
  if (isUnpaged(mime)) {
    const { inspectUnpaged } = await import('./files/inspect.ts');
    return inspectUnpaged(path, mime);
  }
  const known = await checkMime(path, mime);
  return known === 'application/pdf' ? inspectPdf(path) : inspectImage(path, known);
}
