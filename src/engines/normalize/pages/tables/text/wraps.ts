import type { TableWord } from '../types.ts';
import type { Column, Placed } from './columns.ts';

const widthOf = (words: readonly TableWord[], index: number | undefined): number => {
  const [x0 = 0, , x1 = 0] = words[index ?? -1]?.box ?? [];
  return x1 - x0;
};

/** How the text of two lines, one below the other, goes on in the columns that both have some in. */
export type Wrap = {
  /** So many columns have text in both. */
  shared: number;
  /** In so many of them the first word below had room above: who broke the line there meant to. */
  early: number;
  /** In so many of them both lines have one word, or number, and no more. */
  single: number;
};

/**
 * Lines of one cell break where the next word has no room, rows break anywhere. Only widths are looked
 * at, so it is the same for cells set left, right or in the middle.
 */
export function wrapOf(
  words: readonly TableWord[],
  above: readonly Placed[],
  below: readonly Placed[],
  columns: readonly Column[],
  size: number,
): Wrap {
  const wrap: Wrap = { shared: 0, early: 0, single: 0 };
  for (const next of below) {
    const column = columns[next.first];
    const before = above.find(({ first, last }) => first === next.first && last === first);
    if (!column || !before || next.last !== next.first) continue;
    wrap.shared += 1;
    if (next.words.length === 1 && before.words.length === 1) wrap.single += 1;
    // Which of the two ends comes first depends on the script: the wider one does for both.
    const first = widthOf(words, next.words[0]);
    const last = widthOf(words, next.words.at(-1));
    const room = column.to - column.from - (before.to - before.from);
    if (Math.max(first, last) + 0.6 * size < room) wrap.early += 1;
  }
  return wrap;
}
