import {
  applyToBox,
  compose,
  invert,
  type Matrix,
  quarter,
  rotateAbout,
  turn,
} from '../../geometry.ts';
import type { Box } from '../../results.ts';
import { ascent, descent, maxLean } from '../measures.ts';
import type { LeaningWord, PageWord } from './word.ts';

/** A page rotated so that most of its lines are level. */
export type LevelPage = {
  words: PageWord[];
  /** Words in other directions, as displayed, such as stamps in the margin and labels of axes. */
  aside: LeaningWord[];
  width: number;
  height: number;
  /** The maps from the page as displayed to the level page, and back; null if both are the same. */
  toLevel: Matrix | null;
  toDisplay: Matrix | null;
};

function turnBetween(a: number, b: number): number {
  return Math.abs(((a - b + 540) % 360) - 180);
}

/** Returns the direction of most letters, in degrees. */
function mainAngle(words: readonly LeaningWord[]): number {
  const letters = new Map<number, number>();
  for (const { angle, text } of words) {
    letters.set(angle, (letters.get(angle) ?? 0) + text.length);
  }
  let main = 0;
  let max = 0;
  for (const angle of letters.keys()) {
    // Slightly different angles are counted together.
    let near = 0;
    for (const [other, count] of letters) {
      if (turnBetween(angle, other) <= maxLean / 2) near += count;
      if (letters.size > 720) break;
    }
    if (near > max) [main, max] = [angle, near];
  }
  return main;
}

/** Places words on the level page. Words in other directions are kept separately. */
export function turnLevel(
  words: readonly LeaningWord[],
  size: { width: number; height: number },
): LevelPage {
  const angle = mainAngle(words);
  const turned = quarter(angle);
  const swaps = turned % 180 !== 0;
  const width = swaps ? size.height : size.width;
  const height = swaps ? size.width : size.height;
  const lean = ((angle - turned + 540) % 360) - 180;
  let toLevel: Matrix | null = null;
  if (angle !== 0) {
    toLevel = compose(
      rotateAbout(width / 2, height / 2, -lean),
      turn(size.width, size.height, -turned),
    );
  }
  const level: PageWord[] = [];
  const aside: LeaningWord[] = [];
  for (const word of words) {
    if (turnBetween(word.angle, angle) > maxLean) aside.push(word);
    else level.push(toLevel ? placed(word, toLevel) : word);
  }
  return { words: level, aside, width, height, toLevel, toDisplay: toLevel && invert(toLevel) };
}

/** Returns a word at its position on the level page, given by the start of its baseline. */
function placed(word: LeaningWord, [a, b, c, d, e, f]: Matrix): PageWord {
  const [x0, , x1] = word.box;
  const x = a * x0 + c * word.base + e;
  const y = b * x0 + d * word.base + f;
  const { size } = word;
  return { ...word, box: [x, y - ascent * size, x + x1 - x0, y + descent * size], base: y };
}

/** Maps a box of the level page to the page as displayed. */
export function asDisplayed(page: Pick<LevelPage, 'toDisplay'>, box: Box): Box {
  return page.toDisplay ? applyToBox(page.toDisplay, box) : box;
}

/** Returns the position of a word in any direction, as displayed. */
export function placeOf(word: LeaningWord, size: { width: number; height: number }): Box {
  const page = turnLevel([word], size);
  return asDisplayed(page, page.words[0]?.box ?? word.box);
}
