import { heightOf, hull, intersects } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import type { PageGlyph } from './glyphs.ts';
import { crop, type GreyTile, medianTone, stretch } from './tiles.ts';
import { keyOf, type TrustedFonts } from './trusted-fonts.ts';

/** Maximum number of lines to read. They show most letters of a page's fonts. */
const maxLines = 12;
/** Minimum number of glyphs in a line that is worth reading. */
const minGlyphs = 12;
/**
 * Number of occurrences of a letter to read, and the weight of each: for letters next to a box, and
 * for all other letters.
 */
const demandNear = { remaining: 2, weight: 4 };
const demandElsewhere = { remaining: 1, weight: 1 };
type Demand = { remaining: number; weight: number };
/**
 * Minimum vertical overlap of the glyphs of a line, as a share of their height, and the maximum gap
 * between them, in heights.
 */
const minVerticalOverlap = 0.5;
const maxGap = 3;
/** Margin around a line, in points, and the width of the paper around its picture, in pixels. */
const lineMargin = 1;
const paperWidth = 20;

/** A line of text that is recognised to learn which characters its fonts draw. */
export interface SampleLine {
  glyphs: readonly PageGlyph[];
  tile: GreyTile;
  /** Position of the tile on the page, in pixels. */
  at: readonly [number, number];
}

const isLetter = ({ text }: PageGlyph): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Selects lines of a page whose recognition may show whether fonts draw the characters that they
 * declare. If they do, the boxes of this and other pages need not be read one by one. A few whole
 * lines reveal more than the cut-off text around all boxes. Empty if no line is suitable.
 * @param unproven letters next to boxes whose fonts are not trusted, or not for these letters
 * @param letters the visible letters of the page, in the order of its text
 * @param obstacles boxes and pictures, where lines cannot be read separately
 * @param minLetters the minimum number of letters in a line
 */
export function selectSampleLines(
  unproven: readonly PageGlyph[],
  letters: readonly PageGlyph[],
  obstacles: readonly Box[],
  fonts: TrustedFonts,
  minLetters = minGlyphs,
): PageGlyph[][] {
  const learnable = unproven.filter((glyph) => fonts.canReadAgain(glyph));
  if (learnable.length === 0) return [];
  const demands = new Map<string, Demand>();
  const fontsNear = new Set(learnable.map(({ font }) => font));
  for (const glyph of letters) {
    if (!fontsNear.has(glyph.font) || !isLetter(glyph)) continue;
    const key = keyOf(glyph);
    if (!demands.has(key) && !fonts.has(glyph) && fonts.canReadAgain(glyph)) {
      demands.set(key, { ...demandElsewhere });
    }
  }
  for (const glyph of learnable) demands.set(keyOf(glyph), { ...demandNear });
  const lines = linesOf(letters)
    .filter((line) => line.length >= minLetters && isClear(boxOf(line), obstacles))
    .map((line) => ({ line, counts: countDemanded(line, demands) }))
    .filter(({ counts }) => counts.size > 0);
  const chosen: PageGlyph[][] = [];
  while (chosen.length < maxLines) {
    let best: (typeof lines)[number] | undefined;
    let most = 0;
    for (const one of lines) {
      const weight = weightOf(one.counts);
      if (weight > most) [best, most] = [one, weight];
    }
    if (!best) break;
    for (const [demand, count] of best.counts) {
      demand.remaining = Math.max(0, demand.remaining - count);
    }
    chosen.push(best.line);
  }
  return chosen;
}

const isClear = (box: Box, obstacles: readonly Box[]): boolean =>
  !obstacles.some((obstacle) => intersects(obstacle, box));

/** Counts the letters of a line for which there is a demand. */
function countDemanded(
  line: readonly PageGlyph[],
  demands: ReadonlyMap<string, Demand>,
): Map<Demand, number> {
  const counts = new Map<Demand, number>();
  for (const glyph of line) {
    const demand = isLetter(glyph) ? demands.get(keyOf(glyph)) : undefined;
    if (demand) counts.set(demand, (counts.get(demand) ?? 0) + 1);
  }
  return counts;
}

/** Returns the total weight of the needed letters that a line contains. */
function weightOf(counts: ReadonlyMap<Demand, number>): number {
  let weight = 0;
  for (const [demand, count] of counts) weight += Math.min(count, demand.remaining) * demand.weight;
  return weight;
}

const boxOf = (line: readonly PageGlyph[]): Box => hull(line.map(({ box }) => box)) ?? [0, 0, 0, 0];

/** Groups consecutive glyphs into level lines. */
function linesOf(glyphs: readonly PageGlyph[]): PageGlyph[][] {
  const lines: PageGlyph[][] = [];
  let last: PageGlyph | undefined;
  for (const glyph of glyphs) {
    const line = lines.at(-1);
    if (line && last && isOnSameLine(last.box, glyph.box)) line.push(glyph);
    else lines.push([glyph]);
    last = glyph;
  }
  return lines;
}

function isOnSameLine(last: Box, next: Box): boolean {
  const height = Math.max(heightOf(last), heightOf(next));
  const shared = Math.min(last[3], next[3]) - Math.max(last[1], next[1]);
  const isLevel = shared >= minVerticalOverlap * Math.min(heightOf(last), heightOf(next));
  return isLevel && next[0] >= last[0] && next[0] - last[2] <= maxGap * height;
}

/**
 * Returns the picture of a line, cut from a page drawn at `scale` pixels per point, with paper
 * around it.
 */
export function cropLine(page: GreyTile, scale: number, glyphs: readonly PageGlyph[]): SampleLine {
  const [x0, y0, x1, y1] = boxOf(glyphs);
  const [left, top] = [
    Math.max(0, Math.floor((x0 - lineMargin) * scale)),
    Math.max(0, Math.floor((y0 - lineMargin) * scale)),
  ];
  const line = stretch(
    crop(page, [left, top, (x1 + lineMargin) * scale, (y1 + lineMargin) * scale]),
  );
  const [width, height] = [line.width + 2 * paperWidth, line.height + 2 * paperWidth];
  const data = new Uint8Array(width * height).fill(medianTone(line));
  for (let row = 0; row < line.height; row += 1) {
    const pixels = line.data.subarray(row * line.width, (row + 1) * line.width);
    data.set(pixels, (row + paperWidth) * width + paperWidth);
  }
  return { glyphs, tile: { data, width, height }, at: [left - paperWidth, top - paperWidth] };
}
