import { readFile } from 'node:fs/promises';
import { EngineError } from '@scriptorium/sandbox/errors';
import { ParseSpeeds, PDFDocument } from 'pdf-lib';
import type { EmptyPage } from '../results.ts';
import { addEmptyPage } from './empty-page.ts';
import { type PdfDocument, saveCopy, withPage } from './pdfium.ts';

/** A document, and the pages that are empty because they could not be loaded. */
type LoadedDocument = { document: PDFDocument; leftEmpty: EmptyPage[] };

/**
 * Loads a document that PDFium has opened with pdf-lib, from a rewritten copy if necessary. If
 * pages are missing from the page tree, the tree is rebuilt with empty pages in their places. Their
 * reasons are taken from `emptyPages`; the others get a general one. `isChanged` means that the
 * document in memory differs from the file.
 */
export async function loadForChange(
  path: string,
  source: PdfDocument,
  emptyPages: readonly EmptyPage[],
  isChanged = false,
): Promise<LoadedDocument> {
  const load = (bytes: Uint8Array): Promise<PDFDocument> =>
    PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
  if (!source.encrypted && !isChanged) {
    try {
      const document = await load(await readFile(path));
      if (document.getPageCount() === source.pageCount) return { document, leftEmpty: [] };
    } catch {
      // Try the rewritten copy instead.
    }
  }
  try {
    const document = await load(saveCopy(source));
    if (document.getPageCount() === source.pageCount) return { document, leftEmpty: [] };
    const filled = await fillGaps(document, source, emptyPages);
    if (filled) return filled;
  } catch (error) {
    if (error instanceof EngineError) throw error;
  }
  throw new EngineError('damaged', 'The PDF is too damaged for a text layer to be added.');
}

/**
 * Fills the gaps in the page tree with empty pages. Returns undefined if the gaps cannot be
 * located.
 */
async function fillGaps(
  document: PDFDocument,
  source: PdfDocument,
  emptyPages: readonly EmptyPage[],
): Promise<LoadedDocument | undefined> {
  const readable: number[] = [];
  for (let pageNumber = 1; pageNumber <= source.pageCount; pageNumber += 1) {
    if (await isReadable(source, pageNumber)) readable.push(pageNumber);
  }
  if (readable.length !== document.getPageCount()) return undefined;
  const filled = await PDFDocument.create({ updateMetadata: false });
  const copies = await filled.copyPages(document, document.getPageIndices());
  const knownPages = new Map(emptyPages.map((page) => [page.page, page]));
  const leftEmpty: EmptyPage[] = [];
  for (let pageNumber = 1; pageNumber <= source.pageCount; pageNumber += 1) {
    const copy = copies[readable.indexOf(pageNumber)];
    if (copy) {
      filled.addPage(copy);
      continue;
    }
    const reason = `Page ${pageNumber} of the PDF cannot be read.`;
    const emptyPage = knownPages.get(pageNumber) ?? {
      page: pageNumber,
      widthPt: 0,
      heightPt: 0,
      reason,
    };
    if (!knownPages.has(pageNumber)) leftEmpty.push(emptyPage);
    addEmptyPage(filled, emptyPage);
  }
  return { document: filled, leftEmpty };
}

async function isReadable(source: PdfDocument, pageNumber: number): Promise<boolean> {
  try {
    return await withPage(source, pageNumber, () => true);
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
