import type { Box } from '../../results.ts';
import { share, touches } from './boxes.ts';
import { hasLabel, labelOf, type Style } from './paint-boxes.ts';
import { glyphsIn, type Region } from './regions.ts';
import { type Glyph, isBlank, type Survey } from './survey.ts';

/** Glyphs that may get lost on a page, by accident, without it being burned: one in this many. */
const oneIn = 1000;

const isLetter = ({ code }: Glyph): boolean => !isBlank(code) && code !== 0xfffe && code !== 0;

const spell = (codes: readonly number[]): string => [...codes].sort((a, b) => a - b).join(' ');

/**
 * Looks at a page before and after removal with PDFium, which took no part in it. Says why the
 * result cannot be used, or undefined.
 */
export function faultOf(
  before: Survey,
  after: Survey,
  page: Box,
  regions: readonly Region[],
  style: Style,
): string | undefined {
  for (const region of regions) {
    const left = [...glyphsIn(after, [region.box, ...region.planned])].filter(isLetter);
    const label = hasLabel(region, style) ? labelOf(region) : '';
    const expected = [...label.replaceAll(' ', '')].map((letter) => letter.charCodeAt(0));
    if (spell(left.map(({ code }) => code)) !== spell(expected)) {
      return 'text could not be taken out of the page';
    }
  }
  const boxes = regions.flatMap(({ box, planned }) => [box, ...planned]);
  const gone = glyphsIn(before, boxes);
  const stays = before.glyphs.filter(
    (glyph) =>
      isLetter(glyph) &&
      !gone.has(glyph) &&
      touches(glyph.ink, page) &&
      !boxes.some((box) => share(glyph.ink, box) > 0.3),
  );
  const found = new Map<string, number>();
  for (const glyph of after.glyphs) {
    for (const key of keysOf(glyph)) found.set(key, (found.get(key) ?? 0) + 1);
  }
  const lost = stays.filter((glyph) => !found.has(keyOf(glyph))).length;
  return lost > stays.length / oneIn ? 'text next to what is removed would get lost' : undefined;
}

const cell = 0.5;

function keyOf({ code, origin: [x, y] }: Glyph, dx = 0, dy = 0): string {
  return `${code} ${Math.round(x / cell) + dx} ${Math.round(y / cell) + dy}`;
}

/** A glyph's place and those around it, within half a point. */
function keysOf(glyph: Glyph): string[] {
  return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => keyOf(glyph, dx, dy)));
}
