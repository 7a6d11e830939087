import {
  angleBetween,
  applyToBox,
  compose,
  invert,
  type Matrix,
  nearestQuarter,
  rotateAbout,
  turn,
} from '../../geometry.ts';
import type { Box } from '../../results.ts';
import { ascent, descent, maxSkew } from '../measures.ts';
import type { AngledWord, PageWord } from './word.ts';

/** A page rotated so that most of its lines are level. */
export type LevelPage = {
  words: PageWord[];
  /** Words in other directions, as displayed, such as stamps in the margin and labels of axes. */
  rotatedWords: AngledWord[];
  width: number;
  height: number;
  /** The maps from the page as displayed to the level page, and back; null if both are the same. */
  toLevel: Matrix | null;
  toDisplay: Matrix | null;
};

/** Returns the direction of most letters, in degrees. */
function mainAngle(words: readonly AngledWord[]): number {
  const letters = new Map<number, number>();
  for (const { angle, text } of words) {
    letters.set(angle, (letters.get(angle) ?? 0) + text.length);
  }
  let main = 0;
  let max = 0;
  for (const angle of letters.keys()) {
    // Slightly different angles are counted together.
    let nearbyCount = 0;
    for (const [other, count] of letters) {
      if (angleBetween(angle, other) <= maxSkew / 2) nearbyCount += count;
      if (letters.size > 720) break;
    }
    if (nearbyCount > max) [main, max] = [angle, nearbyCount];
  }
  return main;
}

/** Rotates words to the level page. Words in other directions are returned separately. */
export function toLevelPage(
  words: readonly AngledWord[],
  size: { width: number; height: number },
): LevelPage {
  const angle = mainAngle(words);
  const quarterTurn = nearestQuarter(angle);
  const isSideways = quarterTurn % 180 !== 0;
  const width = isSideways ? size.height : size.width;
  const height = isSideways ? size.width : size.height;
  const skew = ((angle - quarterTurn + 540) % 360) - 180;
  let toLevel: Matrix | null = null;
  if (angle !== 0) {
    toLevel = compose(
      rotateAbout(width / 2, height / 2, -skew),
      turn(size.width, size.height, -quarterTurn),
    );
  }
  const levelWords: PageWord[] = [];
  const rotatedWords: AngledWord[] = [];
  for (const word of words) {
    if (angleBetween(word.angle, angle) > maxSkew) rotatedWords.push(word);
    else levelWords.push(toLevel ? toLevelWord(word, toLevel) : word);
  }
  return {
    words: levelWords,
    rotatedWords,
    width,
    height,
    toLevel,
    toDisplay: toLevel && invert(toLevel),
  };
}

/** Returns a word at its position on the level page, given by the start of its baseline. */
function toLevelWord(word: AngledWord, [a, b, c, d, e, f]: Matrix): PageWord {
  const [x0, , x1] = word.box;
  const x = a * x0 + c * word.base + e;
  const y = b * x0 + d * word.base + f;
  const { size } = word;
  return { ...word, box: [x, y - ascent * size, x + x1 - x0, y + descent * size], base: y };
}

/** Maps a box of the level page to the page as displayed. */
export function toDisplayBox(page: Pick<LevelPage, 'toDisplay'>, box: Box): Box {
  return page.toDisplay ? applyToBox(page.toDisplay, box) : box;
}

/** Returns the position of a word in any direction, as displayed. */
export function displayBoxOf(word: AngledWord, size: { width: number; height: number }): Box {
  const page = toLevelPage([word], size);
  return toDisplayBox(page, page.words[0]?.box ?? word.box);
}
