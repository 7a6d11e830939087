import { area, grow, heightOf, hull, median, sharedArea, union, widthOf } from '../geometry.ts';
import type { Box } from '../results.ts';
import { boxMask } from './box-mask.ts';
import { type GreyRaster, type InkPiece, inkMap, piecesOf, transpose } from './components.ts';
import { halve, type InkAtScale, inkScalesOf } from './letters.ts';
import { PointGrid } from './point-grid.ts';
import { withoutRules } from './rules.ts';
import { eachRunInColumns, eachRunInRows } from './thin-runs.ts';
import { isThickWriting, isWriting, type Traits, traitsOf } from './traits.ts';

/** Maximum thickness of pen strokes, in pixels of each scale. */
const thickest = 8;
/** Maximum thickness of felt pen strokes, in pixels of a picture at half the size. */
const thickestHalved = 14;
/** Minimum side of a piece, and its minimum number of ink pixels. Smaller pieces are specks. */
const minSide = 6;
const minInk = 12;
/** Range of the height of a run of writing, and its minimum length, in pixels. */
const heights = [10, 100] as const;
const minLength = 24;
/** Maximum gap within a run, in heights of its pieces and in pixels. */
const widestGap = 1;
const maxGap = 40;
/**
 * Maximum ratio of the area of a box to the area of its pieces and their margins. A box with more
 * empty paper is split.
 */
const maxEmptyRatio = 2;
/** Minimum vertical overlap of two adjacent pieces, as a share of the height of the shorter one. */
const minLevel = 0.3;

/**
 * Minimum number of printed words for limiting the height of writing on a page, and the limit as a
 * multiple of the usual height of these words.
 */
const minPrint = 10;
const highestToPrint = 8;
/** Maximum share of a run that other runs may cover. Above it, the run repeats them. */
const maxShared = 0.4;

/** Returns a map of the thin strokes in the ink of a picture. */
function strokesOf(map: Uint8Array, { width, height }: GreyRaster, thickest: number): Uint8Array {
  const thin = new Uint8Array(map.length);
  const limits = { width, height, thickest };
  eachRunInRows(map, limits, (y, from, to) => thin.fill(1, y * width + from, y * width + to));
  eachRunInColumns(map, limits, (x, from, to) => {
    for (let y = from; y < to; y += 1) thin[y * width + x] = 1;
  });
  return thin;
}

const isPiece = (width: number, height: number, ink: number): boolean =>
  ink >= minInk && Math.max(width, height) >= minSide && height <= heights[1];

/** Groups adjacent pieces into runs. Returns the pieces of each run from left to right. */
function runsOf(pieces: readonly InkPiece[]): Box[][] {
  const sorted = [...pieces].sort((a, b) => a.x0 - b.x0);
  const parents = sorted.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root]!;
    parents[at] = root;
    return root;
  };
  const reach = Math.min(
    maxGap,
    sorted.reduce((max, { x0, x1 }) => Math.max(max, x1 - x0), 0),
  );
  const grid = new PointGrid(
    sorted.map(({ x0, y0, y1 }) => [x0, (y0 + y1) / 2]),
    heights[1],
  );
  sorted.forEach(({ x0, y0, x1, y1 }, at) => {
    const high = y1 - y0;
    // Pieces at the same height have their centre within half the maximum height.
    const margin = heights[1] / 2;
    grid.visitNear([x0, y0 - margin, x1 + reach, y1 + margin], (next) => {
      if (next <= at) return;
      const other = sorted[next]!;
      const otherHigh = other.y1 - other.y0;
      const gap = other.x0 - x1;
      if (gap > Math.min(reach, widestGap * Math.max(high, otherHigh))) return;
      const level = Math.min(y1, other.y1) - Math.max(y0, other.y0);
      if (level < minLevel * Math.min(high, otherHigh)) return;
      parents[rootOf(next)] = rootOf(at);
    });
  });
  const runs = new Map<number, Box[]>();
  sorted.forEach(({ x0, y0, x1, y1 }, at) => {
    const root = rootOf(at);
    const run = runs.get(root);
    if (run) run.push([x0, y0, x1, y1]);
    else runs.set(root, [[x0, y0, x1, y1]]);
  });
  return [...runs.values()];
}

/**
 * Returns boxes that contain all pieces of a run and little else. A run may consist of writing and
 * of specks far above it, or follow the slanted edge of a sheet.
 */
function partsOf(pieces: readonly Box[]): Box[] {
  const thickness = median(pieces.map((piece) => Math.min(widthOf(piece), heightOf(piece))));
  const margin = Math.min(maxGap, Math.max(minSide, thickness)) / 2;
  const parts: { box: Box; inked: number }[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    const box = last ? union(last.box, piece) : piece;
    const inked = (last?.inked ?? 0) + area(grow(piece, margin));
    if (last && area(box) <= maxEmptyRatio * inked) parts[parts.length - 1] = { box, inked };
    else parts.push({ box: piece, inked: area(grow(piece, margin)) });
  }
  return parts.map(({ box }) => box);
}

/** The traits of a run and of its parts. */
type Run = Traits & { parts: Traits[] };

/** Returns the runs of strokes of a picture from left to right, with their traits. */
function runsAlong(strokes: GreyRaster, picture: GreyRaster): Run[] {
  const pieces = piecesOf(strokes.data, picture, 1, isPiece);
  return runsOf(pieces).flatMap((run): Run[] => {
    const box = hull(run);
    const traits = box && traitsOf(strokes.data, picture, box);
    if (!traits || !isWordSized(traits)) return [];
    return [
      { ...traits, parts: partsOf(run).map((part) => traitsOf(strokes.data, picture, part)) },
    ];
  });
}

/** Returns the runs of strokes outside the known boxes at one scale, in pixels of that scale. */
function runsAt(
  { factor, picture, map }: InkAtScale,
  isKnown: (x: number, y: number) => boolean,
  max = thickest,
): Run[] {
  const strokes = strokesOf(map, picture, max);
  const { width, height } = picture;
  const half = factor >> 1;
  let remaining = 0;
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if (strokes[at] === 0) continue;
      if (isKnown(x * factor + half, y * factor + half)) strokes[at] = 0;
      else remaining += 1;
    }
  }
  // Fewer pixels do not form a piece.
  if (remaining < minInk) return [];
  const level = { data: strokes, width, height };
  const upright = runsAlong(transpose(level), transpose(picture));
  return [
    ...runsAlong(level, picture),
    ...upright.map((run): Run => ({ ...turnTraits(run), parts: run.parts.map(turnTraits) })),
  ];
}

/**
 * Returns the maximum height of a run of writing on a page with these printed words. Charts and
 * photographs are higher.
 */
function highestBeside(print: readonly Box[]): number {
  if (print.length < minPrint) return Number.POSITIVE_INFINITY;
  const high = median(print.map((box) => Math.min(widthOf(box), heightOf(box))));
  return Math.max(heights[1], highestToPrint * high);
}

/** Returns the traits of a run that was measured with rows and columns exchanged. */
const turnTraits = ({ box: [x0, y0, x1, y1], ...traits }: Traits): Traits => ({
  ...traits,
  isUpright: true,
  box: [y0, x0, y1, x1],
});

/** Whether a run or part is large enough for a word. */
const isWordSized = ({ length, height }: Traits): boolean =>
  length >= minLength && height >= heights[0];

/**
 * Returns the parts of a run that are writing. Words and rules above each other form upright runs
 * that are not writing; if no part is, the run as a whole was.
 */
function partsOfWriting(
  parts: readonly Traits[],
  isUpright: boolean,
  isOne: (traits: Traits) => boolean,
): readonly Traits[] {
  if (!isUpright) return parts;
  const own = parts.filter((part) => isWordSized(part) && isOne(part));
  return own.length > 0 ? own : parts;
}

const scaledBox = ([x0, y0, x1, y1]: Box, by: number): Box => [x0 * by, y0 * by, x1 * by, y1 * by];

/**
 * Finds apparent writing outside the known boxes of a picture of about 150 dpi: adjacent strokes of
 * a pen or of print that are not rules, in any hand or script, level or upright. A single word is
 * sufficient.
 * @param scales the ink of the picture at each scale
 */
export function unreadWriting(
  picture: GreyRaster,
  known: readonly Box[],
  scales: readonly InkAtScale[] = inkScalesOf(picture),
): Box[] {
  const isKnown = boxMask(picture, known);
  const highest = highestBeside(known);
  const plain = withoutRules(picture);
  const plainScales = plain === picture ? scales : inkScalesOf(plain);
  const found = plainScales.map((scale) => ({
    factor: scale.factor,
    runs: runsAt(scale, isKnown),
  }));
  const half = halve(plain);
  const inkOfHalf = { ...half, map: inkMap(half.picture) };
  const thick = { factor: half.factor, runs: runsAt(inkOfHalf, isKnown, thickestHalved) };
  const runsThat = (
    isOne: (traits: Traits) => boolean,
    among: readonly { factor: number; runs: readonly Run[] }[],
  ): { isUpright: boolean; parts: Box[] }[] =>
    among
      .flatMap(({ factor, runs }) =>
        runs
          .filter((run) => isOne(run) && run.height * factor <= highest)
          .map(({ parts, isUpright }) => ({
            isUpright,
            parts: partsOfWriting(parts, isUpright, isOne).map(({ box }) => scaledBox(box, factor)),
          })),
      )
      .sort((a, b) => Number(a.isUpright) - Number(b.isUpright));
  const runs = [...runsThat(isWriting, found), ...runsThat(isThickWriting, [thick])];
  // Level runs of pen strokes at the finest scale come first. Later runs that mostly repeat them,
  // such as vertical runs across several lines, are omitted.
  const kept: Box[] = [];
  for (const { parts } of runs) {
    const all = parts.reduce((sum, part) => sum + area(part), 0);
    const shared = parts.reduce(
      (sum, part) => sum + kept.reduce((within, other) => within + sharedArea(part, other), 0),
      0,
    );
    if (shared <= maxShared * all) kept.push(...parts);
  }
  return kept;
}
