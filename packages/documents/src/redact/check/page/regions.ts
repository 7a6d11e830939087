import type { Box } from '../../../results.ts';
import { foldText } from '../../matching/canonical.ts';
import type { SoughtValue } from '../../matching/matcher.ts';
import { isLabel, type ReportedRegion } from './glyphs.ts';
import { isSolid } from './solid.ts';
import {
  crop,
  type GreyTile,
  invertTones,
  medianTone,
  type ReadWord,
  stretch,
  trim,
} from './tiles.ts';

/** Part of a region to be read. */
export interface RegionTile {
  tile: GreyTile;
  region: ReportedRegion;
  /**
   * `around`: the box is replaced with paper, to read text that extends beyond it. `inside`: the
   * content of the box.
   */
  part: 'around' | 'inside';
  /** The box of the region, in pixels of the tile. */
  box: Box;
  /** Position of the tile on the page, in pixels. */
  at: readonly [number, number];
}

/** Width of the area around a box that is read, in points: the height of a line. */
export const readingMargin = 12;
/** Width of the antialiased edge of a box, in pixels. */
const edgeWidth = 2;

/**
 * Returns the tiles to read for a region of a page, which is drawn in greyscale at `scale` pixels
 * per point. `label` contains the glyphs of the region's label as text readers read them. They need
 * not be recognised again.
 */
export function tilesOf(
  page: GreyTile,
  scale: number,
  region: ReportedRegion,
  isLossy: boolean,
  label: readonly Box[] = [],
): RegionTile[] {
  const [x0, y0, x1, y1] = region.box.map((value) => value * scale);
  const box: Box = [x0 ?? 0, y0 ?? 0, x1 ?? 0, y1 ?? 0];
  const marginPixels = readingMargin * scale;
  const [left, top] = [
    Math.max(0, Math.floor(box[0] - marginPixels)),
    Math.max(0, Math.floor(box[1] - marginPixels)),
  ];
  const surroundings = crop(page, [left, top, box[2] + marginPixels, box[3] + marginPixels]);
  const localBox: Box = [box[0] - left, box[1] - top, box[2] - left, box[3] - top];
  const offset = [Math.floor(box[0] + edgeWidth), Math.floor(box[1] + edgeWidth)];
  const inner = innerOf(page, scale, region, { label, edge: edgeWidth });
  const tiles: RegionTile[] = [
    {
      tile: stretch(coverBox(surroundings, localBox)),
      region,
      part: 'around',
      box: localBox,
      at: [left, top],
    },
  ];
  // A uniform region contains no text.
  if (isSolid(inner, isLossy, 2)) return tiles;
  const stretched = trim(stretch(inner));
  const whole: Box = [0, 0, stretched.width, stretched.height];
  const at = [offset[0] ?? 0, offset[1] ?? 0] as const;
  tiles.push({ tile: stretched, region, part: 'inside', box: whole, at });
  tiles.push({ tile: invertTones(stretched), region, part: 'inside', box: whole, at });
  return tiles;
}

/** Returns the inside of a box, without its edges and its label. */
function innerOf(
  page: GreyTile,
  scale: number,
  region: ReportedRegion,
  { label, edge: by }: { label: readonly Box[]; edge: number },
): GreyTile {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = region.box.map((value) => value * scale);
  const boxTile = crop(page, [x0 + by, y0 + by, x1 - by, y1 - by]);
  const offset = [Math.floor(x0 + by), Math.floor(y0 + by)];
  return label.reduce((tile, glyph) => {
    const [a = 0, b = 0, c = 0, d = 0] = glyph.map(
      (value, side) => value * scale - (offset[side % 2] ?? 0),
    );
    return fill(
      tile,
      [a - edgeWidth, b - edgeWidth, c + edgeWidth, d + edgeWidth],
      medianTone(tile),
    );
  }, boxTile);
}

/** Whether a box shows nothing but its label, on a page drawn at `scale` pixels per point. */
export function isSolidRegion(
  page: GreyTile,
  scale: number,
  region: ReportedRegion,
  label: readonly Box[],
): boolean {
  return isSolid(innerOf(page, scale, region, { label, edge: 1 }), false);
}

/** Returns a tile with part of it filled with one tone. */
function fill(tile: GreyTile, [x0, y0, x1, y1]: Box, tone: number): GreyTile {
  const data = Uint8Array.from(tile.data);
  const [left, right] = [Math.max(0, Math.floor(x0)), Math.min(tile.width, Math.ceil(x1))];
  for (let y = Math.max(0, Math.floor(y0)); y < Math.min(tile.height, Math.ceil(y1)); y += 1) {
    if (right > left) data.fill(tone, y * tile.width + left, y * tile.width + right);
  }
  return { ...tile, data };
}

/** Returns a tile with the painted box filled with the tone of the paper around it. */
function coverBox(tile: GreyTile, [x0, y0, x1, y1]: Box): GreyTile {
  const { data, width, height } = tile;
  const counts = new Uint32Array(256);
  const left = Math.min(width, Math.max(0, Math.ceil(x0 - 1)));
  const right = Math.min(width, Math.max(left, Math.ceil(x1 + 1)));
  const isInRows = (y: number): boolean => y >= y0 - 1 && y < y1 + 1;
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    const inBox = isInRows(y);
    for (let x = 0; x < width; x += 1) {
      if (inBox && x === left) x = right;
      if (x >= width) break;
      const tone = data[row + x] ?? 0;
      counts[tone] = (counts[tone] ?? 0) + 1;
    }
  }
  const paper = counts.indexOf(Math.max(...counts));
  const out = Uint8Array.from(data);
  for (let y = 0; y < height; y += 1) {
    if (isInRows(y)) out.fill(paper, y * width + left, y * width + right);
  }
  return { ...tile, data: out };
}

/**
 * Minimum confidence of recognised text, and minimum number of letters and digits, for the text to
 * count.
 */
const minConfidence = 0.5;
const minLetters = 3;

/** Returns the letters and digits that were read with sufficient confidence. */
function confidentLetters(words: readonly ReadWord[]): string {
  const found = words.filter(({ confidence }) => confidence >= minConfidence);
  return foldText(found.map(({ text }) => text).join(' '));
}

/**
 * Whether letters are the label of one of the types. Small letters are not always recognised
 * correctly.
 */
function isLabelRead(letters: string, types: readonly string[]): boolean {
  if (isLabel(letters, types)) return true;
  return types.map(foldText).some((name) => {
    const common = commonLength(letters, name);
    return common >= letters.length * 0.7 && letters.length >= name.length * 0.5;
  });
}

/**
 * Whether text can be read on a box that was recognised in every orientation, and also inverted. If
 * one of the readings is a label, the others are the same label in other orientations.
 */
export function isReadable(
  readings: readonly (readonly ReadWord[])[],
  types: readonly string[],
): boolean {
  const read = readings.map(confidentLetters).filter((letters) => letters.length >= minLetters);
  return read.length > 0 && !read.some((letters) => isLabelRead(letters, types));
}

/** Whether words that were read in a region contain most letters of a value, in order. */
export function resemblesValue(
  words: readonly ReadWord[],
  values: readonly SoughtValue[],
): boolean {
  const letters = foldText(words.map(({ text }) => text).join(' '));
  if (letters.length < minLetters) return false;
  return values.some(({ value }) => {
    const valueLetters = foldText(value);
    const isComparable =
      valueLetters.length >= minLetters && letters.length <= valueLetters.length * 2;
    return isComparable && commonLength(letters, valueLetters) >= valueLetters.length * 0.6;
  });
}

/** Returns the length of the longest common subsequence, of at most 200 letters. */
function commonLength(a: string, b: string): number {
  const [first, second] = [a.slice(0, 200), b.slice(0, 200)];
  let row = new Uint16Array(second.length + 1);
  for (const letter of first) {
    const next = new Uint16Array(second.length + 1);
    for (let at = 1; at <= second.length; at += 1) {
      next[at] =
        letter === second[at - 1]
          ? (row[at - 1] ?? 0) + 1
          : Math.max(row[at] ?? 0, next[at - 1] ?? 0);
    }
    row = next;
  }
  return row[second.length] ?? 0;
}
