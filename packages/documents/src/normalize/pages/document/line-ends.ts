import { hasTurned } from '../../../model/direction.ts';
import { type LayoutLine, textOf } from '../layout.ts';
import type { TextBlock } from './draft.ts';

/** The maximum ratio of a word's width to the width that its share of the letters implies. */
const slack = 1.25;
/** The minimum share of early line ends. A block with fewer is running text. */
const minShare = 0.5;
/**
 * The minimum space that a deliberately ended line of running text leaves, as a share of the widest
 * line.
 */
const muchRoom = 0.2;

/**
 * Returns the width that the first word of a line, with a space, needs at the end of the line
 * above.
 */
function needs(line: LayoutLine): number {
  const text = textOf(line).trimStart();
  const word = /^\S+/.exec(text)?.[0] ?? '';
  const letter = (line.box[2] - line.box[0]) / Math.max(1, text.length);
  return slack * letter * (word.length + 1) + 0.5 * line.size;
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
export function endsOf({ lines, column }: TextBlock): boolean[] {
  const [first] = lines;
  const wrapped = lines.slice(1).map(() => false);
  // The width of words cannot be estimated in scripts whose letters join or are equally wide.
  if (!first || lines.length < 2 || lines.some((line) => hasTurned(textOf(line)))) return wrapped;
  if (lines.some((line) => /[\p{Script=Han}\p{Script=Kana}\p{Script=Thai}]/u.test(textOf(line))))
    return wrapped;
  const centred = isCentred(lines, first.size);
  const reaches = lines.map(({ box }) => (centred ? box[2] - box[0] : box[2]));
  const widest = Math.max(...reaches);
  const left = centred ? 0 : Math.min(...lines.map(({ box }) => box[0]));
  const early = (within: number): boolean[] =>
    lines.slice(1).map((line, at) => within - (reaches[at] ?? within) > needs(line));
  const ends = early(widest);
  const share = ends.filter((end) => end).length / ends.length;
  if (share === 0 || share < minShare) {
    const min = muchRoom * (widest - left);
    return ends.map((end, at) => end && widest - (reaches[at] ?? widest) > min);
  }
  // If all lines are separate, even the longest line leaves space in the column.
  const room = centred ? column[1] - column[0] : column[1];
  return early(Math.max(widest, room));
}
