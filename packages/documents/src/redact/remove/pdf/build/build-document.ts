/** Writes redacted pages to a new document that contains nothing else. */

import { EngineError } from '@scriptorium/sandbox/errors';
import {
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPageLeaf,
  type PDFRef,
} from 'pdf-lib';
import { invert, userToDisplay } from '../../../../geometry.ts';
import { once } from '../../../../once.ts';
import {
  createEncoding,
  type Encoding,
  writeGlyphlessFont,
} from '../../../../pdf/glyphless-font.ts';
import type { PdfDocument } from '../../../../pdf/pdfium.ts';
import { fontName, writeTextLayer } from '../../../../pdf/text-run.ts';
import type { PageFrame } from '../../../../results.ts';
import { remainingLayer } from '../../../contract/layer.ts';
import type { PageLayer } from '../../../contract/plan.ts';
import { burnPage } from '../burned/burn-page.ts';
import type { RewrittenContent } from '../content/content-stream.ts';
import { standardFont } from '../content/font.ts';
import { rewriteContent } from '../content/rewrite.ts';
import { type DrawnPicture, maxOperations, type Scene } from '../content/scene.ts';
import { MustBurn } from '../must-burn.ts';
import { Pictures } from '../pictures/index.ts';
import { type BoxStyle, labelFontKey, labelFontName, paintBoxes } from '../regions/paint-boxes.ts';
import { type PaintRegion, paintedAreas } from '../regions/regions.ts';
import { Copier } from './copier.ts';
import { type IsShown, readLayers } from './layers.ts';
import { contentOf, dictOf, lookUp, numberValue } from './values.ts';

/** A page being redacted: its source and its treatment. */
export interface WorkPage {
  /** 1-based page number in the source. */
  page: number;
  size: { width: number; height: number };
  frame: PageFrame | undefined;
  regions: PaintRegion[];
  /** Why the page must become a picture; null if it does not. */
  burnReason: string | null;
  /** Whether the picture of the page has no text layer. */
  omitsTextLayer: boolean;
  /** Why the page is left empty; null if it is not. */
  emptyReason: string | null;
  /** The recognised words to write as invisible text. */
  layer: PageLayer | undefined;
}

/** The source document, as read by pdf-lib and by PDFium. */
export interface SourceDocument {
  document: PDFDocument | undefined;
  /** Returns the document from which a burned page is drawn, and the number of the page in it. */
  drawingSource(page: number): { document: PdfDocument; number: number };
}

const emptyPageNotice = 'This page could not be redacted and was left out.';

interface Output {
  document: PDFDocument;
  context: PDFContext;
  copier: Copier;
  encoding: Encoding;
  glyphlessFont: PDFRef;
  /** Returns the font of labels and of the notice on empty pages. */
  font: () => PDFRef;
}

/**
 * Writes the pages, in order, as a new PDF. Pages that turn out to need burning are marked and
 * burned. The output is deterministic.
 * @param passing whether the output is an intermediate result that need not be small
 */
export async function buildDocument(
  source: SourceDocument,
  pages: readonly WorkPage[],
  style: BoxStyle,
  { passing = false }: { passing?: boolean } = {},
): Promise<Uint8Array> {
  // Every round but the last finds further pages to burn. A burned page no longer draws its
  // pictures. As a result, another page may have to paint over them where this is not possible.
  for (let round = 0; round <= pages.length; round += 1) {
    const pictures = await recordPictures(source, pages);
    const copier = (context: PDFContext) => new Copier(context, { passing });
    const bytes = await writePages(source, pages, pictures, style, copier);
    if (bytes) return bytes;
  }
  throw new EngineError('damaged', 'The redacted PDF could not be written.');
}

const isInPlace = (page: WorkPage): boolean =>
  page.burnReason === null && page.emptyReason === null;

function sceneFor(
  source: PDFDocument,
  page: WorkPage,
  copier: Copier,
  fonts: Scene['fonts'],
  draw: (drawn: DrawnPicture) => PDFRef | undefined,
  isShown: IsShown,
): Scene {
  return {
    page: [0, 0, page.size.width, page.size.height],
    areas: page.regions.flatMap(({ box, planned }) => [box, ...planned]),
    drawings: page.regions.flatMap(({ box, planned, textOnly }) =>
      textOnly ? planned : [box, ...planned],
    ),
    recognisedAreas: page.regions.flatMap(({ planned, textOnly }) => (textOnly ? [] : planned)),
    source: source.context,
    isShown,
    copier,
    draw,
    fonts,
    budget: { operations: maxOperations },
  };
}

/**
 * Returns the content of a page without the removed content. If the page must be burned, records
 * this and returns undefined.
 */
function rewritePage(
  source: PDFDocument,
  page: WorkPage,
  scene: Scene,
): RewrittenContent | undefined {
  const leaf = source.getPages()[page.page - 1]?.node;
  try {
    if (!leaf || !page.frame) throw new MustBurn('the page cannot be read');
    const bytes = contentOf(leaf);
    if (!bytes) throw new MustBurn('the page cannot be read');
    return rewriteContent(scene, bytes, leaf.Resources(), userToDisplay(page.frame));
  } catch (error) {
    if (error instanceof MustBurn) page.burnReason = error.message;
    // pdf-lib throws various errors on malformed files. The page can possibly still be drawn.
    else if (error instanceof Error) page.burnReason = 'the page is damaged';
    return undefined;
  }
}

/**
 * Whether rewriting a page may encounter pictures, on the page itself or in its forms. Other
 * pages need not be searched for pictures before writing. If such a page draws a picture after all,
 * the picture has no replacement (`Pictures.refFor`), and the page is burned.
 */
export function mayDrawPictures(source: PDFDocument, page: WorkPage): boolean {
  const leaf = source.getPages()[page.page - 1]?.node;
  if (!leaf) return true;
  try {
    const xObjects = lookUp(leaf.Resources(), 'XObject');
    const hasNoXObjects =
      xObjects === undefined || (xObjects instanceof PDFDict && xObjects.keys().length === 0);
    return !hasNoXObjects || (contentOf(leaf)?.includes('ID') ?? true);
  } catch {
    // pdf-lib throws various errors on malformed files.
    return true;
  }
}

/** Records the pictures that all pages draw, and creates their replacements. */
async function recordPictures(
  source: SourceDocument,
  pages: readonly WorkPage[],
): Promise<Pictures> {
  const regions = new Map(pages.map((page) => [page.page, page.regions]));
  const { document } = source;
  const scratchDocument = await PDFDocument.create({ updateMetadata: false });
  const pictures = new Pictures(document?.context ?? scratchDocument.context, regions);
  if (!document) return pictures;
  const isShown = readLayers(document.catalog);
  const copier = new Copier(scratchDocument.context, { idle: true });
  const fonts: Scene['fonts'] = new Map();
  const placeholder = scratchDocument.context.nextRef();
  for (const page of pages.filter((one) => isInPlace(one) && mayDrawPictures(document, one))) {
    const recordDraw = (drawn: DrawnPicture): PDFRef => {
      pictures.recordDraw(page.page, drawn);
      return placeholder;
    };
    const scene = sceneFor(document, page, copier, fonts, recordDraw, isShown);
    if (!rewritePage(document, page, scene)) pictures.forget(page.page);
  }
  await pictures.createReplacements();
  return pictures;
}

/**
 * Writes the pages. Returns undefined if more pages must be burned. In this case, the output is
 * discarded, and the remaining pages are processed only to find more such pages.
 */
async function writePages(
  source: SourceDocument,
  pages: readonly WorkPage[],
  pictures: Pictures,
  style: BoxStyle,
  copierFor: (context: PDFContext) => Copier,
): Promise<Uint8Array | undefined> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const output: Output = {
    document,
    context,
    copier: copierFor(context),
    encoding: createEncoding(),
    glyphlessFont: context.nextRef(),
    font: once(() => standardFont(labelFontName).embedIntoContext(context)),
  };
  const fonts: Scene['fonts'] = new Map();
  let hasText = false;
  let isDiscarded = false;
  const isShown = source.document ? readLayers(source.document.catalog) : () => true;
  for (const page of pages) {
    if (page.emptyReason !== null) writeEmpty(output, page);
    else if (page.burnReason !== null || !source.document) {
      if (isDiscarded) continue;
      await writeBurned(output, source, page, style);
      hasText = true;
    } else {
      const draw = (drawn: DrawnPicture) => pictures.refFor(page.page, drawn, output.copier);
      const scene = sceneFor(source.document, page, output.copier, fonts, draw, isShown);
      const rewritten = rewritePage(source.document, page, scene);
      if (rewritten) {
        writeInPlace(output, source.document, page, rewritten, style);
        hasText ||= page.layer !== undefined;
      } else isDiscarded = true;
    }
  }
  if (isDiscarded) return undefined;
  if (hasText) writeGlyphlessFont(context, output.glyphlessFont, output.encoding);
  return document.save({
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  });
}

function writeInPlace(
  output: Output,
  source: PDFDocument,
  page: WorkPage,
  { content, resources }: RewrittenContent,
  style: BoxStyle,
): void {
  const { context, copier } = output;
  const { frame } = page;
  const original = source.getPages()[page.page - 1]?.node;
  if (!frame || !original) throw new Error('a page was not read');
  const { node } = output.document.addPage([frame.width, frame.height]);
  const { left, bottom, width, height } = frame;
  node.set(
    PDFName.of('MediaBox'),
    context.obj([left, bottom, left + width, bottom + height].map(roundCoordinate)),
  );
  if (frame.rotation !== 0) node.set(PDFName.of('Rotate'), context.obj(frame.rotation));
  const unit = numberValue(original, 'UserUnit');
  if (unit !== undefined && unit > 0) node.set(PDFName.of('UserUnit'), context.obj(unit));
  const group = dictOf(original, 'Group');
  if (group) node.set(PDFName.of('Group'), copier.copy(group, source.context));
  const boxes = paintBoxes(page.regions, invert(userToDisplay(frame)), style);
  const layer = writeLayer(output, page, resources);
  const overlay = `${boxes}${layer}`;
  finishPage(output, node, resources, overlay === '' ? content : `q\n${content}Q\n${overlay}`);
}

/**
 * Returns the operators of a page's layer, and adds the font of the layer to the page's resources.
 */
function writeLayer(output: Output, page: WorkPage, resources: PDFDict): string {
  const { layer, frame, size, regions } = page;
  if (!layer || !frame) return '';
  const pageInfo = { page: page.page, frame, ...size };
  const remaining = remainingLayer(layer, pageInfo, regions.flatMap(paintedAreas));
  const text = writeTextLayer(remaining, output.encoding);
  if (text !== '') fontsOf(output, resources).set(PDFName.of(fontName), output.glyphlessFont);
  return text;
}

/** Returns the font dictionary of resources, or an empty one if they have no fonts. */
function fontsOf({ context }: Output, resources: PDFDict): PDFDict {
  const existing = dictOf(resources, 'Font');
  if (existing) return existing;
  const table = PDFDict.withContext(context);
  resources.set(PDFName.of('Font'), table);
  return table;
}

const roundCoordinate = (value: number): number => Math.round(value * 1000) / 1000;

/** Adds content to a page, and the font of labels if the page has labels. */
function finishPage(output: Output, node: PDFPageLeaf, resources: PDFDict, content: string): void {
  const { context } = output;
  if (content.includes(`/${labelFontKey} `)) {
    fontsOf(output, resources).set(PDFName.of(labelFontKey), output.font());
  }
  node.set(PDFName.Resources, resources);
  const stream = output.copier.compress(Buffer.from(content, 'latin1'), {});
  node.set(PDFName.Contents, context.register(stream));
}

async function writeBurned(
  output: Output,
  source: SourceDocument,
  page: WorkPage,
  style: BoxStyle,
): Promise<void> {
  const { context } = output;
  const drawing = source.drawingSource(page.page);
  const burnedPage = await burnPage(
    context,
    drawing.document,
    drawing.number,
    page,
    output.encoding,
    style,
  );
  const { node } = output.document.addPage([burnedPage.width, burnedPage.height]);
  const sourcePage = source.document?.getPages()[page.page - 1]?.node;
  const userUnit = numberValue(sourcePage, 'UserUnit');
  if (userUnit !== undefined && userUnit > 0)
    node.set(PDFName.of('UserUnit'), context.obj(userUnit));
  const resources = context.obj({
    XObject: { Page: context.register(burnedPage.picture) },
    Font: { [fontName]: output.glyphlessFont },
  });
  finishPage(output, node, resources, burnedPage.text);
}

function writeEmpty(output: Output, { size }: WorkPage): void {
  const { context } = output;
  const { node } = output.document.addPage([size.width, size.height]);
  const fontSize = Math.max(1, Math.min(12, size.width / 30));
  const position = `${fontSize * 2} ${Math.max(0, size.height - fontSize * 4)}`;
  const content = `BT /${labelFontKey} ${fontSize} Tf ${position} Td (${emptyPageNotice}) Tj ET\n`;
  finishPage(output, node, PDFDict.withContext(context), content);
}
