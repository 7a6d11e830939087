import { coverage, touches } from '../../../geometry.ts';
import type { Box } from '../../../results.ts';
import { type BoxStyle, hasLabel, regionLabel } from './regions/paint-boxes.ts';
import { glyphsIn, type PaintRegion } from './regions/regions.ts';
import { isBlankCode, type Survey, type SurveyedGlyph } from './regions/survey.ts';

/** One glyph in this many may be lost by accident without the page being burned. */
const oneIn = 1000;

const isLetter = ({ code }: SurveyedGlyph): boolean =>
  !isBlankCode(code) && code !== 0xfffe && code !== 0;

const spell = (codes: readonly number[]): string => [...codes].sort((a, b) => a - b).join(' ');

/**
 * Compares a page before and after removal with PDFium, which took no part in the removal. Returns
 * why the result cannot be used, or undefined.
 */
export function redactionFault(
  before: Survey,
  after: Survey,
  page: Box,
  regions: readonly PaintRegion[],
  style: BoxStyle,
): string | undefined {
  for (const region of regions) {
    const left = [...glyphsIn(after, [region.box, ...region.planned])].filter(isLetter);
    const label = hasLabel(region, style) ? regionLabel(region) : '';
    const expected = [...label.replaceAll(' ', '')].map((letter) => letter.charCodeAt(0));
    if (spell(left.map(({ code }) => code)) !== spell(expected)) {
      return 'text could not be removed from the page';
    }
  }
  const boxes = regions.flatMap(({ box, planned }) => [box, ...planned]);
  const gone = glyphsIn(before, boxes);
  const stays = before.glyphs.filter(
    (glyph) =>
      isLetter(glyph) &&
      !gone.has(glyph) &&
      touches(glyph.ink, page) &&
      !boxes.some((box) => coverage(glyph.ink, box) > 0.3),
  );
  const found = new Map<string, number>();
  for (const glyph of after.glyphs) {
    for (const key of keysOf(glyph)) found.set(key, (found.get(key) ?? 0) + 1);
  }
  const lost = stays.filter((glyph) => !found.has(keyOf(glyph))).length;
  return lost > stays.length / oneIn ? 'text next to a removed area would be lost' : undefined;
}

const cell = 0.5;

function keyOf({ code, origin: [x, y] }: SurveyedGlyph, dx = 0, dy = 0): string {
  return `${code} ${Math.round(x / cell) + dx} ${Math.round(y / cell) + dy}`;
}

/** The place of a glyph and its neighbourhood, within half a point. */
function keysOf(glyph: SurveyedGlyph): string[] {
  return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => keyOf(glyph, dx, dy)));
}
