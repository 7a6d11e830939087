import { readFile } from 'node:fs/promises';
import { EngineError } from '@scriptorium/sandbox/errors';
import { ParseSpeeds, PDFDocument } from 'pdf-lib';
import type { EmptyPage } from '../results.ts';
import { addEmptyPage } from './empty-page.ts';
import { type PdfDocument, saveCopy, withPage } from './pdfium.ts';

/** A document, and the pages that are empty because they could not be loaded. */
type Loaded = { document: PDFDocument; leftEmpty: EmptyPage[] };

/**
 * Loads a document that PDFium has opened with pdf-lib, from a rewritten copy if necessary. If
 * pages are missing from the page tree, the tree is rebuilt with empty pages in their places: with
 * the reasons in `empty`, or else with a general reason. `isChanged`: whether the document in
 * memory differs from the file.
 */
export async function loadForChange(
  path: string,
  source: PdfDocument,
  empty: readonly EmptyPage[],
  isChanged = false,
): Promise<Loaded> {
  const load = (bytes: Uint8Array): Promise<PDFDocument> =>
    PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
  if (!source.encrypted && !isChanged) {
    try {
      const document = await load(await readFile(path));
      if (document.getPageCount() === source.pageCount) return { document, leftEmpty: [] };
    } catch {
      // Continues with the copy.
    }
  }
  try {
    const document = await load(saveCopy(source));
    if (document.getPageCount() === source.pageCount) return { document, leftEmpty: [] };
    const filled = await fillHoles(document, source, empty);
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
async function fillHoles(
  document: PDFDocument,
  source: PdfDocument,
  empty: readonly EmptyPage[],
): Promise<Loaded | undefined> {
  const readable: number[] = [];
  for (let number = 1; number <= source.pageCount; number += 1) {
    if (await isReadable(source, number)) readable.push(number);
  }
  if (readable.length !== document.getPageCount()) return undefined;
  const filled = await PDFDocument.create({ updateMetadata: false });
  const copies = await filled.copyPages(document, document.getPageIndices());
  const known = new Map(empty.map((page) => [page.page, page]));
  const leftEmpty: EmptyPage[] = [];
  for (let number = 1; number <= source.pageCount; number += 1) {
    const copy = copies[readable.indexOf(number)];
    if (copy) {
      filled.addPage(copy);
      continue;
    }
    const reason = `Page ${number} of the PDF cannot be read.`;
    const hole = known.get(number) ?? { page: number, widthPt: 0, heightPt: 0, reason };
    if (!known.has(number)) leftEmpty.push(hole);
    addEmptyPage(filled, hole);
  }
  return { document: filled, leftEmpty };
}

async function isReadable(source: PdfDocument, number: number): Promise<boolean> {
  try {
    return await withPage(source, number, () => true);
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
