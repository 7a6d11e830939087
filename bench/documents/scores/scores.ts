import type { Reading } from './read.ts';
import { cellsOf, type Grid } from './table.ts';

/** How much of what is expected is there, and how much of what is there is expected. */
export type F1 = { precision: number; recall: number; f1: number };

export type Scores = {
  words: F1;
  /** Null where neither side has any. */
  headings: F1 | null;
  /** Headings that have the right level, too. */
  levels: F1 | null;
  cells: F1 | null;
  /** Pairs of cells side by side or one above the other: where cells stand. */
  neighbours: F1 | null;
  /** Share of pairs of words that are in the expected order; null where fewer than two can be told. */
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

/** How many of two lists are the same, each once: the size of the multisets' intersection. */
function shared(expected: readonly string[], actual: readonly string[]): number {
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

const bag = (expected: readonly string[], actual: readonly string[]): F1 =>
  f1(shared(expected, actual), expected.length, actual.length);

/**
 * Each expected table is held against one of the actual ones: those that share most cells first,
 * the earlier where equal. Returns indices; tables that share nothing have no partner.
 */
function partners(expected: readonly string[][], actual: readonly string[][]): [number, number][] {
  const pairs = expected.flatMap((cells, left) =>
    actual.map((others, right) => ({ left, right, same: shared(cells, others) })),
  );
  const chosen: [number, number][] = [];
  for (const { left, right, same } of pairs.sort((a, b) => b.same - a.same)) {
    if (same === 0) break;
    if (chosen.some(([a, b]) => a === left || b === right)) continue;
    chosen.push([left, right]);
  }
  return chosen;
}

/** Each pair of neighbouring cells once: what stands next to the right and next below. */
function neighboursOf(grid: Grid): string[] {
  const { cells, at } = cellsOf(grid);
  const pairs = new Set<string>();
  const add = (from: number, to: number, way: string) => pairs.add(`${from} ${to} ${way}`);
  const above: number[] = [];
  for (const places of at) {
    let left: number | null = null;
    for (const [column, cell] of places.entries()) {
      if (cell === null) continue;
      if (left !== null && left !== cell) add(left, cell, 'right');
      const upper = above[column];
      if (upper !== undefined && upper !== cell) add(upper, cell, 'below');
      left = cell;
      above[column] = cell;
    }
  }
  return Array.from(pairs, (pair) => {
    const [from, to, way] = pair.split(' ');
    return `${cells[Number(from)]?.key}\n${cells[Number(to)]?.key}\n${way}`;
  });
}

/** Pairs of a sequence of numbers that fall, counted while sorting: n log n. */
function inversions(numbers: number[]): number {
  if (numbers.length < 2) return 0;
  const middle = numbers.length >> 1;
  const [left, right] = [numbers.slice(0, middle), numbers.slice(middle)];
  let falls = inversions(left) + inversions(right);
  for (let at = 0, l = 0, r = 0; at < numbers.length; at += 1) {
    const takeLeft = r >= right.length || (l < left.length && (left[l] ?? 0) <= (right[r] ?? 0));
    if (!takeLeft) falls += left.length - l;
    numbers[at] = (takeLeft ? left[l++] : right[r++]) ?? 0;
  }
  return falls;
}

/**
 * Share of pairs of words in the expected order, of the words that each side has exactly once:
 * (1 + Kendall's tau) / 2. 1 is the same order, 0 the reverse, two halves changed about give 0.5.
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

/** Scores one reading of a document against the one that is expected. */
export function score(expected: Reading, actual: Reading): Scores {
  const words = bag(expected.words, actual.words);
  const order = orderOf(expected.words, actual.words);
  const none = { headings: null, levels: null, cells: null, neighbours: null };
  const scores: Scores = { words, order, ...none };
  if (expected.headings.length + actual.headings.length > 0) {
    const plain = ({ headings }: Reading) => headings.map(({ key }) => key);
    const levelled = ({ headings }: Reading) => headings.map(({ level, key }) => `${level} ${key}`);
    scores.headings = bag(plain(expected), plain(actual));
    scores.levels = bag(levelled(expected), levelled(actual));
  }
  if (expected.tables.length + actual.tables.length > 0) {
    const cells = ({ tables }: Reading) =>
      tables.map((grid) => cellsOf(grid).cells.map(({ key }) => key));
    const neighbours = ({ tables }: Reading) => tables.map(neighboursOf);
    const matched = partners(cells(expected), cells(actual));
    const within = (left: string[][], right: string[][]) =>
      f1(
        matched.reduce((sum, [a, b]) => sum + shared(left[a] ?? [], right[b] ?? []), 0),
        left.flat().length,
        right.flat().length,
      );
    scores.cells = within(cells(expected), cells(actual));
    scores.neighbours = within(neighbours(expected), neighbours(actual));
  }
  return scores;
}
