import type { Reading } from './read.ts';
import { cellsOf, type Grid } from './table.ts';

/** Recall and precision. */
export type F1 = { precision: number; recall: number; f1: number };

export type Scores = {
  words: F1;
  /** Null if neither side has any. */
  headings: F1 | null;
  /** Headings that also have the right level. */
  levels: F1 | null;
  cells: F1 | null;
  /** Adjacent pairs of cells, horizontally and vertically: the layout of tables. */
  neighbours: F1 | null;
  /** The share of word pairs in the expected order; null if there are fewer than two unique words. */
  order: number | null;
};

function f1(shared: number, expected: number, actual: number): F1 {
  const precision = actual === 0 ? Number(expected === 0) : shared / actual;
  const recall = expected === 0 ? Number(actual === 0) : shared / expected;
  return {
    precision,
    recall,
    f1: expected + actual === 0 ? 1 : (2 * shared) / (expected + actual),
  };
}

function count(keys: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The size of the multiset intersection of two lists. */
function countShared(expected: readonly string[], actual: readonly string[]): number {
  const left = count(expected);
  let found = 0;
  for (const key of actual) {
    const rest = left.get(key) ?? 0;
    if (rest > 0) {
      left.set(key, rest - 1);
      found += 1;
    }
  }
  return found;
}

const compareMultisets = (expected: readonly string[], actual: readonly string[]): F1 =>
  f1(countShared(expected, actual), expected.length, actual.length);

/**
 * Matches expected tables with actual ones: those that share the most cells first, the earlier one on
 * a tie. Returns indices; tables that share no cells are not matched.
 */
function matchTables(
  expected: readonly string[][],
  actual: readonly string[][],
): [number, number][] {
  const pairs = expected.flatMap((cells, left) =>
    actual.map((others, right) => ({ left, right, same: countShared(cells, others) })),
  );
  const chosen: [number, number][] = [];
  for (const { left, right, same } of pairs.sort((a, b) => b.same - a.same)) {
    if (same === 0) break;
    if (chosen.some(([a, b]) => a === left || b === right)) continue;
    chosen.push([left, right]);
  }
  return chosen;
}

/** Each pair of adjacent cells once: with the next cell to the right and the next below. */
function neighboursOf(grid: Grid): string[] {
  const { cells, cellIndexes: at } = cellsOf(grid);
  const pairs = new Set<string>();
  const add = (from: number, to: number, direction: string) =>
    pairs.add(`${from} ${to} ${direction}`);
  const above: number[] = [];
  for (const cellsInRow of at) {
    let left: number | null = null;
    for (const [column, cell] of cellsInRow.entries()) {
      if (cell === null) continue;
      if (left !== null && left !== cell) add(left, cell, 'right');
      const upper = above[column];
      if (upper !== undefined && upper !== cell) add(upper, cell, 'below');
      left = cell;
      above[column] = cell;
    }
  }
  return Array.from(pairs, (pair) => {
    const [from, to, direction] = pair.split(' ');
    return `${cells[Number(from)]?.key}\n${cells[Number(to)]?.key}\n${direction}`;
  });
}

/** The number of inversions in a sequence, counted by merge sort in O(n log n). */
function inversions(numbers: number[]): number {
  if (numbers.length < 2) return 0;
  const middle = numbers.length >> 1;
  const [left, right] = [numbers.slice(0, middle), numbers.slice(middle)];
  let inversionCount = inversions(left) + inversions(right);
  for (let at = 0, l = 0, r = 0; at < numbers.length; at += 1) {
    const takeLeft = r >= right.length || (l < left.length && (left[l] ?? 0) <= (right[r] ?? 0));
    if (!takeLeft) inversionCount += left.length - l;
    numbers[at] = (takeLeft ? left[l++] : right[r++]) ?? 0;
  }
  return inversionCount;
}

/**
 * The share of word pairs in the expected order, over words that occur exactly once on each side:
 * (1 + Kendall's tau) / 2. 1 is the same order, 0 the reverse; swapping two halves gives 0.5.
 */
export function orderOf(expected: readonly string[], actual: readonly string[]): number | null {
  const [left, right] = [count(expected), count(actual)];
  const single = (word: string) => left.get(word) === 1 && right.get(word) === 1;
  const places = new Map(expected.filter(single).map((word, index) => [word, index]));
  const ranks = actual.filter(single).map((word) => places.get(word) ?? 0);
  if (ranks.length < 2) return null;
  const pairs = (ranks.length * (ranks.length - 1)) / 2;
  return 1 - inversions(ranks) / pairs;
}

/** Scores a reading of a document against the expected one. */
export function score(expected: Reading, actual: Reading): Scores {
  const words = compareMultisets(expected.words, actual.words);
  const order = orderOf(expected.words, actual.words);
  const none = { headings: null, levels: null, cells: null, neighbours: null };
  const scores: Scores = { words, order, ...none };
  if (expected.headings.length + actual.headings.length > 0) {
    const plain = ({ headings }: Reading) => headings.map(({ key }) => key);
    const levelled = ({ headings }: Reading) => headings.map(({ level, key }) => `${level} ${key}`);
    scores.headings = compareMultisets(plain(expected), plain(actual));
    scores.levels = compareMultisets(levelled(expected), levelled(actual));
  }
  if (expected.tables.length + actual.tables.length > 0) {
    const cells = ({ tables }: Reading) =>
      tables.map((grid) => cellsOf(grid).cells.map(({ key }) => key));
    const neighbours = ({ tables }: Reading) => tables.map(neighboursOf);
    const matched = matchTables(cells(expected), cells(actual));
    const f1OfMatched = (left: string[][], right: string[][]) =>
      f1(
        matched.reduce((sum, [a, b]) => sum + countShared(left[a] ?? [], right[b] ?? []), 0),
        left.flat().length,
        right.flat().length,
      );
    scores.cells = f1OfMatched(cells(expected), cells(actual));
    scores.neighbours = f1OfMatched(neighbours(expected), neighbours(actual));
  }
  return scores;
}
