import { columnsOf } from '../text/columns.ts';
import { neighboursOf } from '../text/gutters.ts';
import { tableLines } from '../text/lines.ts';
import { areRows, rowsOfLevelLines } from '../text/rows.ts';
import type { TableWord } from '../types.ts';
import { intervalOf } from './cells.ts';
import type { Grid } from './grid.ts';

/**
 * Splits ruled rows that contain several rows of text, in tables with lines only between columns.
 */
export function withTextRows(
  grid: Grid,
  words: readonly TableWord[],
  wordIndexes: readonly number[],
): Grid {
  const width = grid.xs.length - 1;
  if (width < 2) return grid;
  const byRow = grid.ys.slice(1).map((): number[] => []);
  for (const index of wordIndexes) {
    const word = words[index];
    const row = word ? intervalOf(grid.ys, word.base - 0.3 * word.size) : -1;
    byRow[row]?.push(index);
  }
  const columns = grid.xs.slice(1).map((right, at) => {
    const left = grid.xs[at] ?? 0;
    return { from: left, to: right, left, right };
  });
  const ys = [grid.ys[0] ?? 0];
  const right: boolean[] = [];
  const bottom: boolean[] = [];
  for (const [row, rowWords] of byRow.entries()) {
    const lines = rowWords.length >= 3 * width ? tableLines(words, rowWords) : [];
    const hasRows = lines.length >= 3 && areRows(words, lines, columns);
    const textRows = hasRows ? rowsOfLevelLines(words, lines, columns) : [];
    for (const [at, own] of textRows.entries()) {
      const [last, next] = [own.at(-1), textRows[at + 1]?.[0]];
      if (!last || !next) break;
      ys.push((last.bottom + next.top) / 2);
      right.push(...grid.right.slice(row * width, (row + 1) * width));
      bottom.push(...columns.map(() => true));
    }
    ys.push(grid.ys[row + 1] ?? 0);
    right.push(...grid.right.slice(row * width, (row + 1) * width));
    bottom.push(...grid.bottom.slice(row * width, (row + 1) * width));
  }
  return { xs: grid.xs, ys, right, bottom };
}

/**
 * The minimum gap at an open side, in font sizes, and the minimum share of lines with such a gap.
 */
const minSideGap = 0.6;
const minGapShare = 0.6;

/**
 * Closes sides within a ruled row where all lines leave a gap. In such tables, only the head has
 * lines between its columns, and the body has a single frame.
 */
export function withOpenSides(
  grid: Grid,
  words: readonly TableWord[],
  wordIndexes: readonly number[],
): Grid {
  const width = grid.xs.length - 1;
  const right = [...grid.right];
  const byRow = new Map<number, number[]>();
  for (const index of wordIndexes) {
    const word = words[index];
    const row = word ? intervalOf(grid.ys, word.base - 0.3 * word.size) : -1;
    const rowWords = byRow.get(row);
    if (rowWords) rowWords.push(index);
    else byRow.set(row, [index]);
  }
  for (const [row, rowWords] of byRow) {
    const sides = grid.xs
      .slice(1, -1)
      .flatMap((x, at) => (row >= 0 && !right[row * width + at] ? [{ x, at }] : []));
    const lines =
      sides.length > 0 && rowWords.length > sides.length ? tableLines(words, rowWords) : [];
    if (lines.length < 3) continue;
    for (const { x, at } of sides) {
      const gaps = lines.map((line) => {
        const [before, after] = neighboursOf(words, line, x).map(
          (index) => words[index ?? -1]?.box,
        );
        const isFree = (!before || before[2] < x + 1) && (!after || after[0] > x - 1);
        return {
          free: isFree,
          isWide: isFree && before && after && after[0] - before[2] > minSideGap * line.size,
        };
      });
      const wideCount = gaps.filter((gap) => gap.isWide).length;
      if (gaps.every(({ free }) => free) && wideCount >= minGapShare * lines.length) {
        right[row * width + at] = true;
      }
    }
  }
  return { ...grid, right };
}

/** Splits ruled columns that contain several columns of text, if all rows have the same gutter. */
export function withTextColumns(
  grid: Grid,
  words: readonly TableWord[],
  wordIndexes: readonly number[],
): Grid {
  const height = grid.ys.length - 1;
  if (height < 3) return grid;
  const byColumn = grid.xs.slice(1).map((): number[] => []);
  for (const index of wordIndexes) {
    const word = words[index];
    if (word) byColumn[intervalOf(grid.xs, (word.box[0] + word.box[2]) / 2)]?.push(index);
  }
  const splits = byColumn.map((columnWords, at): number[] => {
    const lines = columnWords.length >= 6 ? tableLines(words, columnWords) : [];
    if (lines.length < 4) return [];
    const found = columnsOf(words, lines, undefined);
    const min = lines.length * 0.8;
    const crossingLines = lines.filter(
      ({ words: line }) => line.length > 1 && found.length > 1 && spans(line, found[0]?.right ?? 0),
    );
    const left = grid.xs[at] ?? 0;
    const innerEdges = found.slice(0, -1).map((column) => column.right);
    return crossingLines.length >= min ? innerEdges.filter((x) => x > left) : [];
  });
  if (splits.every((own) => own.length === 0)) return grid;
  const width = grid.xs.length - 1;
  const xs = [grid.xs[0] ?? 0, ...splits.flatMap((own, at) => [...own, grid.xs[at + 1] ?? 0])];
  const right: boolean[] = [];
  const bottom: boolean[] = [];
  for (let row = 0; row < height; row += 1) {
    for (const [at, own] of splits.entries()) {
      for (const _ of own) {
        right.push(true);
        bottom.push(grid.bottom[row * width + at] ?? true);
      }
      right.push(grid.right[row * width + at] ?? true);
      bottom.push(grid.bottom[row * width + at] ?? true);
    }
  }
  return { xs, ys: grid.ys, right, bottom };

  function spans(line: readonly number[], cut: number): boolean {
    const first = words[line[0] ?? -1];
    const last = words[line.at(-1) ?? -1];
    return first !== undefined && last !== undefined && first.box[2] < cut && last.box[0] > cut;
  }
}
