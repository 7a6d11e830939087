import type { Box } from '../../../results.ts';
import type { Region } from './glyphs.ts';
import type { Drawn, PathPart } from './objects.ts';

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

/** How far points of a frame may be from its edges, in points. */
const edge = 0.2;

/**
 * Whether a part of a path goes around a box, on both sides of it, and is nowhere but on the edges of
 * its own extent: the frame of a field, whose corners may be round. Letters are not drawn so.
 */
function isFrameAround({ points }: PathPart, box: Box): boolean {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x0, y0, x1, y1] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const isAround = (y0 < box[1] && y1 > box[3]) || (x0 < box[0] && x1 > box[2]);
  if (!isAround) return false;
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= edge;
  return points.every(([x, y]) => isNear(x, x0) || isNear(x, x1) || isNear(y, y0) || isNear(y, y1));
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
        item.parts.some(
          (part) =>
            !part.isAligned &&
            part.points.some(
              ([x, y]) => x > inner[0] && x < inner[2] && y > inner[1] && y < inner[3],
            ) &&
            !isFrameAround(part, box),
        )
      );
    });
  });
}
