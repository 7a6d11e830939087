import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { EngineError } from '@scriptorium/sandbox/errors';
import { type PDFContext, PDFDocument, PDFName, PDFNumber, type PDFPageLeaf } from 'pdf-lib';
import { readJsonLines } from '../files/json-lines.ts';
import { compose, invert, nearestQuarter } from '../geometry.ts';
import { type AssemblyResult, type EmptyPage, isPageResult, type PageResult } from '../results.ts';
import { inspect } from '../source/inspect.ts';
import { checkMime } from '../source/mime.ts';
import type { PdfRequest } from '../text/calls.ts';
import { requireArchival, startArchivalConversion } from './archival/index.ts';
import { declareArchival } from './archival/metadata.ts';
import { needsFlattening } from './archival/page-clauses.ts';
import { removeUnreferenced } from './archival/values.ts';
import { addEmptyPage, fillEmptyPage } from './empty-page.ts';
import { createEncoding, writeGlyphlessFont } from './glyphless-font.ts';
import { placeImage } from './image-page.ts';
import { loadForChange } from './load.ts';
import { addResource, removeInvisibleText, surround } from './page-content.ts';
import { openPdf, type PdfDocument } from './pdfium.ts';
import { preparePage } from './prepare.ts';
import { rasterise, type TextLayer } from './rasterise.ts';
import { deskewMatrixOf, displayToUser, fontName, pdfMatrix, writeTextLayer } from './text-run.ts';

/**
 * Reads page results one at a time, so that only one page is in memory.
 * @throws EngineError `invalid_argument` if a page result is malformed.
 */
export const readPages = (pagesFile: string): AsyncGenerator<PageResult> =>
  readJsonLines(pagesFile, isPageResult);

/** Adds the text over the content of the page, which stays unchanged. */
function addTextLayer(layer: TextLayer, leaf: PDFPageLeaf, result: PageResult): void {
  const { context } = layer;
  const text = writeTextLayer(result, layer.encoding);
  const deskewMatrix = deskewMatrixOf(result);
  if (text === '' && !deskewMatrix) return;
  const toUser = displayToUser(result);
  const userDeskew = deskewMatrix
    ? compose(compose(toUser, deskewMatrix), invert(toUser))
    : undefined;
  surround(context, leaf, userDeskew ? `${pdfMatrix(userDeskew)} cm` : '', text);
  if (text !== '') {
    addResource(context, leaf, 'Font', fontName, layer.font);
    layer.used = true;
  }
}

/** Turns the page by the detected orientation. Only /Rotate changes. */
function turnPage(leaf: PDFPageLeaf, result: PageResult): void {
  if (result.orientation === 0) return;
  const rotation = nearestQuarter((result.frame?.rotation ?? 0) + result.orientation);
  leaf.set(PDFName.of('Rotate'), PDFNumber.of(rotation));
}

/** Whether any page changes. If none does, the output is the source, byte for byte. */
async function changesAnything(pagesFile: string): Promise<boolean> {
  for await (const result of readPages(pagesFile)) {
    const isStraightened = result.deskew && result.skewDegrees !== 0;
    if (result.treatment !== 'keep' || result.orientation !== 0 || isStraightened) return true;
  }
  return false;
}

type AssembledPages = Pick<AssemblyResult, 'pages' | 'leftEmpty' | 'archived'>;

function createTextLayer(context: PDFContext): TextLayer {
  return { context, font: context.nextRef(), encoding: createEncoding(), used: false };
}

/**
 * Loads the pages of the source. For PDF/A, annotations that are not allowed become part of the
 * page.
 */
async function loadPages({ path, empty = [], pdfa }: PdfRequest, source: PdfDocument) {
  const loaded = await loadForChange(path, source, empty);
  const flattenFlags = pdfa
    ? loaded.document.getPages().map(({ node }) => needsFlattening(node))
    : [];
  if (!flattenFlags.includes(true)) return loaded;
  for (const [at, mustFlatten] of flattenFlags.entries())
    if (mustFlatten) await preparePage(source, at + 1);
  return loadForChange(path, source, empty, true);
}

async function assembleFromPdf(request: PdfRequest): Promise<AssembledPages> {
  const { path, pagesFile, empty = [], outPath, pdfa } = request;
  const source = await openPdf(path);
  try {
    if (!pdfa && empty.length === 0 && !(await changesAnything(pagesFile))) {
      await copyFile(path, outPath);
      return { pages: source.pageCount, leftEmpty: [] };
    }
    const { document, leftEmpty } = await loadPages(request, source);
    const { context } = document;
    const layer = createTextLayer(context);
    const converter = pdfa ? startArchivalConversion(document, layer, source) : undefined;
    const pages = document.getPages();
    const emptyNumbers = new Set([...empty, ...leftEmpty].map(({ page }) => page));
    for (const page of empty) {
      const leaf = pages[page.page - 1]?.node;
      if (leaf) fillEmptyPage(document, leaf, page);
    }
    for await (const result of readPages(pagesFile)) {
      if (emptyNumbers.has(result.page)) continue;
      const leaf = pages[result.page - 1]?.node;
      if (!leaf)
        throw new EngineError('page_not_found', `The document has no page ${result.page}.`);
      if (result.treatment === 'replace_invisible') removeInvisibleText(context, leaf);
      if (result.treatment === 'rasterise') await rasterise(layer, leaf, result, source);
      else if (!(await converter?.replace(leaf, result)) && result.treatment !== 'keep') {
        addTextLayer(layer, leaf, result);
      }
      turnPage(leaf, result);
    }
    await converter?.finishPages([...empty, ...leftEmpty]);
    await finish(document, layer, request);
    return {
      pages: source.pageCount,
      leftEmpty,
      ...(converter && { archived: converter.archived }),
    };
  } finally {
    source.close();
  }
}

async function assembleFromImage(request: PdfRequest): Promise<AssembledPages> {
  const { path, mime, pagesFile, empty = [], pdfa = false } = request;
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const layer = createTextLayer(context);
  const { pages } = await inspect(path, mime);
  const emptyByNumber = new Map(empty.map((page) => [page.page, page]));
  const leftEmpty: EmptyPage[] = [];
  for (const { number, widthPt, heightPt } of pages) {
    const knownEmpty = emptyByNumber.get(number);
    const failure = knownEmpty ?? (await addImagePage(document, path, number, pdfa));
    if (failure === null) continue;
    const page = knownEmpty ?? { page: number, widthPt, heightPt, reason: failure.reason };
    if (!knownEmpty) leftEmpty.push(page);
    addEmptyPage(document, page);
  }
  const emptyNumbers = new Set([...empty, ...leftEmpty].map(({ page }) => page));
  const leaves = document.getPages();
  for await (const result of readPages(pagesFile)) {
    if (emptyNumbers.has(result.page)) continue;
    const leaf = leaves[result.page - 1]?.node;
    if (!leaf) throw new EngineError('page_not_found', `The document has no page ${result.page}.`);
    addTextLayer(layer, leaf, result);
    turnPage(leaf, result);
  }
  const converter = pdfa ? startArchivalConversion(document, layer, null) : undefined;
  await converter?.finishPages([...empty, ...leftEmpty]);
  await finish(document, layer, request);
  return { pages: pages.length, leftEmpty, ...(converter && { archived: converter.archived }) };
}

/** Adds a page with one page of an image file, or with the reason why it cannot be read. */
async function addImagePage(
  document: PDFDocument,
  path: string,
  pageNumber: number,
  convertCmyk: boolean,
): Promise<{ reason: string } | null> {
  const { context } = document;
  try {
    const { image, matrix, widthPt, heightPt } = await placeImage(
      context,
      path,
      pageNumber,
      convertCmyk,
    );
    const { node } = document.addPage([widthPt, heightPt]);
    node.set(PDFName.Resources, context.obj({ XObject: { Page: image } }));
    const draw = context.flateStream(`q ${pdfMatrix(matrix)} cm /Page Do Q\n`);
    node.set(PDFName.Contents, context.register(draw));
    return null;
  } catch (error) {
    if (!(error instanceof EngineError) || error.retryable) throw error;
    return { reason: error.message };
  }
}

/** Writes the font and the file, and checks that the output opens and matches the request. */
async function finish(
  document: PDFDocument,
  layer: TextLayer,
  { path, outPath, pdfa }: PdfRequest,
): Promise<void> {
  if (layer.used) writeGlyphlessFont(layer.context, layer.font, layer.encoding);
  if (pdfa) {
    await declareArchival(document, await readFile(path));
    removeUnreferenced(document.context);
  }
  const bytes = await document.save({
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  });
  if (pdfa) await requireArchival(bytes);
  await writeFile(outPath, bytes);
  const output = await openPdf(outPath);
  const pages = output.pageCount;
  output.close();
  if (pages !== document.getPageCount()) {
    throw new EngineError('damaged', 'The PDF is too damaged for a text layer to be added.');
  }
}

/**
 * Writes the source as a PDF with the words of recognised pages as invisible text. Original pages
 * stay unchanged; an image becomes a page that contains the unchanged image. The same input results
 * in the same bytes.
 * @throws EngineError if the source cannot be read or the output is invalid.
 */
export async function assembleSearchablePdf(request: PdfRequest): Promise<AssemblyResult> {
  const mime = await checkMime(request.path, request.mime);
  const assembled =
    mime === 'application/pdf' ? await assembleFromPdf(request) : await assembleFromImage(request);
  return { bytes: (await stat(request.outPath)).size, ...assembled };
}
