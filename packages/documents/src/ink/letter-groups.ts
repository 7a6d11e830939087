import type { GreyRaster } from './components.ts';

/**
 * Slants at which letters are compared, as a share of their height. Print is upright, and italics
 * lean to the right.
 */
const slants = [-0.15, -0.075, 0, 0.075, 0.15, 0.225, 0.3, 0.375] as const;
/** Tone above which a pixel counts as ink, on a scale from paper (0) to ink (1). */
const inkThreshold = 0.5;
/**
 * Minimum ink in a column, as a share of the stroke width. Below it, adjacent letters touch only
 * because of blur.
 */
const minColumnInk = 0.5;
/** Minimum shares of a word's box that must be paper and ink. */
const minPaperShare = 0.4;
const minInkShare = 0.03;

/**
 * Returns the tones of the paper and the ink of a word that fills its picture. Either may be the
 * darker one.
 */
export function paperAndInk({ data }: GreyRaster): { paper: number; ink: number } {
  const sorted = Uint8Array.from(data).sort();
  const quantile = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [low, middle, high] = [quantile(minInkShare), quantile(0.5), quantile(1 - minInkShare)];
  return middle - low >= high - middle
    ? { paper: quantile(1 - minPaperShare), ink: low }
    : { paper: quantile(minPaperShare), ink: high };
}

/**
 * Measures how clearly the letters of a level word are separated; the word fills its picture.
 * Returns the number of groups that do not touch, at the slant with the most groups, and the width
 * of the widest group, in pixels. Letters are separate in print that is not small. In handwriting,
 * they are joined or overlap.
 */
export function measureLetterGroups(word: GreyRaster): { groups: number; widest: number } {
  const { data, width, height } = word;
  const { paper, ink } = paperAndInk(word);
  const isInk = (at: number): boolean => (paper - data[at]!) / (paper - ink || 1) > inkThreshold;
  const inked: [x: number, y: number][] = [];
  let edges = 0;
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const own = isInk(at);
      if (own) inked.push([x, y]);
      if (x + 1 < width && own !== isInk(at + 1)) edges += 1;
      if (y + 1 < height && own !== isInk(at + width)) edges += 1;
    }
  }
  const stroke = (2 * inked.length) / Math.max(1, edges);
  let best = { groups: 0, widest: 0 };
  for (const slant of slants) {
    const columns = new Uint16Array(width + 2 * height);
    for (const [x, y] of inked) columns[Math.round(x + (y - height / 2) * slant) + height]! += 1;
    const found = groupsOf(columns, minColumnInk * stroke);
    const isBetter =
      found.groups > best.groups || (found.groups === best.groups && found.widest < best.widest);
    if (isBetter) best = found;
  }
  return best;
}

/**
 * Returns the number of groups of adjacent columns with more ink than `maxInk`, and the width of the
 * widest.
 */
function groupsOf(columns: Uint16Array, maxInk: number): { groups: number; widest: number } {
  let [groups, widest, from] = [0, 0, -1];
  columns.forEach((count, x) => {
    if (count <= maxInk) {
      from = -1;
      return;
    }
    if (from < 0) {
      from = x;
      groups += 1;
    }
    widest = Math.max(widest, x + 1 - from);
  });
  return { groups, widest };
}
