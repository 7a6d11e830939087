import { heightOf, median, nearestQuarter, widthOf } from '../../geometry.ts';
import type { Fragment } from '../../model/fragments.ts';
import { isSure } from '../../ocr/trusted-recognition.ts';

/** Maximum gap between printed words, in word heights. Text written into a form is further away. */
const maxGap = 0.8;
/**
 * Minimum ratio of a wide gap to the usual gap of a line, and the minimum number of gaps for
 * computing the usual gap. In justified lines, all gaps are equally wide.
 */
const minWideGapRatio = 1.6;
const minGaps = 5;
/** Minimum mean confidence of adjacent words. Below it, they may be misread handwriting. */
const minMeanConfidence = 0.75;
/**
 * Minimum confidence for words that may count as read anywhere, such as a printed label beside
 * handwriting.
 */
const minIsolatedConfidence = 0.85;
/** Minimum number of adjacent words for judging each word by the others. */
const minWords = 3;
/** Range of the height of an uncertain printed word, relative to the confident words beside it. */
const heightRange = [0.7, 1.4] as const;

/**
 * Words that count as read because of their neighbours (`sure`), and words that count as read only
 * if they are print (`isolated`).
 */
export interface ReadWords {
  sure: Fragment[];
  alone: Fragment[];
}

/**
 * Returns the recognised words that count as read. The recogniser is sometimes confident about
 * misread handwriting and uncertain about print, so words are judged together with their
 * neighbours. For `isolated` words, confidence is not sufficient.
 */
export function selectReadWords(recognised: readonly Fragment[]): ReadWords {
  const lines = new Map<number, Fragment[]>();
  for (const word of recognised) {
    const line = lines.get(word.run);
    if (line) line.push(word);
    else lines.set(word.run, [word]);
  }
  const read: ReadWords = { sure: [], alone: [] };
  const usual = usualDirection(recognised);
  for (const words of [...lines.values()].flatMap(splitAtGaps)) {
    if (words.length < minWords || meanConfidence(words) < minMeanConfidence) {
      // A line across the others may have been read upside down.
      if (
        nearestQuarter(words[0]!.angle) !== usual &&
        meanConfidence(words) < minIsolatedConfidence
      )
        continue;
      read.alone.push(
        ...words.filter((word) => isSure(word) && word.confidence >= minIsolatedConfidence),
      );
    } else read.sure.push(...plausibleWords(words));
  }
  return read;
}

/** Returns the direction of most words. */
function usualDirection(words: readonly Fragment[]): number {
  const counts = new Map<number, number>();
  for (const { angle } of words)
    counts.set(nearestQuarter(angle), (counts.get(nearestQuarter(angle)) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

/** Splits the words of a line at wide gaps. */
function splitAtGaps(line: readonly Fragment[]): Fragment[][] {
  const sorted = [...line].sort((a, b) => extentAlong(a)[0] - extentAlong(b)[0]);
  const gaps = sorted
    .slice(1)
    .map((word, at) => extentAlong(word)[0] - extentAlong(sorted[at]!)[1]);
  const usualGap = gaps.length < minGaps ? 0 : median(gaps);
  const widest = Math.max(maxGap * median(sorted.map(extentAcross)), minWideGapRatio * usualGap);
  const groups: Fragment[][] = [];
  sorted.forEach((word, at) => {
    const group = groups.at(-1);
    if (group && gaps[at - 1]! <= widest) group.push(word);
    else groups.push([word]);
  });
  return groups;
}

function plausibleWords(words: readonly Fragment[]): Fragment[] {
  const height = median(words.filter(isSure).map(extentAcross));
  return words.filter((word) => {
    const wordHeight = extentAcross(word);
    return (
      isSure(word) ||
      (wordHeight >= heightRange[0] * height && wordHeight <= heightRange[1] * height)
    );
  });
}

/** Returns the mean confidence of the letters and digits of words. */
function meanConfidence(words: readonly Fragment[]): number {
  let [sum, count] = [0, 0];
  for (const { text, confidence } of words) {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    sum += letters * confidence;
    count += letters;
  }
  return count === 0 ? 0 : sum / count;
}

const isLevel = ({ angle }: Fragment): boolean => nearestQuarter(angle) % 180 === 0;

/** Returns the extent of a word across its line. */
const extentAcross = (word: Fragment): number =>
  isLevel(word) ? heightOf(word.box) : widthOf(word.box);

/** Returns the start and end of a word along its line. */
const extentAlong = (word: Fragment): [number, number] => {
  const [x0, y0, x1, y1] = word.box;
  return isLevel(word) ? [x0, x1] : [y0, y1];
};
