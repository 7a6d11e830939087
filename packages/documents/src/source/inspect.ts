import { isUnpaged, type SourceMime } from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';
import { displaySize } from '../geometry.ts';
import { maxImagePixels, maxPages } from '../limits.ts';
import { openCachedPdf } from '../pdf/document-cache.ts';
import { frameOf } from '../pdf/page-frame.ts';
import { countText } from '../pdf/page-glyphs.ts';
import { type PdfDocument, withPage } from '../pdf/pdfium.ts';
import type { InspectedPage, Inspection, SourceSummary } from '../results.ts';
import { describeImage, readHeader } from './images.ts';
import { checkMime } from './mime.ts';
import { tiffPages } from './tiff-pages.ts';

function checkPageCount(count: number): void {
  if (count > maxPages) {
    throw new EngineError('too_large', `The file has ${count} pages; the maximum is ${maxPages}.`);
  }
}

function summarisePdf({ pdfium, handle, pageCount }: PdfDocument): SourceSummary {
  checkPageCount(pageCount);
  return {
    pageCount,
    signed: pdfium.FPDF_GetSignatureCount(handle) > 0,
    repaired: !pdfium.FPDF_DocumentHasValidCrossReferenceTable(handle),
  };
}

async function inspectPdf(path: string): Promise<Inspection> {
  const document = await openCachedPdf(path);
  const { pageCount, ...properties } = summarisePdf(document);
  const pages: InspectedPage[] = [];
  for (let number = 1; number <= pageCount; number += 1) {
    pages.push(await inspectPdfPage(document, number));
  }
  return { kind: 'pdf', pages, ...properties };
}

/**
 * Inspects a page. A page that cannot be read does not affect the others: it fails when it is
 * processed.
 */
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
    if (error instanceof EngineError) return unreadablePage(number);
    throw error;
  }
}

function unreadablePage(number: number): InspectedPage {
  const nothing = { rotation: 0, pixels: null, characters: 0, hasText: false };
  return { number, widthPt: 0, heightPt: 0, ...nothing };
}

async function inspectImage(path: string, mime: SourceMime): Promise<Inspection> {
  // An animation is displayed by its first frame; only TIFF has pages.
  const tiff = mime === 'image/tiff' ? tiffPages(path) : null;
  const count = tiff ? tiff.directories.length + (tiff.isTruncated ? 1 : 0) : 1;
  checkPageCount(count);
  const pages: InspectedPage[] = [];
  let failure: unknown;
  for (let number = 1; number <= count; number += 1) {
    try {
      const { widthPt, heightPt, pixelWidth, pixelHeight } = await readHeader(path, number);
      const pixels = pixelWidth * pixelHeight;
      pages.push({ ...unreadablePage(number), widthPt, heightPt, pixels });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      failure ??= error;
      pages.push(unreadablePage(number));
    }
  }
  // One readable page is enough. The others fail when they are processed.
  const hasUsablePage = pages.some(({ pixels }) => pixels !== null && pixels <= maxImagePixels);
  if (!hasUsablePage) throw failure ?? (await describeImage(path, 1));
  const repaired = tiff !== null && !tiff.isIntact;
  return { kind: 'image', pages, signed: false, repaired };
}

/**
 * Inspects a source: its pages, their sizes and text.
 * @throws EngineError `encrypted`, `damaged`, `empty`, `too_large` or `unsupported`.
 */
export async function inspect(path: string, mime: string): Promise<Inspection> {
  if (isUnpaged(mime)) {
    const { inspectUnpaged } = await import('../files/inspect.ts');
    return inspectUnpaged(path, mime);
  }
  const sourceMime = await checkMime(path, mime);
  return sourceMime === 'application/pdf' ? inspectPdf(path) : inspectImage(path, sourceMime);
}

/**
 * Counts the pages of a source. The pages of a PDF are not read, because this is slow and most
 * operations only need their number.
 * @throws EngineError `encrypted`, `damaged`, `empty`, `too_large` or `unsupported`.
 */
export async function summarise(path: string, mime: string): Promise<SourceSummary> {
  if (!isUnpaged(mime) && (await checkMime(path, mime)) === 'application/pdf') {
    return summarisePdf(await openCachedPdf(path));
  }
  const { pages, signed, repaired } = await inspect(path, mime);
  return { pageCount: pages.length, signed, repaired };
}
