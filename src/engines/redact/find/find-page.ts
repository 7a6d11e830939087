import { readFile } from 'node:fs/promises';
import { EngineError } from '../../errors.ts';
import { area, displaySize, sharedArea } from '../../geometry.ts';
import { type Fragment, fragmentsOfGlyphs, fragmentsOfResult } from '../../model/fragments.ts';
import { buildModel } from '../../model/index.ts';
import type { Rule } from '../../model/page.ts';
import { wallsOf } from '../../model/walls.ts';
import { withDoubts } from '../../ocr/doubts/index.ts';
import { pictureOfImage, type View, viewsOfImage } from '../../ocr/pictures/page-picture.ts';
import type { PagePicture } from '../../ocr/pictures/picture.ts';
import { recogniseLines, recognisePicture } from '../../ocr/recognise-picture.ts';
import type { Tesseract } from '../../ocr/tesseract/recogniser.ts';
import type { FormField } from '../../pdf/form-fields.ts';
import { withNamedGlyphs } from '../../pdf/glyph-names.ts';
import { readGlyphs } from '../../pdf/page-glyphs.ts';
import { listObjects } from '../../pdf/page-objects.ts';
import { readRules } from '../../pdf/page-rules.ts';
import { fieldsOf, withPreparedPage } from '../../pdf/prepare.ts';
import type { Detector } from '../../pii/finding.ts';
import { languagesNotCovered } from '../../pii/index.ts';
import { type Box, isPageResult, type PageResult } from '../../results.ts';
import { checkMime, frameOf, openCachedPdf } from '../../source.ts';
import type { PagePlan, PlannedRemoval, SeenText } from '../contract/plan.ts';
import type { FindRequest } from '../contract/requests.ts';
import { areasToRecognise } from './areas.ts';
import { fragmentsByColour } from './colours.ts';
import { readingInOrder } from './in-order.ts';
import { growToInk } from './ink.ts';
import {
  detect,
  drawnReading,
  type FoundValue,
  mergeFound,
  type Read,
  readingOf,
  readOf,
  redactText,
} from './merge.ts';
import { grown, inkPicture, recogniseAreas, recognisedOf, repeats } from './recognised.ts';
import { wordsRead } from './seen.ts';
import { withOwnValues } from './spread.ts';

/** A page to search, and what it is read with where it is not read yet, or not so as to rely on it. */
export type FindTask = Omit<FindRequest, 'how'> & {
  languages: readonly string[];
  isReread: boolean;
};

export type FindTools = {
  detector: Detector;
  /** Starts with the first page that needs it. */
  tesseract(): Promise<Tesseract>;
  isolation: string;
};

/** What a page holds: its own text, what was recognised on it, and its ink where that matters. */
type Page = {
  page: number;
  widthPt: number;
  heightPt: number;
  own: Fragment[];
  recognised: Fragment[];
  pictures: Box[];
  rules: readonly Rule[];
  fields: readonly FormField[];
  ink: PagePicture | undefined;
};

async function readResult(path: string): Promise<PageResult> {
  const result: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isPageResult(result)) {
    throw new EngineError('invalid_argument', 'A page result is malformed.');
  }
  return result;
}

/** A picture in each way to see it: one, unless parts of it are transparent. */
async function readImage(
  request: FindTask,
  result: PageResult,
  tools: FindTools,
): Promise<[Page, ...Page[]]> {
  const { widthPt, heightPt } = result;
  const [first, ...others] = await viewsOfImage(request.path, request.page);
  const seenAs = async (view: View): Promise<Page> => {
    const isReread = request.isReread || others.length > 0;
    const words = isReread ? await readAgain(request, tools, view) : recognisedOf(result);
    const ink = words.length > 0 ? await inkPicture(request, undefined, view) : undefined;
    return {
      page: request.page,
      widthPt,
      heightPt,
      own: [],
      recognised: ink ? grown(words, ink) : [],
      pictures: [[0, 0, widthPt, heightPt]],
      rules: [],
      fields: [],
      ink,
    };
  };
  const pages: [Page, ...Page[]] = [await seenAs(first)];
  for (const view of others) pages.push(await seenAs(view));
  return pages;
}

async function readAgain(
  { path, page, languages }: FindTask,
  { tesseract, isolation }: FindTools,
  view: View,
): Promise<Fragment[]> {
  const draw = (dpi: number) => pictureOfImage(path, page, dpi, view);
  return fragmentsOfResult(await recognisePicture(await tesseract(), draw, languages, isolation));
}

/** A page, and its letters of each colour where that says something else. */
async function readPdfPage(
  request: FindTask,
  result: PageResult,
  tools: FindTools,
): Promise<[Page, ...Page[]]> {
  const document = await openCachedPdf(request.path, 'prepared');
  return withPreparedPage(document, request.page, async (page) => {
    const frame = frameOf(document, page);
    const { width, height } = displaySize(frame);
    const objects = listObjects(document, page, frame);
    const fields = fieldsOf(document, request.page);
    const open = { document, page, frame };
    const { isReread, languages } = request;
    const { isolation } = tools;
    const said = readGlyphs(objects, page, frame);
    const all = await withDoubts(open, said, isolation, async (some) => {
      const tesseract = await tools.tesseract();
      return (await recogniseLines(tesseract, open, some, languages, isolation)).words;
    });
    const glyphs = await withNamedGlyphs(document, request.page, all);
    const { areas, lines, pictures } = areasToRecognise(objects, page, frame, glyphs);
    let words = recognisedOf(result);
    // A page with text of its own was not recognised: what it does not tell of is now. So is what was
    // recognised by means that are not to be relied on.
    if (isReread) words = [];
    if ((isReread || result.state === 'has_text') && areas.length + lines.boxes.length > 0) {
      const tesseract = await tools.tesseract();
      words = await recogniseAreas(open, { areas, lines }, { tesseract, languages, isolation });
    }
    const ink = words.length > 0 ? await inkPicture(request, open) : undefined;
    const whole: Page = {
      page: request.page,
      widthPt: width,
      heightPt: height,
      own: fragmentsOfGlyphs(glyphs).filter(({ text }) => /[^\ufffd]/.test(text)),
      recognised: ink ? grown(words, ink) : [],
      pictures,
      rules: wallsOf(readRules(objects), fields),
      fields,
      ink,
    };
    const apart = fragmentsByColour(document, glyphs);
    return [whole, ...apart.map((own): Page => ({ ...whole, own, recognised: [] }))];
  });
}

/** Whether a part of the page's own text is not what it shows. */
const isDoubted = ({ glyphs }: Fragment): boolean =>
  glyphs?.some(({ doubted }) => doubted) ?? false;

type Texts = {
  own: Read | null;
  /** Its own text as far as that is what it shows. */
  told: Read | null;
  seen: Read | null;
  added: Read | null;
};

/**
 * The page's texts: its own; and what can be seen of it, in which the page's own words stand for the
 * recognised ones that only repeat them, and for what was not recognised. Third, what was recognised
 * and is not in its own text at all.
 */
function textsOf(page: Page): Texts {
  const { own, recognised, pictures } = page;
  const ownRead = own.length > 0 ? readOf(buildModel(page, own, pictures, page), 'pdf') : null;
  const believed = own.filter((fragment) => !isDoubted(fragment));
  const isAllBelieved = believed.length === own.length;
  const told =
    isAllBelieved || believed.length === 0
      ? null
      : readOf(buildModel(page, believed, pictures, page), 'pdf');
  if (recognised.length === 0)
    return { own: ownRead, told: isAllBelieved ? ownRead : told, seen: null, added: null };
  const drawn = believed.filter(({ visible }) => visible);
  const { echoes, crossed, repeated } = repeats(drawn, recognised);
  const kept = drawn.filter((fragment) => repeated.has(fragment) || !crossed.has(fragment));
  const seen = [...kept, ...recognised.filter((word) => !echoes.has(word))];
  const added = recognised.filter(
    ({ box }) =>
      !believed.some(
        (fragment) => sharedArea(fragment.box, box) > 0.5 * Math.min(area(box), area(fragment.box)),
      ),
  );
  return {
    own: ownRead,
    told: isAllBelieved ? ownRead : told,
    seen: readOf(buildModel(page, seen, pictures, page), 'ocr'),
    added: added.length > 0 ? readOf(buildModel(page, added, pictures, page), 'ocr') : null,
  };
}

/**
 * Text that is not drawn stands over a picture of itself, more or less: what goes from it goes from the
 * picture, with all of the ink of the words that lie under it.
 */
function withInk(found: readonly FoundValue[], { own, recognised, ink }: Page): FoundValue[] {
  const hidden = own.filter(({ visible }) => !visible);
  if (!ink || hidden.length === 0) return [...found];
  return found.map((one) => {
    const boxes = one.boxes.map((box) => {
      const over = hidden.find((fragment) => sharedArea(fragment.box, box) > 0.3 * area(box));
      return over ? growToInk(ink, box, over.size) : box;
    });
    const under = recognised.filter(({ box }) =>
      one.boxes.some(
        (other) =>
          sharedArea(box, other) > 0.4 * area(box) &&
          hidden.some((fragment) => sharedArea(fragment.box, other) > 0.3 * area(other)),
      ),
    );
    return { ...one, boxes: [...boxes, ...under.map(({ box }) => box)] };
  });
}

/**
 * Where the page's text was read. Its own letters count where they are drawn on paper: over a picture,
 * or under it, they may say something else than that shows.
 */
function seenOf({ own, recognised, pictures }: Page): SeenText {
  const onPaper = own.filter(
    (fragment) =>
      fragment.visible &&
      !isDoubted(fragment) &&
      !pictures.some((picture) => sharedArea(picture, fragment.box) > 0.5 * area(fragment.box)),
  );
  const outwards = ({ box }: Fragment): Box => [
    Math.floor(box[0]),
    Math.floor(box[1]),
    Math.ceil(box[2]),
    Math.ceil(box[3]),
  ];
  return {
    sure: wordsRead(recognised).map(outwards),
    own: onPaper.map(outwards),
    unsure: [],
    direction: 0,
  };
}

/** What is planned; a thousandth of a point is finer than anything that is drawn. */
function removalsOf(found: readonly FoundValue[]): PlannedRemoval[] {
  const side = (value: number): number => Math.round(value * 1000) / 1000;
  return found.map((one) => ({
    type: one.type,
    score: one.score,
    value: one.value,
    source: one.source,
    ...(one.direction === undefined ? {} : { direction: one.direction }),
    boxes: one.boxes.map(([x0, y0, x1, y1]) => [side(x0), side(y0), side(x1), side(y1)]),
  }));
}

/**
 * Finds what to remove from one page of a PDF or picture: in the page's own text, visible or not, and
 * in the text that is recognised on its pictures. Throws EngineError.
 */
export async function findPage(request: FindTask, tools: FindTools): Promise<PagePlan> {
  const mime = await checkMime(request.path, request.mime);
  const result = await readResult(request.pageFile);
  const [page, ...others]: [Page, ...Page[]] =
    mime === 'application/pdf'
      ? await readPdfPage(request, result, tools)
      : await readImage(request, result, tools);
  const { own, told, seen, added } = textsOf(page);
  const inOwn = own ? withInk(detect(own, tools.detector), page) : [];
  const hidden = others.map(textsOf).flatMap((other) => other.seen ?? other.own ?? []);
  const inSeen = [seen, ...hidden].flatMap((read) => (read ? [detect(read, tools.detector)] : []));
  // Where both stand, the value is the one that people read.
  const [first = [], ...rest] = told === own ? [inOwn, ...inSeen] : [...inSeen, inOwn];
  const found = rest.reduce(mergeFound, first);
  const shown = [told ?? seen, told ? added : null].filter((read) => read !== null);
  const removals = removalsOf(found);
  const plan: PagePlan = {
    page: request.page,
    widthPt: page.widthPt,
    heightPt: page.heightPt,
    removals,
    seen: seenOf(page),
    ...(told === own ? {} : { doubted: true }),
    redactedText: shown.map((read) => redactText(read, found)).join('\n\n'),
    notCovered: languagesNotCovered(
      shown.map(({ text }) => text.text).join('\n\n'),
      request.options,
    ),
    readings: [
      own && readingOf(own),
      own && drawnReading(own),
      seen && readingOf(seen),
      ...hidden.map(readingOf),
      readingInOrder(page, page.recognised, seen),
    ].filter((reading) => reading !== null && reading !== undefined),
  };
  // What is plain to see in one place may stand elsewhere on the page where nothing tells what it is.
  return withOwnValues(plan, request.options.allowList);
}
