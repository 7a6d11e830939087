import { hasRightToLeftLetters } from '../../../model/direction.ts';
import { type LayoutLine, textOf } from '../layout.ts';
import type { TextBlock } from './block-draft.ts';

/** The maximum ratio of a word's width to the width that its share of the letters implies. */
const maxWidthRatio = 1.25;
/** The minimum share of lines that end early. A block with fewer is running text. */
const minShare = 0.5;
/**
 * The minimum space that a deliberately ended line of running text leaves, as a share of the widest
 * line.
 */
const minEarlySpace = 0.2;

/**
 * Returns the width that the first word of a line, with a space, needs at the end of the line
 * above.
 */
function neededWidth(line: LayoutLine): number {
  const text = textOf(line).trimStart();
  const word = /^\S+/.exec(text)?.[0] ?? '';
  const letter = (line.box[2] - line.box[0]) / Math.max(1, text.length);
  return maxWidthRatio * letter * (word.length + 1) + 0.5 * line.size;
}

/**
 * Whether lines have a common centre and different starts. There is then space on both sides of a
 * line.
 */
function isCentred(lines: readonly LayoutLine[], size: number): boolean {
  const middles = lines.map(({ box }) => box[0] + box[2]);
  const starts = lines.map(({ box }) => box[0]);
  return (
    Math.max(...middles) - Math.min(...middles) < size &&
    Math.max(...starts) - Math.min(...starts) > size
  );
}

/**
 * Returns, for each line of a block except the last, whether it ends although the next word would
 * have fitted. Such lines are separate, like the lines of an address.
 */
export function earlyLineEnds({ lines, column }: TextBlock): boolean[] {
  const [first] = lines;
  const noEnds = lines.slice(1).map(() => false);
  // The width of words cannot be estimated in scripts whose letters join or are equally wide.
  if (!first || lines.length < 2 || lines.some((line) => hasRightToLeftLetters(textOf(line))))
    return noEnds;
  if (lines.some((line) => /[\p{Script=Han}\p{Script=Kana}\p{Script=Thai}]/u.test(textOf(line))))
    return noEnds;
  const areCentred = isCentred(lines, first.size);
  const extents = lines.map(({ box }) => (areCentred ? box[2] - box[0] : box[2]));
  const widest = Math.max(...extents);
  const left = areCentred ? 0 : Math.min(...lines.map(({ box }) => box[0]));
  const findEarlyEnds = (width: number): boolean[] =>
    lines.slice(1).map((line, at) => width - (extents[at] ?? width) > neededWidth(line));
  const ends = findEarlyEnds(widest);
  const share = ends.filter((end) => end).length / ends.length;
  if (share === 0 || share < minShare) {
    const min = minEarlySpace * (widest - left);
    return ends.map((end, at) => end && widest - (extents[at] ?? widest) > min);
  }
  // If all lines are separate, even the longest line leaves space in the column.
  const columnWidth = areCentred ? column[1] - column[0] : column[1];
  return findEarlyEnds(Math.max(widest, columnWidth));
}
