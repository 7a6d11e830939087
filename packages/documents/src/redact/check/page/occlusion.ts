import type { Box } from '../../../results.ts';
import type { ReportedRegion } from './glyphs.ts';
import type { DrawnObject, PathPart } from './objects.ts';

/** Tolerance for the edges of a painted box, in points. */
const edgeTolerance = 1.5;
/** Maximum distance by which hidden content may extend beyond the box, in points. */
const roundingTolerance = 0.5;

const grow = ([x0, y0, x1, y1]: Box, by: number): Box => [x0 - by, y0 - by, x1 + by, y1 + by];
export const isWhollyInside = (a: Box, b: Box): boolean =>
  a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];

function hasCentreIn([x0, y0, x1, y1]: Box, area: Box): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > area[0] && x < area[2] && y > area[1] && y < area[3];
}

/** Whether a path is the box painted over a region: filled, and of the same size. */
export function isBoxOf(object: DrawnObject, region: Box): boolean {
  return (
    object.kind === 'path' &&
    object.isFilled &&
    object.isAligned &&
    isWhollyInside(object.box, grow(region, edgeTolerance)) &&
    isWhollyInside(grow(region, -edgeTolerance), object.box)
  );
}

/** Maximum distance of a frame's points from its edges, in points. */
const frameTolerance = 0.2;

/**
 * Whether a subpath surrounds a box and stays on the edges of its bounding box. This is the
 * frame of a field, possibly with rounded corners. Letters are never drawn like this.
 */
function isFrameAround({ points }: PathPart, box: Box): boolean {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x0, y0, x1, y1] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const isAround = (y0 < box[1] && y1 > box[3]) || (x0 < box[0] && x1 > box[2]);
  if (!isAround) return false;
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= frameTolerance;
  return points.every(([x, y]) => isNear(x, x0) || isNear(x, x1) || isNear(y, y0) || isNear(y, y1));
}

const isPointIn = ([x, y]: readonly [number, number], [x0, y0, x1, y1]: Box): boolean =>
  x > x0 && x < x1 && y > y0 && y < y1;

/** Maximum number of points of a harmless subpath under a box. An outlined letter has more. */
const maxPointsUnderBox = 3;

/**
 * Whether a subpath belongs to a figure that a box merely touches, such as an arc or the border of
 * an area. Few of its points are under the box, and it extends beyond the box by more than a line
 * height. Letters converted to outlines are not taller than their line, and have many points.
 */
function onlyTouches({ points }: PathPart, box: Box): boolean {
  const line = Math.min(box[2] - box[0], box[3] - box[1]);
  const [x0, y0, x1, y1] = grow(box, line);
  const extendsBeyond = points.some(([x, y]) => x < x0 || y < y0 || x > x1 || y > y1);
  return (
    extendsBeyond && points.filter((point) => isPointIn(point, box)).length <= maxPointsUnderBox
  );
}

/**
 * Returns the regions whose box hides content. Lines, frames and backgrounds that extend beyond the
 * box are harmless. Objects entirely beneath the box are not. Neither are drawings with curves or
 * slanting lines that have points beneath it, such as outlined letters.
 */
export function regionsHidingContent(
  regions: readonly ReportedRegion[],
  objects: readonly DrawnObject[],
): ReportedRegion[] {
  return regions.filter(({ box }) => {
    const boxes = objects.filter((item) => isBoxOf(item, box));
    const top = boxes.at(-1);
    if (!top) return false;
    const inner = grow(box, -1);
    return objects.some((item) => {
      if (item.order >= top.order || boxes.includes(item) || item.kind === 'image') return false;
      if (item.box[2] <= item.box[0] && item.box[3] <= item.box[1]) return false;
      if (isWhollyInside(item.box, grow(box, roundingTolerance)) && hasCentreIn(item.box, box))
        return true;
      return (
        item.kind === 'path' &&
        item.parts.some(
          (part) =>
            !part.isAligned &&
            !isFrameAround(part, box) &&
            !onlyTouches(part, box) &&
            part.points.some((point) => isPointIn(point, inner)),
        )
      );
    });
  });
}
