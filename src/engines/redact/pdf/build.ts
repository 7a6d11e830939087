/** Puts redacted pages into a new document that holds nothing else. */
import {
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPageLeaf,
  type PDFRef,
} from 'pdf-lib';
import { EngineError } from '../../errors.ts';
import { invert, userToDisplay } from '../../geometry.ts';
import { createEncoding, type Encoding, writeGlyphlessFont } from '../../pdf/glyphless-font.ts';
import type { PdfDocument } from '../../pdf/pdfium.ts';
import { fontName } from '../../pdf/text-run.ts';
import type { Frame } from '../../results.ts';
import { burnPage } from './burn.ts';
import { MustBurn } from './content/burn.ts';
import { standardFont } from './content/font.ts';
import { rewriteContent } from './content/rewrite.ts';
import { type DrawnPicture, mostOperations, type Scene } from './content/scene.ts';
import type { Rewritten } from './content/stream.ts';
import { Copier, compressed } from './copier.ts';
import { type IsShown, readLayers } from './layers.ts';
import { labelFont, labelFontName, paintBoxes, type Style } from './paint-boxes.ts';
import { Pictures } from './pictures/index.ts';
import type { Region } from './regions.ts';
import { contentOf, dictOf, numberValue } from './values.ts';

/** A page on its way: where it comes from, and what is to become of it. */
export interface WorkPage {
  /** 1-based, in the source. */
  page: number;
  size: { width: number; height: number };
  frame: Frame | undefined;
  regions: Region[];
  /** Why it becomes a picture; null when it need not. */
  burned: string | null;
  /** Why it is left empty. */
  empty: string | null;
}

/** The document that pages are taken from, as pdf-lib and as PDFium read it. */
export interface Source {
  document: PDFDocument | undefined;
  /** What pages are drawn from when they are burned, and the number of a page in it. */
  drawn(page: number): { document: PdfDocument; number: number };
}

const leftOut = 'This page could not be redacted and was left out.';

interface Output {
  document: PDFDocument;
  context: PDFContext;
  copier: Copier;
  encoding: Encoding;
  glyphless: PDFRef;
  /** The font of labels and of the sentence on empty pages. */
  font: () => PDFRef;
}

/** Makes one of a thing when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Writes the pages, in order, as a new PDF. Pages that turn out to have to be burned are marked so
 * and burned. The same pages give the same bytes.
 */
export async function buildDocument(
  source: Source,
  pages: readonly WorkPage[],
  style: Style,
): Promise<Uint8Array> {
  // Each round but the last burns all pages that it finds have to be; a burned page draws no pictures
  // any more, which may show that those of another have to be painted where they cannot be.
  for (let round = 0; round <= pages.length; round += 1) {
    const pictures = await notePictures(source, pages);
    const bytes = await writePages(source, pages, pictures, style);
    if (bytes) return bytes;
  }
  throw new EngineError('damaged', 'The redacted PDF could not be written.');
}

const inPlace = (page: WorkPage): boolean => page.burned === null && page.empty === null;

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
    shown: page.regions.flatMap(({ planned, textOnly }) => (textOnly ? [] : planned)),
    source: source.context,
    isShown,
    copier,
    draw,
    fonts,
    budget: { operations: mostOperations },
  };
}

/** The page's content without what goes; undefined, and marked, where it has to be burned. */
function rewritePage(source: PDFDocument, page: WorkPage, scene: Scene): Rewritten | undefined {
  const leaf = source.getPages()[page.page - 1]?.node;
  try {
    if (!leaf || !page.frame) throw new MustBurn('the page cannot be read');
    const bytes = contentOf(leaf);
    if (!bytes) throw new MustBurn('the page cannot be read');
    return rewriteContent(scene, bytes, leaf.Resources(), userToDisplay(page.frame));
  } catch (error) {
    if (error instanceof MustBurn) page.burned = error.message;
    // A malformed file makes pdf-lib throw errors of many kinds; drawn, it may still be right.
    else if (error instanceof Error) page.burned = 'the page is damaged';
    return undefined;
  }
}

/** Goes over all pages for what they draw, and makes the pictures that they will draw instead. */
async function notePictures(source: Source, pages: readonly WorkPage[]): Promise<Pictures> {
  const regions = new Map(pages.map((page) => [page.page, page.regions]));
  const { document } = source;
  const scratch = await PDFDocument.create({ updateMetadata: false });
  const pictures = new Pictures(document?.context ?? scratch.context, regions);
  if (!document) return pictures;
  const isShown = readLayers(document.catalog);
  const copier = new Copier(scratch.context, { idle: true });
  const fonts: Scene['fonts'] = new Map();
  const placeholder = scratch.context.nextRef();
  for (const page of pages.filter(inPlace)) {
    const note = (drawn: DrawnPicture): PDFRef => {
      pictures.note(page.page, drawn);
      return placeholder;
    };
    const scene = sceneFor(document, page, copier, fonts, note, isShown);
    if (!rewritePage(document, page, scene)) pictures.forget(page.page);
  }
  await pictures.make();
  return pictures;
}

/**
 * Undefined when pages were found to have to be burned on the way: then nothing is of use, and the rest
 * is only gone through for more of them.
 */
async function writePages(
  source: Source,
  pages: readonly WorkPage[],
  pictures: Pictures,
  style: Style,
): Promise<Uint8Array | undefined> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const output: Output = {
    document,
    context,
    copier: new Copier(context),
    encoding: createEncoding(),
    glyphless: context.nextRef(),
    font: once(() => standardFont(labelFontName).embedIntoContext(context)),
  };
  const fonts: Scene['fonts'] = new Map();
  let hasText = false;
  let isUseless = false;
  const isShown = source.document ? readLayers(source.document.catalog) : () => true;
  for (const page of pages) {
    if (page.empty !== null) writeEmpty(output, page);
    else if (page.burned !== null || !source.document) {
      if (isUseless) continue;
      await writeBurned(output, source, page, style);
      hasText = true;
    } else {
      const draw = (drawn: DrawnPicture) => pictures.refFor(page.page, drawn, output.copier);
      const scene = sceneFor(source.document, page, output.copier, fonts, draw, isShown);
      const rewritten = rewritePage(source.document, page, scene);
      if (rewritten) writeInPlace(output, source.document, page, rewritten, style);
      else isUseless = true;
    }
  }
  if (isUseless) return undefined;
  if (hasText) writeGlyphlessFont(context, output.glyphless, output.encoding);
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
  { content, resources }: Rewritten,
  style: Style,
): void {
  const { context, copier } = output;
  const { frame } = page;
  const original = source.getPages()[page.page - 1]?.node;
  if (!frame || !original) throw new Error('a page was not read');
  const { node } = output.document.addPage([frame.width, frame.height]);
  const { left, bottom, width, height } = frame;
  node.set(
    PDFName.of('MediaBox'),
    context.obj([left, bottom, left + width, bottom + height].map(tidy)),
  );
  if (frame.rotation !== 0) node.set(PDFName.of('Rotate'), context.obj(frame.rotation));
  const unit = numberValue(original, 'UserUnit');
  if (unit !== undefined && unit > 0) node.set(PDFName.of('UserUnit'), context.obj(unit));
  const group = dictOf(original, 'Group');
  if (group) node.set(PDFName.of('Group'), copier.copy(group, source.context));
  const boxes = paintBoxes(page.regions, invert(userToDisplay(frame)), style);
  finishPage(output, node, resources, boxes === '' ? content : `q\n${content}Q\n${boxes}`);
}

const tidy = (value: number): number => Math.round(value * 1000) / 1000;

/** Gives a page its content, and the font of labels where it has any. */
function finishPage(output: Output, node: PDFPageLeaf, resources: PDFDict, content: string): void {
  const { context } = output;
  if (content.includes(`/${labelFont} `)) {
    let table = dictOf(resources, 'Font');
    if (!table) {
      table = PDFDict.withContext(context);
      resources.set(PDFName.of('Font'), table);
    }
    table.set(PDFName.of(labelFont), output.font());
  }
  node.set(PDFName.Resources, resources);
  const stream = compressed(context, Buffer.from(content, 'latin1'), {});
  node.set(PDFName.Contents, context.register(stream));
}

async function writeBurned(
  output: Output,
  source: Source,
  page: WorkPage,
  style: Style,
): Promise<void> {
  const { context } = output;
  const drawn = source.drawn(page.page);
  const burned = await burnPage(
    context,
    drawn.document,
    drawn.number,
    page.regions,
    output.encoding,
    style,
  );
  const { node } = output.document.addPage([burned.width, burned.height]);
  const unit = source.document?.getPages()[page.page - 1]?.node;
  const userUnit = numberValue(unit, 'UserUnit');
  if (userUnit !== undefined && userUnit > 0)
    node.set(PDFName.of('UserUnit'), context.obj(userUnit));
  const resources = context.obj({
    XObject: { Page: context.register(burned.picture) },
    Font: { [fontName]: output.glyphless },
  });
  finishPage(output, node, resources, burned.text);
}

function writeEmpty(output: Output, { size }: WorkPage): void {
  const { context } = output;
  const { node } = output.document.addPage([size.width, size.height]);
  const fontSize = Math.max(1, Math.min(12, size.width / 30));
  const at = `${fontSize * 2} ${Math.max(0, size.height - fontSize * 4)}`;
  const content = `BT /${labelFont} ${fontSize} Tf ${at} Td (${leftOut}) Tj ET\n`;
  finishPage(output, node, PDFDict.withContext(context), content);
}
