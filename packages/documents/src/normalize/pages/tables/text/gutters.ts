import type { TableWord } from '../types.ts';
import { areSeparateTexts, type Line } from './lines.ts';

/** A horizontal stretch of a page. */
export type Stretch = { from: number; to: number };

/** The width of a bin, in points. */
const bin = 0.5;
const maxBins = 8_000;
/**
 * The minimum width of a gutter between separate texts, and the maximum share of lines without a
 * separation there.
 */
const minTextGutter = 0.2;
const maxJoinedShare = 0.1;

/**
 * Returns the words of a line on the left and right of a position; undefined without a word there.
 */
export function neighboursOf(
  words: readonly TableWord[],
  { words: own }: Line,
  x: number,
): [number | undefined, number | undefined] {
  let [low, high] = [0, own.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [x0 = 0, , x1 = 0] = words[own[middle] ?? -1]?.box ?? [];
    if ((x0 + x1) / 2 < x) low = middle + 1;
    else high = middle;
  }
  return [own[low - 1], own[low]];
}

/** Whether one text ends before a narrow gap and another begins after it, in nearly all lines. */
function isBetweenTexts(
  words: readonly TableWord[],
  lines: readonly Line[],
  gap: Stretch,
): boolean {
  let [lineCount, joinedCount] = [0, 0];
  for (const line of lines) {
    const [left, right] = neighboursOf(words, line, (gap.from + gap.to) / 2);
    if (left === undefined || right === undefined) continue;
    lineCount += 1;
    if (!areSeparateTexts(words, left, right)) joinedCount += 1;
  }
  return lineCount >= 3 && joinedCount <= maxJoinedShare * lineCount;
}

/** The minimum width of a gutter that words are aligned to. Spaces between words are narrower. */
const minAlignedGutter = 0.45;
/** The maximum distance of aligned words from their common edge, in points. */
const maxEdgeDistance = 0.6;

/**
 * Whether the words on one side of a narrow gap are aligned to it, in nearly all of several lines.
 */
function isAligned(words: readonly TableWord[], lines: readonly Line[], gap: Stretch): boolean {
  let [lineCount, endingAtGap, startingAtGap] = [0, 0, 0];
  for (const line of lines) {
    const [left, right] = neighboursOf(words, line, (gap.from + gap.to) / 2);
    const [end, start] = [words[left ?? -1]?.box[2], words[right ?? -1]?.box[0]];
    if (end === undefined || start === undefined) continue;
    lineCount += 1;
    if (gap.from - end < maxEdgeDistance) endingAtGap += 1;
    if (start - gap.to < maxEdgeDistance) startingAtGap += 1;
  }
  return lineCount >= 4 && Math.max(endingAtGap, startingAtGap) >= 0.9 * lineCount;
}

/** The number of lines with a word in each bin, from the leftmost word to the rightmost. */
type Cover = { from: number; covered: Int32Array };

/**
 * Counts the lines that cover each bin. Returns undefined if the width is zero or exceeds that of
 * any page.
 */
export function coverOf(words: readonly TableWord[], lines: readonly Line[]): Cover | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { words: own } of lines) {
    for (const index of own) {
      const box = words[index]?.box;
      if (box && box[0] < from) from = box[0];
      if (box && box[2] > to) to = box[2];
    }
  }
  const count = Math.ceil((to - from) / bin);
  if (!(count > 0) || count > maxBins) return undefined;
  const steps = new Int32Array(count + 2);
  for (const { words: own } of lines) {
    let lastBin = -1;
    for (const index of own) {
      const box = words[index]?.box;
      const first = Math.max(lastBin + 1, Math.floor(((box ? box[0] : 0) - from) / bin));
      const last = Math.min(count - 1, Math.ceil(((box ? box[2] : 0) - from) / bin) - 1);
      if (last < first) continue;
      steps[first] = (steps[first] ?? 0) + 1;
      steps[last + 1] = (steps[last + 1] ?? 0) - 1;
      lastBin = last;
    }
  }
  const covered = new Int32Array(count);
  let sum = 0;
  for (let at = 0; at < count; at += 1) {
    sum += steps[at] ?? 0;
    covered[at] = sum;
  }
  return { from, covered };
}

/**
 * Returns the horizontal stretches, at least `minWidth` wide, that contain words of at most
 * `maxLines` lines.
 */
export function findGutters(
  cover: Cover | undefined,
  maxLines: number,
  minWidth: number,
): Stretch[] {
  if (!cover) return [];
  const { from, covered } = cover;
  const count = covered.length;
  const found: Stretch[] = [];
  for (let at = 0; at < count; at += 1) {
    if ((covered[at] ?? 0) > maxLines) continue;
    let end = at;
    while (end + 1 < count && (covered[end + 1] ?? 0) <= maxLines) end += 1;
    const best = leastCovered(covered, at, end);
    const touchesEnd = at === 0 || end === count - 1;
    if (!touchesEnd && (best.to - best.from) * bin >= minWidth) {
      found.push({ from: from + best.from * bin, to: from + best.to * bin });
    }
    at = end;
  }
  return found;
}

/** Returns the longest of the stretches that are covered by the fewest lines. */
function leastCovered(covered: Int32Array, first: number, last: number): Stretch {
  let min = Number.POSITIVE_INFINITY;
  for (let at = first; at <= last; at += 1) min = Math.min(min, covered[at] ?? 0);
  let best: Stretch = { from: first, to: first };
  for (let at = first; at <= last; at += 1) {
    if ((covered[at] ?? 0) !== min) continue;
    let end = at;
    while (end + 1 <= last && covered[end + 1] === min) end += 1;
    if (end + 1 - at > best.to - best.from) best = { from: at, to: end + 1 };
    at = end;
  }
  return best;
}

/**
 * Returns the gutters of at least the usual width, and narrower ones that separate texts or have
 * words aligned to them.
 */
export function separatingGutters(
  words: readonly TableWord[],
  lines: readonly Line[],
  cover: Cover | undefined,
  maxLines: number,
  { least, size }: { least: number; size: number },
): Stretch[] {
  return findGutters(cover, maxLines, Math.min(least, minTextGutter * size)).filter((gap) => {
    const width = gap.to - gap.from;
    if (width >= least || isBetweenTexts(words, lines, gap)) return true;
    return width >= minAlignedGutter * size && isAligned(words, lines, gap);
  });
}
