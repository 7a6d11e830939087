import { area, grow, heightOf, mergeIntersecting, widthOf } from '../geometry.ts';
import type { Box } from '../results.ts';
import { boxMask } from './box-mask.ts';
import { type GreyRaster, piecesOf } from './components.ts';
import { traitsOf } from './traits.ts';

/** Range of the sides of a group of strokes, in pixels of a picture of 150 dpi. */
const longSides = [40, 700] as const;
const shortSides = [14, 260] as const;
/** Minimum number of pixels of a stroke. Smaller pieces are grain. */
const minInk = 12;
/** Maximum gap between the strokes of a group, in pixels. */
const maxGap = 12;
/** Maximum number of strokes on a page. Textures and maps have more. */
const maxPieces = 4_000;
/** Maximum slope of an edge that is level or upright. */
const axisSlope = 0.15;

/** Number of directions of outlines that are counted, over half a turn. */
const directions = 8;

/** Strokes close to each other, with the measurements by which they are judged. */
export interface StrokeGroup {
  box: Box;
  features: number[];
}

/** The names of the measurements, in their order. */
export const strokeFeatures: readonly string[] = [
  'length',
  'height',
  'aspect',
  'ink_share',
  'thickness',
  'winding',
  'axis_share',
  'coherence',
  'contrast',
  'variation',
  'stained_share',
  'strokes_per_row',
  'strokes_per_column',
  'pieces',
  'largest_share',
  'largest_width',
  'baseline',
  'outline_share',
  'top_share',
  'bottom_share',
  ...Array.from({ length: directions }, (_, at) => `direction_${at}`),
];

/**
 * Returns the groups of strokes in a picture of about 150 dpi that may be signatures by their size.
 * @param strokes 1 where there is ink that is neither known nor a rule
 */
export function strokeGroups(strokes: Uint8Array, picture: GreyRaster): StrokeGroup[] {
  const pieces = piecesOf(strokes, picture, 1, isStroke).map(({ x0, y0, x1, y1, ink }) => ({
    box: [x0, y0, x1, y1] as Box,
    ink,
  }));
  if (pieces.length > maxPieces) return [];
  const groups = mergeIntersecting(pieces.map(({ box }) => grow(box, maxGap / 2)));
  return groups.flatMap((grown): StrokeGroup[] => {
    const box = grow(grown, -maxGap / 2);
    const [short = 0, long = 0] = [widthOf(box), heightOf(box)].sort((a, b) => a - b);
    if (long < longSides[0] || long > longSides[1]) return [];
    if (short < shortSides[0] || short > shortSides[1]) return [];
    const own = pieces.filter((piece) => isWithin(piece.box, box));
    return [{ box, features: featuresOf(strokes, picture, box, own) }];
  });
}

const isWithin = ([x0, y0, x1, y1]: Box, outer: Box): boolean =>
  x0 >= outer[0] && y0 >= outer[1] && x1 <= outer[2] && y1 <= outer[3];

function isStroke(width: number, height: number, ink: number): boolean {
  const [short = 0, long = 0] = [width, height].sort((a, b) => a - b);
  return ink >= minInk && short <= shortSides[1] && long <= longSides[1];
}

/** Returns the ink outside of the known boxes as 1. */
export function unknownInk(
  { width, height }: { width: number; height: number },
  map: Uint8Array,
  known: readonly Box[],
): Uint8Array {
  const isKnown = boxMask({ width, height }, known);
  const strokes = new Uint8Array(map.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if (map[at] === 1 && !isKnown(x, y)) strokes[at] = 1;
    }
  }
  return strokes;
}

function featuresOf(
  strokes: Uint8Array,
  picture: GreyRaster,
  box: Box,
  pieces: readonly { box: Box; ink: number }[],
): number[] {
  const traits = traitsOf(strokes, picture, box);
  const { perimeter, axisShare, coherence, histogram } = outlineOf(strokes, picture, box);
  const ink = Math.max(1, traits.inkShare * area(box));
  const [width, height] = [widthOf(box), heightOf(box)];
  const largest = pieces.reduce((a, b) => (b.ink > a.ink ? b : a), { box, ink: 0 });
  const bottoms = pieces.map((piece) => (box[3] - piece.box[3]) / height);
  const mean = bottoms.reduce((sum, value) => sum + value, 0) / Math.max(1, bottoms.length);
  const spread = bottoms.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const thickness = (2 * ink) / Math.max(1, perimeter);
  return [
    Math.log(width),
    Math.log(height),
    Math.log(width / height),
    traits.inkShare,
    thickness,
    Math.log(Math.max(0.1, perimeter / 2 / Math.hypot(width, height))),
    axisShare,
    coherence,
    traits.contrast / 100,
    traits.variation,
    traits.stainedShare,
    traits.strokesPerRow,
    traits.strokesPerColumn,
    Math.log(Math.max(1, pieces.length)),
    largest.ink / ink,
    widthOf(largest.box) / width,
    Math.sqrt(spread / Math.max(1, bottoms.length)),
    perimeter / ink,
    inkIn(strokes, picture.width, [box[0], box[1], box[2], box[1] + height / 3]) / ink,
    inkIn(strokes, picture.width, [box[0], box[3] - height / 3, box[2], box[3]]) / ink,
    ...histogram,
  ];
}

/** Returns the number of pixels of ink in a box. */
function inkIn(strokes: Uint8Array, width: number, [x0, y0, x1, y1]: Box): number {
  let ink = 0;
  for (let y = Math.round(y0); y < Math.round(y1); y += 1) {
    for (let x = x0, at = y * width + x0; x < x1; x += 1, at += 1) ink += strokes[at]!;
  }
  return ink;
}

/** The outline of the ink in a box. */
interface InkOutline {
  /** In pixels. */
  perimeter: number;
  /** Share of its edges that are level or upright. */
  axisShare: number;
  /** Share of its edges that have one direction. */
  coherence: number;
  /** Shares of its edges in each direction. */
  histogram: number[];
}

/** Measures the outline of the ink in a box: its length in pixels, and the directions of its edges. */
export function outlineOf(
  strokes: Uint8Array,
  { data, width, height }: GreyRaster,
  [x0, y0, x1, y1]: Box,
): InkOutline {
  let [perimeter, onAxis, edges] = [0, 0, 0];
  let [xx, yy, xy] = [0, 0, 0];
  const histogram = Array.from({ length: directions }, () => 0);
  for (let y = Math.max(1, y0); y < Math.min(height - 1, y1); y += 1) {
    for (
      let x = Math.max(1, x0), at = y * width + x;
      x < Math.min(width - 1, x1);
      x += 1, at += 1
    ) {
      if (strokes[at] !== 1) continue;
      const isInner =
        strokes[at - 1] === 1 &&
        strokes[at + 1] === 1 &&
        strokes[at - width] === 1 &&
        strokes[at + width] === 1;
      if (isInner) continue;
      perimeter += 1;
      const dx = data[at + 1]! - data[at - 1]!;
      const dy = data[at + width]! - data[at - width]!;
      if (dx === 0 && dy === 0) continue;
      edges += 1;
      const [small, large] = [
        Math.min(Math.abs(dx), Math.abs(dy)),
        Math.max(Math.abs(dx), Math.abs(dy)),
      ];
      if (small < axisSlope * large) onAxis += 1;
      const turn = Math.atan2(dy, dx) / Math.PI + 1;
      histogram[Math.floor((turn % 1) * directions) % directions]! += 1;
      xx += dx * dx;
      yy += dy * dy;
      xy += dx * dy;
    }
  }
  return {
    perimeter,
    axisShare: onAxis / Math.max(1, edges),
    coherence: Math.hypot(xx - yy, 2 * xy) / Math.max(1, xx + yy),
    histogram: histogram.map((count) => count / Math.max(1, edges)),
  };
}
