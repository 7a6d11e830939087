import type { Box } from '../../results.ts';

export const widthOf = ([x0, , x1]: Box): number => x1 - x0;
export const heightOf = ([, y0, , y1]: Box): number => y1 - y0;

export function union(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** What two boxes share; undefined when that has no area. */
export function cut(a: Box, b: Box): Box | undefined {
  const shared: Box = [
    Math.max(a[0], b[0]),
    Math.max(a[1], b[1]),
    Math.min(a[2], b[2]),
    Math.min(a[3], b[3]),
  ];
  return shared[2] > shared[0] && shared[3] > shared[1] ? shared : undefined;
}

export function grow([x0, y0, x1, y1]: Box, by: number): Box {
  return [x0 - by, y0 - by, x1 + by, y1 + by];
}

export function isInside([x0, y0, x1, y1]: Box, outer: Box): boolean {
  return x0 >= outer[0] && y0 >= outer[1] && x1 <= outer[2] && y1 <= outer[3];
}

export const touches = (a: Box, b: Box): boolean =>
  a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** How much of `box` lies in `area`, 0 to 1; of one without an area, whether its middle does. */
export function share(box: Box, area: Box): number {
  const size = widthOf(box) * heightOf(box);
  if (size > 0) {
    const shared = cut(box, area);
    return shared ? (widthOf(shared) * heightOf(shared)) / size : 0;
  }
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  return x >= area[0] && x <= area[2] && y >= area[1] && y <= area[3] ? 1 : 0;
}
