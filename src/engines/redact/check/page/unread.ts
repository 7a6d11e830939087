import { isIllegible, type UnreadInk, unreadInk } from '../../../ink/unread.ts';
import { area, shared } from '../../../model/page.ts';
import type { Box } from '../../../results.ts';
import type { RedactedPage } from '../../plan.ts';
import { count } from '../verdict.ts';
import type { Outcome, Reader } from './look.ts';
import { crop, type ReadWord, readTiles, stretch, type Tile, turned, turnsOf } from './tiles.ts';

/** Ink is told from paper at this resolution: letters of 5 points are 5 pixels high. */
export const unreadDpi = 150;

/** Fewer letters than this that nobody has read are a logo, a stamp or a signature. */
const leastUnread = 12;
/** A word of so many letters, read this surely, is legible. */
const wordLetters = 3;
const sureWord = 0.75;
/** So many letters of such words that were not read before, and the page was not read as it should be. */
const mostLegible = 8;
/** The share of a line over which words were read badly. */
const leastBadlyRead = 0.25;
/** So many of the longest lines are read again. */
const mostLines = 40;
/** Around a line, in its heights. */
const margin = 0.4;
/** The recogniser wants letters this high, in pixels. */
const readingHeight = 30;
const mostEnlarged = 3;

/**
 * Looks for writing that is left on a redacted page and that nobody has read: by the look of its ink,
 * and by reading it every way up. What was not read was not searched for personal data either.
 * @param drawn the page at `scale` pixels a point
 * @param known where readers of its text see letters that are drawn on paper
 */
export async function checkUnread(
  drawn: Tile,
  scale: number,
  { said: { regions, seen }, known = [] }: { said: RedactedPage; known?: readonly Box[] },
  reader: Reader,
): Promise<Outcome> {
  const inPixels = (box: Box): Box => [
    box[0] * scale,
    box[1] * scale,
    box[2] * scale,
    box[3] * scale,
  ];
  const sure = [...known, ...(seen?.sure ?? []), ...regions.map(({ box }) => box)];
  const found = unreadInk(drawn, sure.map(inPixels));
  const looked = `${count(found.letters, 'letter')} by their ink, ${found.unread} of them unread.`;
  if (found.unread < leastUnread) return { wrong: [], looked };
  if (isIllegible(found)) return { wrong: ['Most of its writing could not be read.'], looked };
  const unsure = (seen?.unsure ?? []).map(inPixels);
  const upright = (4 - (seen?.direction ?? 0) / 90) % 4;
  // What was read badly was read all the same; what stands another way up was not.
  const isKnown = (line: Box, quarters: number): boolean =>
    quarters === upright &&
    unsure.reduce((sum, box) => sum + shared(box, line), 0) > leastBadlyRead * area(line);
  const legible = await legibleLetters(drawn, found, reader, isKnown);
  if (legible < mostLegible) return { wrong: [], looked };
  return { wrong: ['Writing that was not read can be read.'], looked };
}

/** How many letters of unread lines can be read, whichever way up they stand. */
async function legibleLetters(
  drawn: Tile,
  { lines }: UnreadInk,
  { tesseract, isolation }: Reader,
  isKnown: (line: Box, quarters: number) => boolean,
): Promise<number> {
  const longest = lines.toSorted((a, b) => b.letters - a.letters).slice(0, mostLines);
  const tilesOf = ([x0, y0, x1, y1]: Box): { ways: number[]; tiles: Tile[] } => {
    const by = Math.min(x1 - x0, y1 - y0) * margin;
    const tile = stretch(crop(drawn, [x0 - by, y0 - by, x1 + by, y1 + by]));
    const ways = turnsOf(tile);
    return { ways, tiles: ways.map((quarters) => enlarged(turned(tile, quarters))) };
  };
  const read = longest.map(({ box }) => ({ box, ...tilesOf(box) }));
  const tiles = read.flatMap((line) => line.tiles);
  const words = await readTiles(await tesseract(), tiles, isolation);
  let at = 0;
  let letters = 0;
  for (const { box, ways } of read) {
    const [best] = ways
      .map((quarters, way) => ({ quarters, letters: sureLetters(words[at + way] ?? []) }))
      .sort((a, b) => b.letters - a.letters);
    if (best && !isKnown(box, best.quarters)) letters += best.letters;
    at += ways.length;
  }
  return letters;
}

function sureLetters(words: readonly ReadWord[]): number {
  return words.reduce((sum, { text, confidence }) => {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    return confidence >= sureWord && letters >= wordLetters ? sum + letters : sum;
  }, 0);
}

/** A line of small print, as large as the recogniser reads best, by whole pixels. */
function enlarged(tile: Tile): Tile {
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
