import { pluralise } from '@scriptorium/contracts/pluralise';
import { area, hull, sharedArea } from '../../../geometry.ts';
import { smooth } from '../../../ink/components.ts';
import { paleInkFinder } from '../../../ink/pale-ink.ts';
import { withoutRules } from '../../../ink/rules.ts';
import type { SlantedLine } from '../../../ink/slanted.ts';
import { minWordEdges, strayInk } from '../../../ink/stray-ink.ts';
import type { InkLine } from '../../../ink/text-lines.ts';
import {
  isIllegible,
  longLines,
  maxReadShareIfIllegible,
  type UnreadInk,
  unreadInk,
  unreadSlanted,
  withLetters,
  withoutLines,
} from '../../../ink/unread-ink.ts';
import { unreadWriting } from '../../../ink/writing.ts';
import { evenLighting } from '../../../ocr/pictures/lighting.ts';
import { isTexture, type PhotoText, textScales } from '../../../photos/text.ts';
import type { Box } from '../../../results.ts';
import type { RedactedPage } from '../../contract/report.ts';
import { isWithin, textInPhotos, unreadParts } from './photo-text.ts';
import type { CheckOutcome, PictureReader } from './read-regions.ts';
import {
  crop,
  type GreyTile,
  invertTones,
  medianTone,
  type ReadWord,
  readTiles,
  stretch,
  turnsOf,
  turnTile,
} from './tiles.ts';

/**
 * Resolution at which ink is separated from paper, in dpi. Letters of 5 points are 5 pixels high.
 */
export const unreadDpi = 150;

/** Minimum number of letters and minimum confidence of a legible word. */
const minWordLetters = 3;
const minWordConfidence = 0.75;
/** Minimum number of letters in the legible words of a line that counts as text. */
const minLegibleLetters = 4;
/** Share of a line that must have been read for its unread parts to be reported piece by piece. */
const minReadShare = 0.1;
/** Median tone below which a page is mostly dark. */
const maxDarkTone = 110;
/** Maximum number of lines that are read again, longest first. */
const maxLines = 40;
/** Width of the strip at the edge of a picture where lines may be the edge of the sheet, in pixels. */
const edgeMargin = 24;
/** Margin around a line, in multiples of its height. */
const lineMargin = 0.4;
/** Letter height that suits the recogniser, in pixels. */
const readingHeight = 30;
const maxEnlargement = 3;

/** A page as it was drawn. */
interface PageViews {
  drawn: GreyTile;
  /** Pixels per point. */
  scale: number;
  /** The channels of the page, in which pale ink is searched for. */
  channels: readonly GreyTile[];
}

/**
 * Searches a redacted page, line by line, for text that was never read: strokes of handwriting or
 * print in any script, rows of ink in which words can be read in any orientation, and ink that is
 * barely darker than its background or visible in one channel only. Unread text was not searched
 * for personal data either.
 * @param known boxes where text readers see letters that are drawn on paper
 */
export async function searchForUnreadText(
  { drawn, scale, channels }: PageViews,
  { page: { regions, seen, kept }, known = [] }: { page: RedactedPage; known?: readonly Box[] },
  reader: PictureReader,
): Promise<CheckOutcome> {
  const readBoxes = [
    ...known,
    ...(seen?.sure ?? []),
    ...(kept?.SIGNATURE ?? []),
    ...(kept?.HANDWRITING ?? []),
    ...(kept?.BARCODE ?? []),
    ...regions.map(({ box }) => box),
  ];
  const readPixels = readBoxes.map(
    ([x0, y0, x1, y1]): Box => [x0 * scale, y0 * scale, x1 * scale, y1 * scale],
  );
  const findPaleInk = channels.length > 0 ? paleInkFinder(channels) : () => null;
  const pale = channels.flatMap((_, channel) => findPaleInk(channel, readPixels) ?? []);
  const outcomes: CheckOutcome[] = [];
  for (const view of [drawn, ...pale]) {
    const passed = passIfLittleInk(strayInk(view, scale, readBoxes).count);
    const scales = view === drawn ? textScales.all : textScales.usual;
    const inPhotos = () => textInPhotos(view, readPixels, scales);
    outcomes.push(
      passed ?? (await searchForWriting(view, { scale, inPhotos }, readPixels, reader)),
    );
  }
  const unread = outcomes.flatMap((outcome) => outcome.unread ?? []);
  return {
    faults: [...new Set(outcomes.flatMap(({ faults }) => faults))],
    summary: outcomes.map(({ summary }) => summary).join(' In pale ink: '),
    ...(unread.length > 0 ? { unread } : {}),
  };
}

/** Searches a picture of a page for text outside the read text. Boxes are in pixels. */
async function searchForWriting(
  drawn: GreyTile,
  { scale, inPhotos }: { scale: number; inPhotos: () => Promise<PhotoText> },
  read: readonly Box[],
  reader: PictureReader,
): Promise<CheckOutcome> {
  const ink = withLetters(drawn);
  const photoText = await inPhotos();
  const isTextureAt = (box: Box): boolean => isTexture(drawn, box, photoText);
  const withoutTexture = (result: UnreadInk): UnreadInk =>
    withoutLines(result, ({ box }) => isTextureAt(box));
  const unreadResult = withoutTexture(unreadInk(ink, read));
  const strokeRuns = [
    ...photoText.texts.flatMap((text) => unreadParts(text, read)),
    ...viewsOf(drawn, scale)
      .flatMap((view) =>
        view === drawn ? unreadWriting(view, read, ink.scales) : unreadWriting(view, read),
      )
      .filter((box) => !isTextureAt(box)),
  ];
  const summary = `${pluralise(unreadResult.letters, 'letter')} by their ink, ${unreadResult.unread} of them unread, and ${pluralise(strokeRuns.length, 'run')} of other strokes.`;
  const inPoints = (boxes: readonly Box[]): Box[] =>
    boxes.map(([x0, y0, x1, y1]) => [x0 / scale, y0 / scale, x1 / scale, y1 / scale]);
  // Beside a rule, the grain of paper stands out against the tones around it and forms rows.
  const isMostlyUnread = (result: UnreadInk): boolean => isIllegible(awayFromEdges(result, drawn));
  const withoutGrain = (): UnreadInk =>
    withoutTexture(unreadInk(withLetters(withoutRules(drawn)), read));
  if (isMostlyUnread(unreadResult) && isMostlyUnread(withoutGrain())) {
    const faults = ['Most of the writing on the page could not be read.'];
    const mostly = withoutTexture(unreadInk(ink, read, maxReadShareIfIllegible));
    const unread = longLines(mostly).map(({ box }) => box);
    return { faults, summary, unread: inPoints([...unread, ...strokeRuns]) };
  }
  const others = unreadResult.lines.filter(({ box }) => !isWithin(box, strokeRuns));
  const legible = await legibleLines(drawn, others, reader);
  const slanted = unreadSlanted(ink, [...read, ...strokeRuns]).filter(
    ({ pieces }) => !isTextureAt(hull(pieces) ?? [0, 0, 0, 0]),
  );
  const unread = [
    ...strokeRuns,
    ...legible.flatMap((line) => unreadPieces(line, read)),
    ...(await legibleSlanted(drawn, slanted, reader)).flatMap(({ pieces }) => pieces),
  ];
  if (unread.length === 0) return { faults: [], summary };
  return {
    faults: ['Unread writing remains on the page.'],
    summary,
    unread: inPoints(unread),
  };
}

/**
 * Returns unread ink without the lines along the edges of a picture, which are often edges of the
 * sheet. They count as writing only if they are legible or have its strokes.
 */
function awayFromEdges(ink: UnreadInk, { width, height }: GreyTile): UnreadInk {
  const isAtEdge = ({ box: [x0, y0, x1, y1] }: InkLine): boolean =>
    x1 - x0 > y1 - y0
      ? y1 <= edgeMargin || y0 >= height - edgeMargin
      : x1 <= edgeMargin || x0 >= width - edgeMargin;
  return withoutLines(ink, isAtEdge);
}

/**
 * Number of times that the tones of a photograph are averaged, which makes its grain fainter than
 * pale strokes.
 */
const smoothingPasses = 2;

/** Returns the unchanged page, and other views in which writing may be visible. */
function viewsOf(drawn: GreyTile, scale: number): GreyTile[] {
  const views = [drawn];
  // On a mostly dark page, writing is light, such as chalk on a blackboard or white print on black.
  if (medianTone(drawn) < maxDarkTone) views.push(invertTones(drawn));
  // In the shadows of a photograph, the difference between pale strokes and paper is smaller than
  // its grain.
  let evenlyLitView = evenLighting(drawn, scale * 72);
  if (!evenlyLitView) return views;
  for (let time = 0; time < smoothingPasses; time += 1)
    evenlyLitView = { ...evenlyLitView, data: smooth(evenlyLitView) };
  return [...views, evenlyLitView];
}

/** Returns the parts of a line that were not read. Words may have been read between its pieces. */
function unreadPieces({ box, pieces }: InkLine, read: readonly Box[]): Box[] {
  const unread = pieces.filter(([x0, y0, x1, y1]) => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return !read.some((known) => x > known[0] && x < known[2] && y > known[1] && y < known[3]);
  });
  const whole = hull(unread) ?? box;
  const known = read.reduce((sum, other) => sum + sharedArea(whole, other), 0);
  return known > minReadShare * area(whole) ? unread : [whole];
}

/** Returns a passing outcome if the edges outside the read text are too few to form text. */
export function passIfLittleInk(edges: number): CheckOutcome | undefined {
  if (edges >= minWordEdges) return undefined;
  return { faults: [], summary: `${pluralise(edges, 'edge')} outside the text that was read.` };
}

/** Returns the lines that are legible in any orientation. */
async function legibleLines(
  drawn: GreyTile,
  lines: readonly InkLine[],
  reader: PictureReader,
): Promise<InkLine[]> {
  if (lines.length === 0) return [];
  const longest = lines.toSorted((a, b) => b.letters - a.letters).slice(0, maxLines);
  const views = longest.map(({ box: [x0, y0, x1, y1] }) => {
    const marginPixels = Math.min(x1 - x0, y1 - y0) * lineMargin;
    const tile = stretch(
      crop(drawn, [x0 - marginPixels, y0 - marginPixels, x1 + marginPixels, y1 + marginPixels]),
    );
    return turnsOf(tile).map((quarters) => enlarge(turnTile(tile, quarters)));
  });
  return legibleIn(longest, views, reader);
}

/** Returns the slanted lines that are legible in one of their directions. */
async function legibleSlanted(
  drawn: GreyTile,
  lines: readonly SlantedLine[],
  reader: PictureReader,
): Promise<SlantedLine[]> {
  if (lines.length === 0) return [];
  const longest = lines.toSorted((a, b) => b.pieces.length - a.pieces.length).slice(0, maxLines);
  const views = longest.map((line) => {
    const tile = stretch(levelTile(drawn, line));
    return [tile, turnTile(tile, 2)];
  });
  return legibleIn(longest, views, reader);
}

/** Returns the lines that are legible in one of their pictures. */
async function legibleIn<Line>(
  lines: readonly Line[],
  views: readonly GreyTile[][],
  { tesseract, isolation }: PictureReader,
): Promise<Line[]> {
  const words = await readTiles(await tesseract(), views.flat(), isolation);
  let at = 0;
  return lines.filter((_, index) => {
    const from = at;
    at += views[index]?.length ?? 0;
    return words.slice(from, at).some((read) => countConfidentLetters(read) >= minLegibleLetters);
  });
}

/** Returns a slanted line as a level picture, in letters of the height that suits the recogniser. */
function levelTile(drawn: GreyTile, { from, to, size }: SlantedLine): GreyTile {
  const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [dx, dy] = [(to[0] - from[0]) / long, (to[1] - from[1]) / long];
  const step = Math.max(1 / maxEnlargement, size / readingHeight);
  const [width, height] = [
    Math.ceil((long + 2 * size) / step),
    Math.ceil((size * (1 + 2 * lineMargin)) / step),
  ];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const down = (y - height / 2) * step;
    for (let x = 0; x < width; x += 1) {
      const along = x * step - size;
      const px = from[0] + along * dx - down * dy;
      const py = from[1] + along * dy + down * dx;
      data[y * width + x] = toneAt(drawn, px, py);
    }
  }
  return { data, width, height };
}

/** Returns the tone between pixels; paper outside of the picture. */
function toneAt({ data, width, height }: GreyTile, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return 255;
  const [right, below] = [x - left, y - top];
  const at = top * width + left;
  const above = data[at]! * (1 - right) + data[at + 1]! * right;
  const under = data[at + width]! * (1 - right) + data[at + width + 1]! * right;
  return above * (1 - below) + under * below;
}

function countConfidentLetters(words: readonly ReadWord[]): number {
  return words.reduce((sum, { text, confidence }) => {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    return confidence >= minWordConfidence && letters >= minWordLetters ? sum + letters : sum;
  }, 0);
}

/** Enlarges a line of small print by a whole factor, to the size that the recogniser reads best. */
function enlarge(tile: GreyTile): GreyTile {
  const factor = Math.min(maxEnlargement, Math.max(1, Math.round(readingHeight / tile.height)));
  if (factor === 1) return tile;
  const [width, height] = [tile.width * factor, tile.height * factor];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const from = Math.floor(y / factor) * tile.width;
    for (let x = 0; x < width; x += 1) {
      data[y * width + x] = tile.data[from + Math.floor(x / factor)] ?? 0;
    }
  }
  return { data, width, height };
}
