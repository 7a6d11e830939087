import { firstWhere } from '@scriptorium/pii/first-where';
import { area, hull } from '../geometry.ts';
import type { Glyph } from '../pdf/page-glyphs.ts';
import type { Box } from '../results.ts';

/** Maximum share of its height by which a glyph may extend beyond its line. */
const maxOverhang = 0.3;
/** Margin around a line, in points. */
const margin = 1;

/**
 * The indexes of a box's sides across and along a line. For horizontal lines, top and bottom are
 * across.
 */
type Sides = { across: 0 | 1; along: 0 | 1 };
const horizontal: Sides = { across: 1, along: 0 };
const vertical: Sides = { across: 0, along: 1 };

/** Maximum slope of a line that counts as horizontal or vertical, as the sine of its angle. */
const maxSlope = 0.05;

/** The lines of a page with text that must be recognised. */
export type UnreadLines = {
  boxes: Box[];
  /**
   * Whether to read the lines without detecting their orientation: most of their text is known and
   * horizontal.
   */
  isLevel: boolean;
};

/**
 * Returns the lines with visible letters that are doubted or unreadable (in a font without a map).
 * Lines are returned as a whole, because the neighbours of such letters give context. If lines
 * slope, returns one box around all such letters.
 * @param symbols unreadable glyphs that are not letters
 */
export function unreadLinesOf(
  glyphs: readonly Glyph[],
  symbols: ReadonlySet<Glyph> = new Set(),
): UnreadLines {
  return linesWith(
    glyphs,
    (glyph) => glyph.doubted === true || (glyph.text === '' && !symbols.has(glyph)),
  );
}

/**
 * Returns the complete lines of the given visible glyphs. If lines slope, returns one box around
 * all these glyphs.
 */
export function linesWith(
  glyphs: readonly Glyph[],
  isWanted: (glyph: Glyph) => boolean,
): UnreadLines {
  const drawnGlyphs = glyphs.filter(({ visible, ink }) => visible && area(ink) > 0);
  const wanted = drawnGlyphs.filter(isWanted);
  const horizontalInks: Box[] = [];
  const verticalInks: Box[] = [];
  const slopingInks: Box[] = [];
  let isLevel = true;
  for (const { angle, ink } of wanted) {
    const radians = (angle * Math.PI) / 180;
    const [sine, cosine] = [Math.sin(radians), Math.cos(radians)];
    if (Math.abs(sine) >= maxSlope || cosine < 0) isLevel = false;
    if (Math.abs(sine) < maxSlope) horizontalInks.push(ink);
    else if (Math.abs(cosine) < maxSlope) verticalInks.push(ink);
    else slopingInks.push(ink);
  }
  const inks = drawnGlyphs.map(({ ink }) => ink);
  const slopingBox = hull(slopingInks);
  const rows = completeLines(horizontalInks, inks, horizontal);
  const columns = completeLines(verticalInks, inks, vertical);
  return {
    boxes: [...(slopingBox ? [slopingBox] : []), ...rows.boxes, ...columns.boxes],
    isLevel: isLevel && wanted.length * 2 <= rows.count,
  };
}

/** Returns the complete lines around glyphs, and the number of the glyphs. */
function completeLines(
  wanted: readonly Box[],
  inks: readonly Box[],
  { across, along }: Sides,
): { boxes: Box[]; count: number } {
  const bands = mergeBands(wanted.map((ink) => [ink[across], ink[across + 2]!]));
  if (bands.length === 0) return { boxes: [], count: 0 };
  const lines = bands.map((band): Band => [...band]);
  // All boxes are as long as the longest line, so that their picture has straight edges.
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let count = 0;
  for (const ink of inks) {
    let isInBand = false;
    const [low, high] = [ink[across], ink[across + 2]!];
    const minOverlap = maxOverhang * (high - low);
    for (let at = firstBandBelow(bands, low); at < bands.length; at += 1) {
      const [top, bottom] = bands[at]!;
      if (top >= high) break;
      if (Math.min(bottom, high) - Math.max(top, low) < minOverlap) continue;
      isInBand = true;
      const line = lines[at]!;
      line[0] = Math.min(line[0], low);
      line[1] = Math.max(line[1], high);
      from = Math.min(from, ink[along] - margin);
      to = Math.max(to, ink[along + 2]! + margin);
    }
    if (isInBand) count += 1;
  }
  const boxes = mergeBands(lines.map(([top, bottom]): Band => [top - margin, bottom + margin])).map(
    ([top, bottom]): Box => (along === 0 ? [from, top, to, bottom] : [top, from, bottom, to]),
  );
  return { boxes, count };
}

type Band = [from: number, to: number];

/** Merges overlapping bands, keeping their order. */
function mergeBands(bands: Band[]): Band[] {
  const out: Band[] = [];
  for (const [from, to] of bands.sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/** Returns the index of the first band that ends after a position. */
function firstBandBelow(bands: readonly Band[], position: number): number {
  return firstWhere(bands.length, (at) => bands[at]![1] > position);
}
