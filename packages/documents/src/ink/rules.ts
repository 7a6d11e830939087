import { type GreyRaster, inkMap } from './components.ts';
import { oncePerPicture } from './per-picture.ts';
import { eachRunInColumns, eachRunInRows } from './thin-runs.ts';

/** Maximum thickness of a rule, in pixels. */
const maxThickness = 7;
/**
 * Width of the blurred edge of a rule, and the distance from the rule at which the tone of the paper
 * is sampled, in pixels.
 */
const blurWidth = 2;
const paperOffset = 4;
/**
 * Minimum length over which a rule must be straight, in pixels. Print and handwriting are never
 * straight over such a length.
 */
const minStraightLength = 100;
/**
 * Maximum distance between a rule and its fitted line, in pixels. Leaning lines are drawn in steps.
 */
const maxDeviation = 2;
/**
 * Maximum share of a rule that may be further away from its line, and the minimum share that must
 * be present.
 */
const maxDeviatingShare = 0.1;
const minPresentShare = 0.6;
/**
 * Minimum length of a rule between two other rules, such as the side of a cell, and the maximum
 * distance of its ends from them, in pixels. Strokes of letters that fill a row come as close to
 * them, but lean or are interrupted.
 */
const minSideLength = 24;
const maxEndDistance = 3;
const maxSideSlope = 0.1;
const minSidePresentShare = 0.9;
/** Maximum gap in a rule where letters cross it, in pixels. */
const maxCrossingGap = 12;
/** Maximum sideways offset between adjacent pixels of a rule, in pixels. */
const maxStep = 2;

/**
 * A cross-section of a possible rule: its position along the rule, and its first and last pixel
 * across the rule.
 */
type CrossSection = { along: number; from: number; to: number };

/** Describes how to traverse a map: along rows or along columns. */
type Walk = { length: number; breadth: number; along: number; across: number };

/**
 * Removes level and upright rules from a picture, including rules that lean or bend slightly. Their
 * pixels get the tone of the paper beside them. Strokes that cross a rule remain, because the ink
 * is thicker there. Returns the picture itself if it has no rules.
 */
export const withoutRules = oncePerPicture((picture) => removeRules(picture, false));

/** As `withoutRules`, but short rules between two others remain, such as the sides of a cell. */
export const withoutLongRules = <Picture extends GreyRaster>(picture: Picture): Picture =>
  removeRules(picture, true);

function removeRules<Picture extends GreyRaster>(picture: Picture, keepsSides: boolean): Picture {
  const { width, height } = picture;
  const map = inkMap(picture);
  const columns: Walk = { length: width, breadth: height, along: 1, across: width };
  const rows: Walk = { length: height, breadth: width, along: width, across: 1 };
  const found = [
    { walk: columns, lines: linesAlong(thinRunsByColumn(map, picture), height) },
    { walk: rows, lines: linesAlong(thinRunsByRow(map, picture), width) },
  ].map(({ walk, lines }) => ({ walk, lines, rules: lines.flatMap(straightRules) }));
  // Short sides meet rules.
  if (found.every(({ rules }) => rules.length === 0)) return picture;
  const data = new Uint8Array(picture.data);
  const ruled = new Uint8Array(map.length);
  const remove = (walk: Walk, sections: readonly CrossSection[]): void => {
    for (const { along, from, to } of sections) {
      const toneAt = (at: number): number =>
        picture.data[
          along * walk.along + Math.min(walk.breadth - 1, Math.max(0, at)) * walk.across
        ]!;
      const paper = (toneAt(from - paperOffset) + toneAt(to - 1 + paperOffset)) / 2;
      for (let at = from - blurWidth; at < to + blurWidth; at += 1) {
        if (at < 0 || at >= walk.breadth) continue;
        data[along * walk.along + at * walk.across] = paper;
        ruled[along * walk.along + at * walk.across] = 1;
      }
    }
  };
  for (const { walk, rules } of found) remove(walk, rules);
  // All are found before any is removed, because a side does not end at another side.
  const sides = keepsSides
    ? []
    : found.map(({ walk, lines }) => ({
        walk,
        sections: lines.filter((line) => isSide(line, walk, ruled)).flat(),
      }));
  for (const { walk, sections } of sides) remove(walk, sections);
  return { ...picture, data };
}

/** Returns the parts of a line that are long and straight. */
function straightRules(line: readonly CrossSection[]): CrossSection[] {
  return line.length >= minStraightLength * minPresentShare ? straightParts(line) : [];
}

/** Whether a short line is straight and runs from one rule to another. */
function isSide(line: readonly CrossSection[], walk: Walk, ruled: Uint8Array): boolean {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last) return false;
  const length = last.along - first.along + 1;
  if (length < minSideLength || length >= minStraightLength) return false;
  // A rule may end a few pixels before the corner of a frame.
  const meetsRule = ({ along, from, to }: CrossSection, step: 1 | -1): boolean => {
    for (let off = 1; off <= maxEndDistance; off += 1) {
      const next = along + off * step;
      if (next < 0 || next >= walk.length) return false;
      const start = Math.max(0, from - maxEndDistance);
      const end = Math.min(walk.breadth, to + maxEndDistance);
      for (let at = start; at < end; at += 1)
        if (ruled[next * walk.along + at * walk.across] === 1) return true;
    }
    return false;
  };
  return (
    meetsRule(first, -1) &&
    meetsRule(last, 1) &&
    followsLine(line, minSidePresentShare, maxSideSlope)
  );
}

/**
 * A run of dark ink across a possible rule, at a position along it. The number of the position, the
 * first pixel, and the end, which is exclusive.
 */
type Run = readonly [step: number, from: number, to: number];

/** Returns the thin level runs of a map, row by row. */
function thinRunsByRow(map: Uint8Array, { width, height }: GreyRaster): Run[] {
  const runs: Run[] = [];
  const limits = { width, height, thickest: maxThickness };
  eachRunInRows(map, limits, (...run) => void runs.push(run));
  return runs;
}

/** Returns the thin upright runs of a map, column by column. */
function thinRunsByColumn(map: Uint8Array, { width, height }: GreyRaster): Run[] {
  const columns: Run[][] = Array.from({ length: width }, () => []);
  const limits = { width, height, thickest: maxThickness };
  eachRunInColumns(map, limits, (...run) => void columns[run[0]]?.push(run));
  return columns.flat();
}

/** Returns the cross-sections of all lines, straight or not, that run in one direction. */
function linesAlong(runs: readonly Run[], breadth: number): CrossSection[][] {
  const openLines: CrossSection[][] = [];
  /** The last open line at each position across, or -1. */
  const owners = new Int32Array(breadth).fill(-1);
  for (const [along, from, to] of runs) {
    const middle = (from + to) >> 1;
    const section = { along, from, to };
    const owner = ownerNear(owners, openLines, middle, along);
    if (owner < 0) {
      owners[middle] = openLines.length;
      openLines.push([section]);
    } else {
      owners[middle] = owner;
      openLines[owner]?.push(section);
    }
  }
  return openLines;
}

function ownerNear(
  owners: Int32Array,
  openLines: readonly CrossSection[][],
  middle: number,
  step: number,
): number {
  for (let off = 0; off <= maxStep; off += 1) {
    for (const at of [middle - off, middle + off]) {
      const owner = owners[at] ?? -1;
      const last = owner < 0 ? undefined : openLines[owner]?.at(-1);
      if (last && last.along < step && step - last.along <= maxCrossingGap) return owner;
    }
  }
  return -1;
}

/** Returns the straight parts of a line. */
function straightParts(line: readonly CrossSection[]): CrossSection[] {
  const straightSections = new Set<CrossSection>();
  let from = 0;
  while (from < line.length) {
    const first = line[from];
    let to = from;
    while (to < line.length && line[to]!.along < first!.along + minStraightLength) to += 1;
    // The last part overlaps the previous one, because all parts have the same length.
    const start = to === line.length ? startOfLast(line, minStraightLength) : from;
    const part = line.slice(start, to);
    if (isStraight(part)) for (const place of part) straightSections.add(place);
    from = Math.max(to, from + 1);
  }
  return [...straightSections];
}

/** Returns the start of the last `length` pixels of a line. */
function startOfLast(line: readonly CrossSection[], length: number): number {
  const end = line.at(-1)?.along ?? 0;
  return line.findIndex(({ along }) => along > end - length);
}

function isStraight(part: readonly CrossSection[]): boolean {
  const first = part[0];
  const last = part.at(-1);
  if (!first || !last) return false;
  const length = last.along - first.along + 1;
  return length >= minStraightLength * 0.9 && followsLine(part);
}

/** Whether most of a line is present and close to a straight line. */
function followsLine(
  part: readonly CrossSection[],
  minShare = minPresentShare,
  maxSlope = Number.POSITIVE_INFINITY,
): boolean {
  const n = part.length;
  const length = (part.at(-1)?.along ?? 0) - (part[0]?.along ?? 0) + 1;
  if (n < minShare * length) return false;
  const middleOf = ({ from, to }: CrossSection): number => (from + to) / 2;
  const meanX = part.reduce((sum, { along }) => sum + along, 0) / n;
  const meanY = part.reduce((sum, place) => sum + middleOf(place), 0) / n;
  let [product, square] = [0, 0];
  for (const place of part) {
    product += (place.along - meanX) * (middleOf(place) - meanY);
    square += (place.along - meanX) ** 2;
  }
  const slope = product / square;
  if (Math.abs(slope) > maxSlope) return false;
  const deviating = part.filter(
    (place) => Math.abs(middleOf(place) - meanY - slope * (place.along - meanX)) > maxDeviation,
  );
  return deviating.length <= maxDeviatingShare * n;
}
