import { createReadStream } from 'node:fs';
import { copyFile, stat, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import {
  type PDFContext,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPageLeaf,
  type PDFRef,
} from 'pdf-lib';
import sharp from 'sharp';
import { EngineError } from '../errors.ts';
import { compose, displaySize, invert, type Matrix, quarter } from '../geometry.ts';
import { workingDpi } from '../ocr/pictures/picture.ts';
import { type Assembled, type EmptyPage, isPageResult, type PageResult } from '../results.ts';
import { checkMime, frameOf, inspect } from '../source.ts';
import { addEmptyPage, fillEmptyPage } from './empty-page.ts';
import { createEncoding, type Encoding, writeGlyphlessFont } from './glyphless-font.ts';
import { placeImage } from './image-page.ts';
import { loadForChange } from './load.ts';
import { addResource, removeInvisibleText, setContents, surround } from './page-content.ts';
import { openPdf, type PdfDocument, renderPage, withPage } from './pdfium.ts';
import { displayToUser, fontName, pdfMatrix, straighten, writeTextLayer } from './text-run.ts';

export type AssemblyRequest = {
  /** The source. */
  path: string;
  mime: string;
  /** Page results as NDJSON, one per line, in any order; pages without a result stay unchanged. */
  pagesFile: string;
  /** Pages to leave empty, with the reason. */
  empty: readonly EmptyPage[];
  outPath: string;
};

/** Reads page results one at a time, so that memory holds one page. Throws on a malformed line. */
export async function* readPages(pagesFile: string): AsyncGenerator<PageResult> {
  const lines = createInterface({ input: createReadStream(pagesFile), crlfDelay: Infinity });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const value: unknown = JSON.parse(line);
    if (!isPageResult(value)) {
      throw new EngineError('invalid_argument', 'A page result is malformed.');
    }
    yield value;
  }
}

type Layer = { context: PDFContext; font: PDFRef; encoding: Encoding; used: boolean };

/** Adds the text over the page's own content, which stays unchanged. */
function addTextLayer(layer: Layer, leaf: PDFPageLeaf, result: PageResult): void {
  const { context } = layer;
  const text = writeTextLayer(result, layer.encoding);
  const straight = straighten(result);
  if (text === '' && !straight) return;
  const toUser = displayToUser(result);
  const turned = straight ? compose(compose(toUser, straight), invert(toUser)) : undefined;
  surround(context, leaf, turned ? `${pdfMatrix(turned)} cm` : '', text);
  if (text !== '') {
    addResource(context, leaf, 'Font', fontName, layer.font);
    layer.used = true;
  }
}

/** Turns the page by the detected orientation; only /Rotate changes. */
function turnPage(leaf: PDFPageLeaf, result: PageResult): void {
  if (result.orientation === 0) return;
  const rotation = quarter((result.frame?.rotation ?? 0) + result.orientation);
  leaf.set(PDFName.of('Rotate'), PDFNumber.of(rotation));
}

/** Replaces all content of the page with a picture of it, with the text over it. */
async function rasterise(
  layer: Layer,
  leaf: PDFPageLeaf,
  result: PageResult,
  source: PdfDocument,
): Promise<void> {
  const { context } = layer;
  const image = await drawPage(source, result.page);
  const toUser = displayToUser(result);
  const straight = straighten(result);
  const shown: Matrix = [result.widthPt, 0, 0, -result.heightPt, 0, result.heightPt];
  const map = compose(straight ? compose(toUser, straight) : toUser, shown);
  const picture = context.register(
    context.stream(image.jpeg, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: image.width,
      Height: image.height,
      ColorSpace: 'DeviceRGB',
      BitsPerComponent: 8,
      Filter: 'DCTDecode',
    }),
  );
  const text = writeTextLayer(result, layer.encoding);
  leaf.set(
    PDFName.Resources,
    context.obj({ XObject: { Page: picture }, Font: { [fontName]: layer.font } }),
  );
  const content = context.flateStream(`q ${pdfMatrix(map)} cm /Page Do Q\n${text}`);
  setContents(context, leaf, [context.register(content)]);
  layer.used = true;
}

async function drawPage(
  source: PdfDocument,
  number: number,
): Promise<{ jpeg: Buffer; width: number; height: number }> {
  return withPage(source, number, async (page) => {
    const size = displaySize(frameOf(source, page));
    const dpi = workingDpi(200, 200, size.width, size.height);
    const { data, width, height } = renderPage(source.pdfium, page, {
      width: Math.max(1, Math.round((size.width / 72) * dpi)),
      height: Math.max(1, Math.round((size.height / 72) * dpi)),
      grey: false,
      annotations: false,
    });
    const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 85, chromaSubsampling: '4:4:4' })
      .toBuffer();
    return { jpeg, width, height };
  });
}

/** True if any page changes; otherwise the source stays the same byte for byte. */
async function changesAnything(pagesFile: string): Promise<boolean> {
  for await (const result of readPages(pagesFile)) {
    const straightens = result.deskew && result.skewDegrees !== 0;
    if (result.treatment !== 'keep' || result.orientation !== 0 || straightens) return true;
  }
  return false;
}

type Written = Pick<Assembled, 'pages' | 'leftEmpty'>;

async function assembleFromPdf(request: AssemblyRequest): Promise<Written> {
  const { path, pagesFile, empty, outPath } = request;
  const source = await openPdf(path);
  try {
    if (empty.length === 0 && !(await changesAnything(pagesFile))) {
      await copyFile(path, outPath);
      return { pages: source.pageCount, leftEmpty: [] };
    }
    const { document, leftEmpty } = await loadForChange(path, source, empty);
    const { context } = document;
    const layer: Layer = {
      context,
      font: context.nextRef(),
      encoding: createEncoding(),
      used: false,
    };
    const pages = document.getPages();
    const left = new Set(empty.map(({ page }) => page));
    for (const page of empty) {
      const leaf = pages[page.page - 1]?.node;
      if (leaf) fillEmptyPage(document, leaf, page);
    }
    for await (const result of readPages(pagesFile)) {
      if (left.has(result.page)) continue;
      const leaf = pages[result.page - 1]?.node;
      if (!leaf)
        throw new EngineError('page_not_found', `The document has no page ${result.page}.`);
      if (result.treatment === 'replace_invisible') removeInvisibleText(context, leaf);
      if (result.treatment === 'rasterise') await rasterise(layer, leaf, result, source);
      else if (result.treatment !== 'keep') addTextLayer(layer, leaf, result);
      turnPage(leaf, result);
    }
    await finish(document, layer, outPath);
    return { pages: source.pageCount, leftEmpty };
  } finally {
    source.close();
  }
}

async function assembleFromImage({
  path,
  mime,
  pagesFile,
  empty,
  outPath,
}: AssemblyRequest): Promise<Written> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const layer: Layer = {
    context,
    font: context.nextRef(),
    encoding: createEncoding(),
    used: false,
  };

  const { pages } = await inspect(path, mime);
  const told = new Map(empty.map((page) => [page.page, page]));
  const leftEmpty: EmptyPage[] = [];
  for (const { number, widthPt, heightPt } of pages) {
    const known = told.get(number);
    const failure = known ?? (await addImagePage(document, path, number));
    if (failure === null) continue;
    const page = known ?? { page: number, widthPt, heightPt, reason: failure.reason };
    if (!known) leftEmpty.push(page);
    addEmptyPage(document, page);
  }
  const left = new Set([...empty, ...leftEmpty].map(({ page }) => page));
  const leaves = document.getPages();
  for await (const result of readPages(pagesFile)) {
    if (left.has(result.page)) continue;
    const leaf = leaves[result.page - 1]?.node;
    if (!leaf) throw new EngineError('page_not_found', `The document has no page ${result.page}.`);
    addTextLayer(layer, leaf, result);
    turnPage(leaf, result);
  }
  await finish(document, layer, outPath);
  return { pages: pages.length, leftEmpty };
}

/** Adds a page with one page of an image file, or with the reason why that is not possible. */
async function addImagePage(
  document: PDFDocument,
  path: string,
  number: number,
): Promise<{ reason: string } | null> {
  const { context } = document;
  try {
    const { image, matrix, widthPt, heightPt } = await placeImage(context, path, number);
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

/** Writes the font and the file, and checks that the result opens. */
async function finish(document: PDFDocument, layer: Layer, outPath: string): Promise<void> {
  if (layer.used) writeGlyphlessFont(layer.context, layer.font, layer.encoding);
  const bytes = await document.save({
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  });
  await writeFile(outPath, bytes);
  const written = await openPdf(outPath);
  const pages = written.pageCount;
  written.close();
  if (pages !== document.getPageCount()) {
    throw new EngineError('damaged', 'The PDF is too damaged for a text layer to be added.');
  }
}

/**
 * Writes the source as a PDF whose recognised pages carry their words as invisible text. Original pages
 * stay unchanged; an image becomes a page that contains it unchanged. The same input results in the same
 * bytes. Throws EngineError.
 */
export async function assembleSearchablePdf(request: AssemblyRequest): Promise<Assembled> {
  const mime = await checkMime(request.path, request.mime);
  const written =
    mime === 'application/pdf' ? await assembleFromPdf(request) : await assembleFromImage(request);
  return { bytes: (await stat(request.outPath)).size, ...written };
}
