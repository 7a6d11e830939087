import { pluralise } from '../../../../contracts/pluralise.ts';
import { area, sharedArea } from '../../../geometry.ts';
import {
  inkOf,
  isIllegible,
  longLines,
  mostReadIfIllegible,
  type UnreadInk,
  unreadInk,
} from '../../../ink/unread.ts';
import type { Box } from '../../../results.ts';
import type { RedactedPage } from '../../contract/report.ts';
import type { CheckOutcome, PictureReader } from './look.ts';
import { strayInk } from './stray-ink.ts';
import {
  crop,
  type GreyTile,
  type ReadWord,
  readTiles,
  stretch,
  turnsOf,
  turnTile,
} from './tiles.ts';

/** The resolution for telling ink from paper: letters of 5 points are 5 pixels high. */
export const unreadDpi = 150;

/** Fewer unread letters than this are a logo, a stamp or a signature. */
const leastUnread = 12;
/** Fewer edges outside of what was read than this are not that many letters. */
const leastEdges = 2 * leastUnread;
/** A word of this many letters, read with this confidence, is legible. */
const wordLetters = 3;
const sureWord = 0.75;
/**
 * With this many letters in legible words that were not read before, the page was not read
 * properly.
 */
const mostLegible = 8;
/** The share of a line that badly read words must cover. */
const leastBadlyRead = 0.25;
/** How many of the longest lines are read again. */
const mostLines = 40;
/** Margin around a line, in multiples of its height. */
const margin = 0.4;
/** The letter height that suits the recogniser, in pixels. */
const readingHeight = 30;
const mostEnlarged = 3;

/**
 * Looks for writing left on a redacted page that was never read, judging by its ink and by reading
 * it in every orientation. Unread writing was not searched for personal data either.
 * @param drawn the page at `scale` pixels per point
 * @param known where text readers see letters that are drawn on paper
 */
export async function checkUnread(
  drawn: GreyTile,
  scale: number,
  { said: { regions, seen }, known = [] }: { said: RedactedPage; known?: readonly Box[] },
  reader: PictureReader,
): Promise<CheckOutcome> {
  const inPixels = (box: Box): Box => [
    box[0] * scale,
    box[1] * scale,
    box[2] * scale,
    box[3] * scale,
  ];
  const sure = [...known, ...(seen?.sure ?? []), ...regions.map(({ box }) => box)];
  const little = hasLittleInk(strayInk(drawn, scale, sure).count);
  if (little) return little;
  const read = sure.map(inPixels);
  const ink = inkOf(drawn);
  const found = unreadInk(ink, read);
  const looked = `${pluralise(found.letters, 'letter')} by their ink, ${found.unread} of them unread.`;
  if (found.unread < leastUnread) return { wrong: [], looked };
  const inPoints = (boxes: readonly Box[]): Box[] =>
    boxes.map(([x0, y0, x1, y1]) => [x0 / scale, y0 / scale, x1 / scale, y1 / scale]);
  if (isIllegible(found)) {
    const wrong = ['Most of the writing on the page could not be read.'];
    const unread = longLines(unreadInk(ink, read, mostReadIfIllegible));
    return { wrong, looked, unread: inPoints(unread.map(({ box }) => box)) };
  }
  const unsure = (seen?.unsure ?? []).map(inPixels);
  const upright = (4 - (seen?.direction ?? 0) / 90) % 4;
  // A badly read line was read all the same; one in another orientation was not.
  const isKnown = (line: Box, quarters: number): boolean =>
    quarters === upright &&
    unsure.reduce((sum, box) => sum + sharedArea(box, line), 0) > leastBadlyRead * area(line);
  const legible = await legibleLetters(drawn, found, reader, isKnown);
  if (legible.letters < mostLegible) return { wrong: [], looked };
  const wrong = ['Writing that had not been read is legible.'];
  return { wrong, looked, unread: inPoints(legible.boxes) };
}

/** The outcome where so few edges lie outside of what was read that they are no writing. */
export function hasLittleInk(edges: number): CheckOutcome | undefined {
  if (edges >= leastEdges) return undefined;
  return { wrong: [], looked: `${pluralise(edges, 'edge')} outside of what was read.` };
}

/** Unread lines that are legible in any orientation, and how many letters of them. */
async function legibleLetters(
  drawn: GreyTile,
  { lines }: UnreadInk,
  { tesseract, isolation }: PictureReader,
  isKnown: (line: Box, quarters: number) => boolean,
): Promise<{ letters: number; boxes: Box[] }> {
  const longest = lines.toSorted((a, b) => b.letters - a.letters).slice(0, mostLines);
  const tilesOf = ([x0, y0, x1, y1]: Box): { ways: number[]; tiles: GreyTile[] } => {
    const by = Math.min(x1 - x0, y1 - y0) * margin;
    const tile = stretch(crop(drawn, [x0 - by, y0 - by, x1 + by, y1 + by]));
    const ways = turnsOf(tile);
    return { ways, tiles: ways.map((quarters) => enlarged(turnTile(tile, quarters))) };
  };
  const read = longest.map(({ box }) => ({ box, ...tilesOf(box) }));
  const tiles = read.flatMap((line) => line.tiles);
  const words = await readTiles(await tesseract(), tiles, isolation);
  let at = 0;
  let letters = 0;
  const boxes: Box[] = [];
  for (const { box, ways } of read) {
    const [best] = ways
      .map((quarters, way) => ({ quarters, letters: sureLetters(words[at + way] ?? []) }))
      .sort((a, b) => b.letters - a.letters);
    at += ways.length;
    if (!best || best.letters === 0 || isKnown(box, best.quarters)) continue;
    letters += best.letters;
    boxes.push(box);
  }
  return { letters, boxes };
}

function sureLetters(words: readonly ReadWord[]): number {
  return words.reduce((sum, { text, confidence }) => {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    return confidence >= sureWord && letters >= wordLetters ? sum + letters : sum;
  }, 0);
}

/** A line of small print, enlarged by whole pixels to the size that the recogniser reads best. */
function enlarged(tile: GreyTile): GreyTile {
  const by = Math.min(mostEnlarged, Math.max(1, Math.round(readingHeight / tile.height)));
  if (by === 1) return tile;
  const [width, height] = [tile.width * by, tile.height * by];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const from = Math.floor(y / by) * tile.width;
    for (let x = 0; x < width; x += 1) {
      data[y * width + x] = tile.data[from + Math.floor(x / by)] ?? 0;
    }
  }
  return { data, width, height };
}
