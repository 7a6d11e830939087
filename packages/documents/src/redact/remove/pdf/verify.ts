import { coverage, intersects } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import { type BoxStyle, hasLabel, regionLabel } from './regions/paint-boxes.ts';
import { glyphsIn, type PaintRegion } from './regions/regions.ts';
import { isBlankCode, type Survey, type SurveyedGlyph } from './regions/survey.ts';

/** Number of remaining glyphs per glyph that may be lost. If more are lost, the page is burned. */
const glyphsPerLoss = 1000;

const isLetter = ({ code }: SurveyedGlyph): boolean =>
  !isBlankCode(code) && code !== 0xfffe && code !== 0;

const sortedCodes = (codes: readonly number[]): string =>
  [...codes].sort((a, b) => a - b).join(' ');

/**
 * Compares a page before and after removal with PDFium, which was not involved in the removal.
 * Returns the reason why the result cannot be used; undefined if it can.
 */
export function redactionFault(
  before: Survey,
  after: Survey,
  page: Box,
  regions: readonly PaintRegion[],
  style: BoxStyle,
): string | undefined {
  for (const region of regions) {
    const remaining = [...glyphsIn(after, [region.box, ...region.planned])].filter(isLetter);
    const label = hasLabel(region, style) ? regionLabel(region) : '';
    const expected = [...label.replaceAll(' ', '')].map((letter) => letter.charCodeAt(0));
    if (sortedCodes(remaining.map(({ code }) => code)) !== sortedCodes(expected)) {
      return 'text could not be removed from the page';
    }
  }
  const boxes = regions.flatMap(({ box, planned }) => [box, ...planned]);
  const removed = glyphsIn(before, boxes);
  const kept = before.glyphs.filter(
    (glyph) =>
      isLetter(glyph) &&
      !removed.has(glyph) &&
      intersects(glyph.ink, page) &&
      !boxes.some((box) => coverage(glyph.ink, box) > 0.3),
  );
  const positions = new Set(after.glyphs.map((glyph) => keyOf(glyph)));
  const lost = kept.filter((glyph) => !isNear(positions, glyph)).length;
  return lost > kept.length / glyphsPerLoss
    ? 'text next to a removed area would be lost'
    : undefined;
}

const gridSize = 0.5;

function keyOf({ code, origin: [x, y] }: SurveyedGlyph, dx = 0, dy = 0): string {
  return `${code} ${Math.round(x / gridSize) + dx} ${Math.round(y / gridSize) + dy}`;
}

const neighbourOffsets = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));

/**
 * Whether a glyph was found at its position or next to it. Positions are compared on a grid of half
 * a point.
 */
function isNear(positions: ReadonlySet<string>, glyph: SurveyedGlyph): boolean {
  return (
    positions.has(keyOf(glyph)) ||
    neighbourOffsets.some(([dx, dy]) => positions.has(keyOf(glyph, dx, dy)))
  );
}
