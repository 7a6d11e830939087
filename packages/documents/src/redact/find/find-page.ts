import type { DrawnType } from '@scriptorium/contracts/documents/entities';
import { languagesNotCovered } from '@scriptorium/pii';
import type { Detector } from '@scriptorium/pii/finding';
import { isProse } from '@scriptorium/pii/resolve';
import { area, sharedArea } from '../../geometry.ts';
import type { Fragment } from '../../model/fragments.ts';
import { buildModel } from '../../model/index.ts';
import type { Box } from '../../results.ts';
import type { KeptAreas, PagePlan, PlannedRemoval, SeenText } from '../contract/plan.ts';
import { removalsOfBarcodes } from './barcodes.ts';
import { unreadCombs } from './combs.ts';
import { removalsOfFaces } from './faces.ts';
import { growToInk } from './grow-to-ink.ts';
import { printedWords } from './printed-words.ts';
import {
  type FindTask,
  type FindTools,
  isDoubted,
  mayRemove,
  type ReadPage,
  readPage,
} from './read-page.ts';
import {
  detect,
  type LocatedValue,
  mergeFound,
  type ReadText,
  readingInDrawingOrder,
  readingOf,
  redactText,
  toReadText,
} from './read-text.ts';
import { selectReadWords } from './read-words.ts';
import { matchOwnText } from './recognised-words.ts';
import { readInOrder, readLineByLine } from './recogniser-order.ts';
import { removalsOfWriting, signingPlaces, writingByHandOn, writingTypes } from './signatures.ts';
import { withOwnValues } from './spread.ts';
import { readUnshownFields } from './unshown-fields.ts';

type Texts = {
  own: ReadText | null;
  /** The page's own text, as far as it matches the displayed page. */
  trusted: ReadText | null;
  visible: ReadText | null;
  added: ReadText | null;
};

/**
 * Returns the texts of a page: its own text; the visible text, in which the page's own words
 * replace recognised words that merely repeat them, and add words that were not recognised; and the
 * recognised text that its own text lacks.
 */
function textsOf(page: ReadPage): Texts {
  const { own, recognised, pictures } = page;
  const ownRead = own.length > 0 ? toReadText(buildModel(page, own, pictures, page), 'pdf') : null;
  const trustedFragments = own.filter((fragment) => !isDoubted(fragment));
  const isAllTrusted = trustedFragments.length === own.length;
  const trusted =
    isAllTrusted || trustedFragments.length === 0
      ? null
      : toReadText(buildModel(page, trustedFragments, pictures, page), 'pdf');
  if (recognised.length === 0)
    return { own: ownRead, trusted: isAllTrusted ? ownRead : trusted, visible: null, added: null };
  const drawn = trustedFragments.filter(({ visible }) => visible);
  const { echoes, crossed, repeated } = matchOwnText(drawn, recognised);
  const kept = drawn.filter((fragment) => repeated.has(fragment) || !crossed.has(fragment));
  const visibleFragments = [...kept, ...recognised.filter((word) => !echoes.has(word))];
  const added = recognised.filter(
    ({ box }) =>
      !trustedFragments.some(
        (fragment) => sharedArea(fragment.box, box) > 0.5 * Math.min(area(box), area(fragment.box)),
      ),
  );
  return {
    own: ownRead,
    trusted: isAllTrusted ? ownRead : trusted,
    visible: toReadText(buildModel(page, visibleFragments, pictures, page), 'ocr'),
    added: added.length > 0 ? toReadText(buildModel(page, added, pictures, page), 'ocr') : null,
  };
}

/**
 * Adds the ink of the picture under text that is not drawn. Such text is only approximately aligned
 * with the picture, so all ink of the words beneath it is removed too.
 */
function withInk(
  found: readonly LocatedValue[],
  { own, recognised, ink }: ReadPage,
): LocatedValue[] {
  const hidden = own.filter(({ visible }) => !visible);
  if (!ink || hidden.length === 0) return [...found];
  return found.map((one) => {
    const boxes = one.boxes.map((box) => {
      const overlapping = hidden.find(
        (fragment) => sharedArea(fragment.box, box) > 0.3 * area(box),
      );
      return overlapping ? growToInk(ink, box, overlapping.size) : box;
    });
    const covered = recognised.filter(({ box }) =>
      one.boxes.some(
        (other) =>
          sharedArea(box, other) > 0.4 * area(box) &&
          hidden.some((fragment) => sharedArea(fragment.box, other) > 0.3 * area(other)),
      ),
    );
    return { ...one, boxes: [...boxes, ...covered.map(({ box }) => box)] };
  });
}

/**
 * Returns the boxes where the page's text was read. The page's own letters count only if they are
 * drawn on paper. Above or below a picture, they may differ from the visible text.
 */
async function seenText(
  { own, recognised, pictures, ink }: ReadPage,
  { languages }: FindTask,
  { tesseract, isolation }: FindTools,
): Promise<SeenText> {
  const onPaper = own.filter(
    (fragment) =>
      fragment.visible &&
      !isDoubted(fragment) &&
      !pictures.some((picture) => sharedArea(picture, fragment.box) > 0.5 * area(fragment.box)),
  );
  const roundOutwards = ({ box }: Fragment): Box => [
    Math.floor(box[0]),
    Math.floor(box[1]),
    Math.ceil(box[2]),
    Math.ceil(box[3]),
  ];
  const { sure, alone } = selectReadWords(recognised);
  const printed = ink
    ? await printedWords(alone, ink, async (picture) =>
        (await tesseract()).recognise(picture, languages, isolation),
      )
    : [];
  return {
    sure: [...sure, ...printed].map(roundOutwards),
    own: onPaper.map(roundOutwards),
  };
}

/**
 * Returns the values of fixed form of a text. A name on a line alone may be misread handwriting, which
 * is covered as such.
 */
function firmIn(read: ReadText, detector: Detector): LocatedValue[] {
  return detect(read, detector).filter((one) => !isProse(one));
}

/**
 * Converts findings to planned removals. Coordinates are rounded to a thousandth of a point, which
 * is finer than any drawing.
 */
function removalsOf(found: readonly LocatedValue[]): PlannedRemoval[] {
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  return found.map((one) => ({
    type: one.type,
    score: one.score,
    value: one.value,
    source: one.source,
    ...(one.direction === undefined ? {} : { direction: one.direction }),
    boxes: one.boxes.map(([x0, y0, x1, y1]) => [
      rounded(x0),
      rounded(y0),
      rounded(x1),
      rounded(y1),
    ]),
  }));
}

/**
 * Finds the content to remove from one page of a PDF or picture. Searches the page's own text,
 * visible or not, and the text recognised in its pictures.
 * @throws EngineError if the page cannot be read
 */
export async function findPage(request: FindTask, tools: FindTools): Promise<PagePlan> {
  const [page, ...others] = await readPage(request, tools);
  const { own, trusted, visible, added } = textsOf(page);
  const inOwn = own ? withInk(detect(own, tools.detector), page) : [];
  const fieldText = readUnshownFields(page);
  const hidden = [
    ...others.map(textsOf).flatMap((other) => other.visible ?? other.own ?? []),
    ...(fieldText ? [fieldText] : []),
  ];
  const inSeen = [visible, ...hidden].flatMap((read) =>
    read ? [detect(read, tools.detector)] : [],
  );
  // If a value was read in both texts, the visible one takes precedence.
  const [first = [], ...rest] = trusted === own ? [inOwn, ...inSeen] : [...inSeen, inOwn];
  const inOrder = readInOrder(page, page.recognised, visible);
  const byLine = readLineByLine(page, page.recognised);
  const foundValues = [...rest, byLine ? firmIn(byLine, tools.detector) : []].reduce(
    mergeFound,
    first,
  );
  const shownTexts = [trusted ?? visible, trusted ? added : null].filter((read) => read !== null);
  const textRemovals = removalsOf(foundValues);
  const trustedFragments = page.own.filter((one) => one.visible && !isDoubted(one));
  const words = [...page.recognised, ...page.own];
  const barcodes = removalsOfBarcodes(
    [page, ...others].flatMap((view) => view.barcodes),
    words,
    request.options,
  );
  const faces = removalsOfFaces(
    [page, ...others].flatMap((view) => view.faces),
    request.options.minConfidence,
  );
  const seen = await seenText(page, request, tools);
  const known = [...seen.sure, ...(seen.own ?? [])];
  const kept: KeptAreas = mayRemove(request, 'BARCODE') ? { BARCODE: barcodes.kept } : {};
  if (mayRemove(request, 'FACE')) kept.FACE = faces.kept;
  const isKept = (type: DrawnType): boolean => request.keep?.includes(type) ?? false;
  const searched = writingTypes.filter((type) => mayRemove(request, type) || isKept(type));
  const drawn = [barcodes, faces].flatMap((type) => [
    ...type.kept,
    ...type.removals.flatMap(({ boxes }) => boxes),
  ]);
  const removed = textRemovals.flatMap(({ boxes }) => boxes);
  const writing =
    page.drawn && searched.length > 0
      ? writingByHandOn(page.drawn, [...known, ...removed, ...drawn], signingPlaces(words))
      : [];
  for (const type of searched)
    kept[type] = isKept(type)
      ? writing.filter((one) => one.type === type).map(({ box }) => box)
      : [];
  const removable = writing.filter(({ type }) => mayRemove(request, type) && !isKept(type));
  const combs = page.ink ? unreadCombs(page.ink, [...page.recognised, ...trustedFragments]) : [];
  const plan: PagePlan = {
    page: request.page,
    widthPt: page.widthPt,
    heightPt: page.heightPt,
    removals: [
      ...textRemovals,
      ...(mayRemove(request, 'BARCODE') ? barcodes.removals : []),
      ...faces.removals,
      ...removalsOfWriting(removable, request.options.minConfidence),
    ],
    kept,
    seen,
    ...(combs.length > 0 ? { unreadable: combs } : {}),
    ...(trusted === own ? {} : { doubted: true }),
    ...(page.dropped.length > 0 ? { dropped: [...page.dropped] } : {}),
    redactedText: shownTexts.map((read) => redactText(read, foundValues)).join('\n\n'),
    notCovered: languagesNotCovered(
      shownTexts.map(({ text }) => text.text).join('\n\n'),
      request.options,
    ),
    readings: [
      own && readingOf(own),
      own && readingInDrawingOrder(own),
      visible && readingOf(visible),
      ...hidden.map(readingOf),
      inOrder && readingOf(inOrder),
    ].filter((reading) => reading !== null && reading !== undefined),
  };
  // A value that was recognised in one place may occur elsewhere on the page without context.
  return withOwnValues(plan, request.options.allowList);
}
