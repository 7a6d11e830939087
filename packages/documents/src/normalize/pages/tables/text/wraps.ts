import type { TableWord } from '../types.ts';
import type { Column, PlacedPhrase } from './columns.ts';

const widthOf = (words: readonly TableWord[], index: number | undefined): number => {
  const [x0 = 0, , x1 = 0] = words[index ?? -1]?.box ?? [];
  return x1 - x0;
};

/** The line breaks of two consecutive lines, in the columns with text in both. */
export type LineBreaks = {
  /** The number of columns with text in both lines. */
  sharedColumns: number;
  /**
   * The number of those columns in which the first word below would have fitted above, which is a
   * deliberate break.
   */
  earlyBreaks: number;
  /** The number of those columns in which both lines have a single word or number. */
  singleWords: number;
};

/**
 * Compares the breaks of two lines. Lines of one cell break where the next word does not fit; rows
 * break anywhere. Only widths are compared, so alignment makes no difference.
 */
export function compareBreaks(
  words: readonly TableWord[],
  above: readonly PlacedPhrase[],
  below: readonly PlacedPhrase[],
  columns: readonly Column[],
  size: number,
): LineBreaks {
  const breaks: LineBreaks = { sharedColumns: 0, earlyBreaks: 0, singleWords: 0 };
  for (const next of below) {
    const column = columns[next.first];
    const before = above.find(({ first, last }) => first === next.first && last === first);
    if (!column || !before || next.last !== next.first) continue;
    breaks.sharedColumns += 1;
    if (next.words.length === 1 && before.words.length === 1) breaks.singleWords += 1;
    // The script determines which end comes first. The wider of the two words is used for both.
    const first = widthOf(words, next.words[0]);
    const last = widthOf(words, next.words.at(-1));
    const freeWidth = column.to - column.from - (before.to - before.from);
    if (Math.max(first, last) + 0.6 * size < freeWidth) breaks.earlyBreaks += 1;
  }
  return breaks;
}
