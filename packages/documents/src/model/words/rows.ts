import { firstWhere } from '@scriptorium/pii/first-where';
import type { Box } from '../../results.ts';
import { alignedColumnGap, columnGap } from '../measures.ts';

/** A word of any kind, on a page rotated so that the word is level. */
type HasBox = { box: Box };

/** Words on one baseline, from left to right. */
export type Row<Word extends HasBox> = { words: Word[]; base: number; size: number };

/** Returns the index of the first word in a sorted row that starts to the right of `x`. */
export function indexAt({ words }: Row<HasBox>, x: number): number {
  return firstWhere(words.length, (at) => words[at]!.box[0] > x);
}

type Gap = { after: number; from: number; to: number };

function gapsOf(row: Row<HasBox>): Gap[] {
  const gaps: Gap[] = [];
  let maxEnd = Number.NEGATIVE_INFINITY;
  for (const [index, word] of row.words.entries()) {
    const [from, , to] = word.box;
    if (index > 0 && from > maxEnd && from - maxEnd >= alignedColumnGap * row.size) {
      gaps.push({ after: index - 1, from: maxEnd, to: from });
    }
    maxEnd = Math.max(maxEnd, to);
  }
  return gaps;
}

/**
 * Whether the rows above and below share a gap, which may then separate columns: at least one of
 * them has the same gap, or both are empty there. A row that ends within the gap leaves most of it
 * free.
 */
function isShared(
  rows: readonly Row<HasBox>[],
  gaps: readonly Gap[][],
  index: number,
  gap: Gap,
): boolean {
  const row = rows[index];
  if (!row) return false;
  let [shared, clear, crossed] = [0, 0, 0];
  for (const step of [-1, 1]) {
    for (let at = index + step; Math.abs(at - index) <= 4; at += step) {
      const other = rows[at];
      if (!other || Math.abs(other.base - row.base) > 3.6 * row.size) break;
      const hasSameGap = (gaps[at] ?? []).some(
        ({ from, to }) => Math.min(to, gap.to) - Math.max(from, gap.from) >= 0.5 * row.size,
      );
      const before = other.words[indexAt(other, gap.to - 0.1 * row.size) - 1];
      if (hasSameGap) shared += 1;
      else if (before && before.box[2] > gap.to - 0.5 * row.size) crossed += 1;
      else clear += 1;
    }
  }
  if (crossed > 0) return shared >= 2 && shared >= crossed;
  return shared > 0 || clear >= 2;
}

/**
 * Returns the lines of each row. Rows are divided at wide gaps, and at narrower gaps that separate
 * columns. `rows` are sorted from top to bottom.
 */
export function splitRows<Word extends HasBox>(rows: readonly Row<Word>[]): Word[][][] {
  const gaps = rows.map(gapsOf);
  return rows.map((row, index) => {
    const lines: Word[][] = [];
    let start = 0;
    for (const gap of gaps[index] ?? []) {
      const isWide = gap.to - gap.from >= columnGap * row.size;
      if (!isWide && !isShared(rows, gaps, index, gap)) continue;
      lines.push(row.words.slice(start, gap.after + 1));
      start = gap.after + 1;
    }
    lines.push(row.words.slice(start));
    return lines;
  });
}
