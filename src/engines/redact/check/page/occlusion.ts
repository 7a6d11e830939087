import type { Box } from '../../../results.ts';
import type { Region } from './glyphs.ts';
import type { Drawn } from './objects.ts';

/** How far the edges of a painted box may be off, in points. */
const slack = 1.5;
/** How far what it hides may stick out of it, in points. */
const rounding = 0.5;

const grow = ([x0, y0, x1, y1]: Box, by: number): Box => [x0 - by, y0 - by, x1 + by, y1 + by];
export const isInside = (a: Box, b: Box): boolean =>
  a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];

function hasMiddleIn([x0, y0, x1, y1]: Box, area: Box): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > area[0] && x < area[2] && y > area[1] && y < area[3];
}

/** Whether a path is the box painted over a region: its size, and filled. */
export function isBoxOf(drawn: Drawn, region: Box): boolean {
  return (
    drawn.kind === 'path' &&
    drawn.isFilled &&
    drawn.isAligned &&
    isInside(drawn.box, grow(region, slack)) &&
    isInside(grow(region, -slack), drawn.box)
  );
}

/**
 * The regions under whose box something is hidden. Lines, frames and backgrounds that go on beyond
 * the box are no secret; what lies wholly beneath it is, and so is a drawing with curves or slanting
 * lines that has points there, as letters have that were turned into outlines.
 */
export function regionsHiding(regions: readonly Region[], drawn: readonly Drawn[]): Region[] {
  return regions.filter(({ box }) => {
    const boxes = drawn.filter((item) => isBoxOf(item, box));
    const top = boxes.at(-1);
    if (!top) return false;
    const inner = grow(box, -1);
    return drawn.some((item) => {
      if (item.order >= top.order || boxes.includes(item) || item.kind === 'image') return false;
      if (item.box[2] <= item.box[0] && item.box[3] <= item.box[1]) return false;
      if (isInside(item.box, grow(box, rounding)) && hasMiddleIn(item.box, box)) return true;
      return (
        item.kind === 'path' &&
        !item.isAligned &&
        item.points.some(([x, y]) => x > inner[0] && x < inner[2] && y > inner[1] && y < inner[3])
      );
    });
  });
}
