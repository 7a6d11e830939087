import { heightOf, hull } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import { overlap, type SeenGlyph } from './glyphs.ts';
import { type HonestFonts, keyOf } from './honest-fonts.ts';
import { crop, type GreyTile, medianTone, stretch } from './tiles.ts';

/** Maximum number of lines to read. They show most letters of a page's fonts. */
const maxLines = 12;
/** Minimum number of glyphs in a line that is worth reading. */
const minGlyphs = 12;
/**
 * How often a letter should be seen, and the weight of each time: for letters next to a box, and
 * for all others.
 */
const wishNear = { left: 2, worth: 4 };
const wishElsewhere = { left: 1, worth: 1 };
type Wish = { left: number; worth: number };
/**
 * Minimum vertical overlap of the glyphs of a line, as a share of their height, and the maximum gap
 * between them, in heights.
 */
const sameLine = 0.5;
const widestGap = 3;
/** Margin around a line, in points, and the width of the paper around its picture, in pixels. */
const margin = 1;
const paper = 20;

/** A line of text that is recognised to learn what its fonts draw. */
export interface Lesson {
  glyphs: readonly SeenGlyph[];
  tile: GreyTile;
  /** Position of the tile on the page, in pixels. */
  at: readonly [number, number];
}

const isLetter = ({ text }: SeenGlyph): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Selects lines of a page whose recognition may settle whether fonts draw what they declare. If
 * they do, the boxes of this page and of others need not be read one by one. A few whole lines
 * reveal more than the cut-off text around all boxes. Empty if no line is suitable.
 * @param unsure letters next to boxes whose fonts are not trusted, or not for these letters
 * @param letters the visible letters of the page, in the order of its text
 * @param others boxes and pictures, where lines cannot be read separately
 * @param least the minimum number of letters in a line
 */
export function linesToLearn(
  unsure: readonly SeenGlyph[],
  letters: readonly SeenGlyph[],
  others: readonly Box[],
  fonts: HonestFonts,
  least = minGlyphs,
): SeenGlyph[][] {
  const teachable = unsure.filter((glyph) => fonts.canLearn(glyph));
  if (teachable.length === 0) return [];
  const wished = new Map<string, Wish>();
  const fontsNear = new Set(teachable.map(({ font }) => font));
  for (const glyph of letters) {
    if (!fontsNear.has(glyph.font) || !isLetter(glyph)) continue;
    const key = keyOf(glyph);
    if (!wished.has(key) && !fonts.has(glyph) && fonts.canLearn(glyph)) {
      wished.set(key, { ...wishElsewhere });
    }
  }
  for (const glyph of teachable) wished.set(keyOf(glyph), { ...wishNear });
  const lines = linesOf(letters)
    .filter((line) => line.length >= least)
    .filter((line) => !others.some((box) => overlap(box, boxOf(line))))
    .map((line) => ({ line, keys: line.filter(isLetter).map(keyOf) }));
  const chosen: SeenGlyph[][] = [];
  while (chosen.length < maxLines) {
    const [best] = lines
      .map((one) => ({ ...one, worth: worthOf(one.keys, wished) }))
      .sort((a, b) => b.worth - a.worth);
    if (!best || best.worth === 0) break;
    for (const key of best.keys) {
      const wish = wished.get(key);
      if (wish && wish.left > 0) wish.left -= 1;
    }
    chosen.push(best.line);
  }
  return chosen;
}

/** Returns the total weight of the wishes that a line fulfils. */
function worthOf(keys: readonly string[], wished: ReadonlyMap<string, Wish>): number {
  const seen = new Map<string, number>();
  for (const key of keys) seen.set(key, (seen.get(key) ?? 0) + 1);
  let worth = 0;
  for (const [key, count] of seen) {
    const wish = wished.get(key);
    if (wish) worth += Math.min(count, wish.left) * wish.worth;
  }
  return worth;
}

const boxOf = (line: readonly SeenGlyph[]): Box => hull(line.map(({ box }) => box)) ?? [0, 0, 0, 0];

/** Groups consecutive glyphs into level lines. */
function linesOf(glyphs: readonly SeenGlyph[]): SeenGlyph[][] {
  const lines: SeenGlyph[][] = [];
  let last: SeenGlyph | undefined;
  for (const glyph of glyphs) {
    const line = lines.at(-1);
    if (line && last && follows(last.box, glyph.box)) line.push(glyph);
    else lines.push([glyph]);
    last = glyph;
  }
  return lines;
}

function follows(last: Box, next: Box): boolean {
  const height = Math.max(heightOf(last), heightOf(next));
  const shared = Math.min(last[3], next[3]) - Math.max(last[1], next[1]);
  const isLevel = shared >= sameLine * Math.min(heightOf(last), heightOf(next));
  return isLevel && next[0] >= last[0] && next[0] - last[2] <= widestGap * height;
}

/**
 * Returns the picture of a line, cut from a page drawn at `scale` pixels per point, with paper
 * around it.
 */
export function lessonOf(page: GreyTile, scale: number, glyphs: readonly SeenGlyph[]): Lesson {
  const [x0, y0, x1, y1] = boxOf(glyphs);
  const [left, top] = [
    Math.max(0, Math.floor((x0 - margin) * scale)),
    Math.max(0, Math.floor((y0 - margin) * scale)),
  ];
  const line = stretch(crop(page, [left, top, (x1 + margin) * scale, (y1 + margin) * scale]));
  const [width, height] = [line.width + 2 * paper, line.height + 2 * paper];
  const data = new Uint8Array(width * height).fill(medianTone(line));
  for (let row = 0; row < line.height; row += 1) {
    const pixels = line.data.subarray(row * line.width, (row + 1) * line.width);
    data.set(pixels, (row + paper) * width + paper);
  }
  return { glyphs, tile: { data, width, height }, at: [left - paper, top - paper] };
}
