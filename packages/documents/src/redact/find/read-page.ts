import { readFile } from 'node:fs/promises';
import type { EntityType } from '@scriptorium/contracts/documents/entities';
import type { Detector } from '@scriptorium/pii/finding';
import { EngineError } from '@scriptorium/sandbox/errors';
import type { Barcode } from '../../barcodes/index.ts';
import type { Face } from '../../faces/index.ts';
import { displaySize } from '../../geometry.ts';
import { type Fragment, fragmentsOfGlyphs, fragmentsOfResult } from '../../model/fragments.ts';
import { cellBorders } from '../../model/line-gaps.ts';
import type { Rule } from '../../model/page.ts';
import { markDoubted } from '../../ocr/doubts/index.ts';
import {
  channelsOfImage,
  channelsOfPdfPage,
  pictureOfImage,
  pictureOfPdfPage,
  type View,
  viewsOfImage,
} from '../../ocr/pictures/page-picture.ts';
import type { PagePicture } from '../../ocr/pictures/picture.ts';
import { recogniseLines, recognisePicture } from '../../ocr/recognise-picture.ts';
import type { Tesseract } from '../../ocr/tesseract/recogniser.ts';
import type { UnreadLines } from '../../ocr/unread-lines.ts';
import { oncePer } from '../../once.ts';
import { openCachedPdf } from '../../pdf/document-cache.ts';
import type { FormField } from '../../pdf/form-fields.ts';
import { withNamedGlyphs } from '../../pdf/glyph-names.ts';
import { frameOf } from '../../pdf/page-frame.ts';
import { readGlyphs } from '../../pdf/page-glyphs.ts';
import { listObjects } from '../../pdf/page-objects.ts';
import { readRules } from '../../pdf/page-rules.ts';
import { fieldsOf, unreadKindsOfPrepared, withPreparedPage } from '../../pdf/prepare.ts';
import { modelsFor } from '../../pdf/shapes/other-scripts.ts';
import { type Box, isPageResult, type PageResult } from '../../results.ts';
import { checkMime } from '../../source/mime.ts';
import type { FindRequest } from '../contract/requests.ts';
import { areasToRecognise } from './areas.ts';
import { barcodesOn } from './barcodes.ts';
import { fragmentsByColour } from './colours.ts';
import { facesOn } from './faces.ts';
import { readPaleInk } from './pale-text.ts';
import { selectReadWords } from './read-words.ts';
import { growToLines, inkPicture, recogniseAreas, recognisedOf } from './recognised-words.ts';

/** A page to search, with the options for reading parts that were not read reliably. */
export type FindTask = Omit<FindRequest, 'how'> & {
  languages: readonly string[];
  isReread: boolean;
};

export type FindTools = {
  detector: Detector;
  /** Starts Tesseract for the first page that needs it. */
  tesseract(): Promise<Tesseract>;
  /** The languages of the installed models. */
  installed: readonly string[];
  isolation: string;
};

/** The content of a page: its own text, the recognised text, and its ink if needed. */
export type ReadPage = {
  page: number;
  widthPt: number;
  heightPt: number;
  own: Fragment[];
  recognised: Fragment[];
  pictures: Box[];
  rules: readonly Rule[];
  fields: readonly FormField[];
  dropped: readonly string[];
  ink: PagePicture | undefined;
  /** The page as drawn, like `ink`, if it may have barcodes or signatures. */
  drawn: PagePicture | undefined;
  /** The barcodes of the page; empty if they are not searched for. */
  barcodes: readonly Barcode[];
  /** The faces of the page; empty if they are not searched for. */
  faces: readonly Face[];
};

async function readResult(path: string): Promise<PageResult> {
  const result: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isPageResult(result)) {
    throw new EngineError('invalid_argument', 'A page result is malformed.');
  }
  return result;
}

/** Returns the boxes of recognised words that count as read. */
function readBoxes(words: readonly Fragment[]): Box[] {
  const { sure, alone } = selectReadWords(words);
  return [...sure, ...alone].map(({ box }) => box);
}

/** Whether findings of a type are to be removed. */
export const mayRemove = ({ options: { entities } }: FindTask, type: EntityType): boolean =>
  entities === 'all' || entities.includes(type);

/** Whether barcodes are searched for. Those that are kept must not be taken for writing. */
const searchesBarcodes = (request: FindTask): boolean =>
  mayRemove(request, 'BARCODE') || (request.keep?.includes('BARCODE') ?? false);

/** Reads a picture in each of its views. It has one view unless parts of it are transparent. */
async function readImage(
  request: FindTask,
  result: PageResult,
  tools: FindTools,
): Promise<[ReadPage, ...ReadPage[]]> {
  const { widthPt, heightPt } = result;
  const [first, ...others] = await viewsOfImage(request.path, request.page);
  const readView = async (view: View): Promise<ReadPage> => {
    const isReread = request.isReread || others.length > 0;
    const words = isReread ? await recogniseView(request, tools, view) : recognisedOf(result);
    const ink = words.length > 0 ? await inkPicture(request, undefined, view) : undefined;
    const drawn = ink ?? (await inkPicture(request, undefined, view));
    const barcodes = searchesBarcodes(request)
      ? await barcodesOn(drawn, readBoxes(words), (dpi) =>
          pictureOfImage(request.path, request.page, dpi, view),
        )
      : [];
    const faces = mayRemove(request, 'FACE') ? facesOn(drawn, readBoxes(words), result) : [];
    const channels = (dpi: number) => channelsOfImage(request.path, request.page, dpi, view);
    // Text that is pale on a different background is not in the output.
    const pale =
      view === first ? await readPaleInk(channels, words, [], { ...tools, ...request }) : [];
    return {
      page: request.page,
      widthPt,
      heightPt,
      own: [],
      recognised: [...(ink ? growToLines(words, ink) : []), ...pale],
      pictures: [[0, 0, widthPt, heightPt]],
      rules: [],
      fields: [],
      dropped: [],
      ink,
      drawn,
      barcodes,
      faces,
    };
  };
  const pages: [ReadPage, ...ReadPage[]] = [await readView(first)];
  for (const view of others) pages.push(await readView(view));
  return pages;
}

async function recogniseView(
  { path, page, languages }: FindTask,
  { tesseract, isolation }: FindTools,
  view: View,
): Promise<Fragment[]> {
  const draw = (dpi: number) => pictureOfImage(path, page, dpi, view);
  return fragmentsOfResult(await recognisePicture(await tesseract(), draw, languages, isolation));
}

/** Reads a page, and additionally its letters by colour if they read differently. */
async function readPdfPage(
  request: FindTask,
  result: PageResult,
  tools: FindTools,
): Promise<[ReadPage, ...ReadPage[]]> {
  const document = await openCachedPdf(request.path, 'prepared');
  return withPreparedPage(document, request.page, async (page) => {
    const frame = frameOf(document, page);
    const { width, height } = displaySize(frame);
    const objects = listObjects(document, page, frame);
    const fields = fieldsOf(document, request.page);
    const draw = oncePer((dpi: number) => pictureOfPdfPage(document, page, frame, dpi));
    const openPage = { document, page, frame, draw };
    const { isReread } = request;
    const { isolation, installed } = tools;
    const ownGlyphs = readGlyphs(objects, page, frame);
    const letters = ownGlyphs.map(({ text }) => text).join('');
    const languages = [...new Set([...request.languages, ...modelsFor(letters, installed)])];
    const readLines = async (lines: UnreadLines) => {
      const tesseract = await tools.tesseract();
      return (await recogniseLines(tesseract, openPage, lines, languages, isolation)).words;
    };
    const checkedGlyphs = await markDoubted(openPage, ownGlyphs, isolation, readLines, true);
    const glyphs = await withNamedGlyphs(document, request.page, checkedGlyphs);
    const { areas, lines, pictures, hasDrawings } = areasToRecognise(objects, page, frame, glyphs);
    let words = recognisedOf(result);
    // A page with its own text was not recognised earlier: the parts that this text does not
    // explain are recognised now. The same applies to words that were recognised unreliably.
    if (isReread) words = [];
    if ((isReread || result.state === 'has_text') && areas.length + lines.boxes.length > 0) {
      const tesseract = await tools.tesseract();
      words = await recogniseAreas(openPage, { areas, lines }, { tesseract, languages, isolation });
    }
    const ink = words.length > 0 ? await inkPicture(request, openPage) : undefined;
    const own = fragmentsOfGlyphs(glyphs).filter(({ text }) => /[^\ufffd]/.test(text));
    const trustedBoxes = own.filter((one) => one.visible && !isDoubted(one)).map(({ box }) => box);
    const channels = async (dpi: number) => channelsOfPdfPage(document, page, frame, dpi);
    const mayHavePale = areas.length + lines.boxes.length > 0;
    const pale = mayHavePale
      ? await readPaleInk(channels, words, trustedBoxes, { ...tools, languages })
      : [];
    const mayHaveDrawings = hasDrawings || lines.boxes.length > 0;
    const drawn = mayHaveDrawings ? (ink ?? (await inkPicture(request, openPage))) : undefined;
    const barcodes =
      drawn && searchesBarcodes(request)
        ? await barcodesOn(drawn, [...trustedBoxes, ...readBoxes(words)], draw)
        : [];
    const faces =
      drawn && mayRemove(request, 'FACE')
        ? facesOn(drawn, [...trustedBoxes, ...readBoxes(words)], result)
        : [];
    const wholePage: ReadPage = {
      page: request.page,
      widthPt: width,
      heightPt: height,
      own,
      recognised: [...(ink ? growToLines(words, ink) : []), ...pale],
      pictures,
      rules: cellBorders(readRules(objects), fields),
      fields,
      dropped: unreadKindsOfPrepared(document, request.page, page),
      ink,
      drawn,
      barcodes,
      faces,
    };
    const byColour = fragmentsByColour(document, glyphs);
    return [
      wholePage,
      ...byColour.map(
        (fragments): ReadPage => ({
          ...wholePage,
          own: fragments,
          recognised: [],
          barcodes: [],
          faces: [],
        }),
      ),
    ];
  });
}

/**
 * Reads a page of a PDF or picture. Further readings are the views of a picture, or the letters of
 * a PDF page by colour.
 */
export async function readPage(
  request: FindTask,
  tools: FindTools,
): Promise<[ReadPage, ...ReadPage[]]> {
  const mime = await checkMime(request.path, request.mime);
  const result = await readResult(request.pageFile);
  return mime === 'application/pdf'
    ? readPdfPage(request, result, tools)
    : readImage(request, result, tools);
}

/** Whether a part of this text does not match the displayed page. */
export const isDoubted = ({ glyphs }: Fragment): boolean =>
  glyphs?.some(({ doubted }) => doubted) ?? false;
