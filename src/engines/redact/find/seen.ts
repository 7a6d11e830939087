import { heightOf, median, quarter, widthOf } from '../../geometry.ts';
import type { Fragment } from '../../model/fragments.ts';
import { isSure } from '../../ocr/own-means.ts';

/** The widest gap between words of print, in heights of the words: what is written into a form stands apart. */
const widestGap = 0.8;
/** In a justified line gaps may be wider, but are all alike: so many times as wide as most, of so many. */
const widerThanUsual = 1.6;
const leastGaps = 5;
/** Words side by side with a lower mean confidence may be what the recogniser makes of handwriting. */
const leastMean = 0.75;
/** Words of this confidence may count as read wherever they stand, as a label in print beside what is written. */
const verySure = 0.85;
/** Fewer words side by side are not enough to judge one by the others. */
const leastWords = 3;
/** An unsure word of print is as high as the sure ones beside it. */
const sameHeight = [0.7, 1.4] as const;

/** Words that count as read among those beside them, and words that do if they are print. */
export interface ReadWords {
  sure: Fragment[];
  alone: Fragment[];
}

/**
 * The recognised words that count as read. The recogniser is now and then sure of a word that it makes of
 * handwriting, and unsure of one in print: so words are judged with those beside them. Of those that stand
 * `alone` their confidence says too little.
 */
export function wordsRead(recognised: readonly Fragment[]): ReadWords {
  const lines = new Map<number, Fragment[]>();
  for (const word of recognised) {
    const line = lines.get(word.run);
    if (line) line.push(word);
    else lines.set(word.run, [word]);
  }
  const read: ReadWords = { sure: [], alone: [] };
  for (const words of [...lines.values()].flatMap(besideEachOther)) {
    if (words.length < leastWords || meanOf(words) < leastMean) {
      read.alone.push(...words.filter((word) => isSure(word) && word.confidence >= verySure));
    } else read.sure.push(...readAmong(words));
  }
  return read;
}

/** The words of a line in groups without wide gaps. */
function besideEachOther(line: readonly Fragment[]): Fragment[][] {
  const sorted = [...line].sort((a, b) => extentOf(a)[0] - extentOf(b)[0]);
  const gaps = sorted.slice(1).map((word, at) => extentOf(word)[0] - extentOf(sorted[at]!)[1]);
  const usual = gaps.length < leastGaps ? 0 : median(gaps);
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

/** The mean confidence of letters and digits. */
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

/** The side of a word across its line. */
const thickness = (word: Fragment): number =>
  isLevel(word) ? heightOf(word.box) : widthOf(word.box);

/** Where a word begins and ends along its line. */
const extentOf = (word: Fragment): [number, number] => {
  const [x0, y0, x1, y1] = word.box;
  return isLevel(word) ? [x0, x1] : [y0, y1];
};
