import { heightOf, median, quarter, widthOf } from '../../geometry.ts';
import type { Fragment } from '../../model/fragments.ts';
import { isSure } from '../../ocr/own-means.ts';

/** Maximum gap between printed words, in word heights. Text written into a form is further away. */
const widestGap = 0.8;
/**
 * Minimum ratio of a wide gap to the usual gap of a line, and the minimum number of gaps for
 * computing the usual gap. In justified lines, all gaps are equally wide.
 */
const widerThanUsual = 1.6;
const minGaps = 5;
/** Minimum mean confidence of adjacent words. Below it, they may be misread handwriting. */
const minMean = 0.75;
/**
 * Minimum confidence for words that may count as read anywhere, such as a printed label beside
 * handwriting.
 */
const verySure = 0.85;
/** Minimum number of adjacent words for judging each word by the others. */
const minWords = 3;
/** Range of the height of an uncertain printed word, relative to the confident words beside it. */
const sameHeight = [0.7, 1.4] as const;

/**
 * Words that count as read because of their neighbours (`sure`), and words that count as read only
 * if they are print (`alone`).
 */
export interface ReadWords {
  sure: Fragment[];
  alone: Fragment[];
}

/**
 * Returns the recognised words that count as read. The recogniser is sometimes confident about
 * misread handwriting and uncertain about print, so words are judged together with their
 * neighbours. For words that are `alone`, confidence is not sufficient.
 */
export function wordsRead(recognised: readonly Fragment[]): ReadWords {
  const lines = new Map<number, Fragment[]>();
  for (const word of recognised) {
    const line = lines.get(word.run);
    if (line) line.push(word);
    else lines.set(word.run, [word]);
  }
  const read: ReadWords = { sure: [], alone: [] };
  const usual = usualDirection(recognised);
  for (const words of [...lines.values()].flatMap(besideEachOther)) {
    if (words.length < minWords || meanOf(words) < minMean) {
      // A line across the others may have been read upside down.
      if (quarter(words[0]!.angle) !== usual && meanOf(words) < verySure) continue;
      read.alone.push(...words.filter((word) => isSure(word) && word.confidence >= verySure));
    } else read.sure.push(...readAmong(words));
  }
  return read;
}

/** Returns the direction of most words. */
function usualDirection(words: readonly Fragment[]): number {
  const counts = new Map<number, number>();
  for (const { angle } of words) counts.set(quarter(angle), (counts.get(quarter(angle)) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

/** Splits the words of a line at wide gaps. */
function besideEachOther(line: readonly Fragment[]): Fragment[][] {
  const sorted = [...line].sort((a, b) => extentOf(a)[0] - extentOf(b)[0]);
  const gaps = sorted.slice(1).map((word, at) => extentOf(word)[0] - extentOf(sorted[at]!)[1]);
  const usual = gaps.length < minGaps ? 0 : median(gaps);
  const widest = Math.max(widestGap * median(sorted.map(thickness)), widerThanUsual * usual);
  const groups: Fragment[][] = [];
  sorted.forEach((word, at) => {
    const group = groups.at(-1);
    if (group && gaps[at - 1]! <= widest) group.push(word);
    else groups.push([word]);
  });
  return groups;
}

function readAmong(words: readonly Fragment[]): Fragment[] {
  const high = median(words.filter(isSure).map(thickness));
  return words.filter((word) => {
    const own = thickness(word);
    return isSure(word) || (own >= sameHeight[0] * high && own <= sameHeight[1] * high);
  });
}

/** Returns the mean confidence of the letters and digits of words. */
function meanOf(words: readonly Fragment[]): number {
  let [sum, count] = [0, 0];
  for (const { text, confidence } of words) {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    sum += letters * confidence;
    count += letters;
  }
  return count === 0 ? 0 : sum / count;
}

const isLevel = ({ angle }: Fragment): boolean => quarter(angle) % 180 === 0;

/** Returns the extent of a word across its line. */
const thickness = (word: Fragment): number =>
  isLevel(word) ? heightOf(word.box) : widthOf(word.box);

/** Returns the start and end of a word along its line. */
const extentOf = (word: Fragment): [number, number] => {
  const [x0, y0, x1, y1] = word.box;
  return isLevel(word) ? [x0, x1] : [y0, y1];
};
