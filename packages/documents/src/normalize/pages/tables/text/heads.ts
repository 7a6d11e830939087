import type { TableWord } from '../types.ts';
import type { Column, PlacedPhrase } from './columns.ts';
import { type Line, type Phrase, phrasesOf } from './lines.ts';

/** The maximum distance of phrases of a head that count as one, in font sizes. */
const maxPhraseGap = 0.7;
/**
 * The maximum number of columns. Tables with more columns have narrow ones, so every head is near
 * its column.
 */
const maxColumns = 60;

/**
 * Returns the smallest distance of a head from a column, between their left edges, right edges or
 * centres.
 */
const distance = (phrase: Phrase, { from, to }: Column): number =>
  Math.min(
    Math.abs(phrase.from - from),
    Math.abs(phrase.to - to),
    Math.abs(phrase.from + phrase.to - from - to) / 2,
  );

/**
 * Assigns the heads of a line to columns in order, each to a different column. A head may be
 * aligned to a different side than its column and be closer to the next column. Returns undefined
 * if the position of each head determines its column, or if a head spans several columns.
 */
export function assignHeads(
  words: readonly TableWord[],
  line: Line,
  placed: readonly PlacedPhrase[],
  columns: readonly Column[],
): PlacedPhrase[] | undefined {
  const phrases = phrasesOf(words, line, maxPhraseGap * line.size);
  if (phrases.length < 2 || phrases.length > columns.length) return undefined;
  if (placed.length >= phrases.length || columns.length > maxColumns) return undefined;
  const spansSeveral = phrases.some(
    (phrase) => columns.filter(({ from, to }) => from > phrase.from && to < phrase.to).length > 1,
  );
  if (spansSeveral) return undefined;
  // For each column, the minimum sum of distances if the phrases so far use columns up to it.
  const none = { cost: Number.POSITIVE_INFINITY, at: -1 };
  let best = columns.map(() => ({ cost: 0, at: -1 }));
  const chosen: number[][] = [];
  for (const [index, phrase] of phrases.entries()) {
    const next = columns.map(() => none);
    let bestBefore = index === 0 ? { cost: 0, at: -1 } : none;
    for (const [at, column] of columns.entries()) {
      const cost = bestBefore.cost + distance(phrase, column);
      const before = next[at - 1] ?? none;
      next[at] = cost < before.cost ? { cost, at } : before;
      if (index > 0) {
        const bestHere = best[at] ?? none;
        bestBefore = bestHere.cost < bestBefore.cost ? bestHere : bestBefore;
      }
    }
    chosen.push(next.map(({ at }) => at));
    best = next;
  }
  let limit = columns.length - 1;
  const found: PlacedPhrase[] = [];
  for (let index = phrases.length - 1; index >= 0; index -= 1) {
    const at = chosen[index]?.[limit] ?? -1;
    const phrase = phrases[index];
    if (at < 0 || !phrase) return undefined;
    found.unshift({ ...phrase, first: at, last: at });
    limit = at - 1;
  }
  return found;
}

/**
 * Extends the heads of a line over equal groups of the heads below, if each head is above its
 * group. A head in the middle of its group may touch only one of the group's columns. Returns
 * whether the heads were extended.
 */
export function extendHeads(
  placed: readonly PlacedPhrase[],
  columnsBelow: ReadonlySet<number>,
  columns: readonly Column[],
  size: number,
): boolean {
  const [first, last] = [Math.min(...columnsBelow), Math.max(...columnsBelow)];
  const headsAbove = placed.filter((one) => one.last >= first && one.first <= last);
  const groupSize = columnsBelow.size / headsAbove.length;
  const dividesEvenly = headsAbove.length > 1 && groupSize > 1 && Number.isInteger(groupSize);
  if (!dividesEvenly || last - first + 1 !== columnsBelow.size) return false;
  const groups = headsAbove.map((_, at) => ({
    from: first + at * groupSize,
    to: first + (at + 1) * groupSize - 1,
  }));
  const areAboveGroups = headsAbove.every((one, at) => {
    const group = groups[at];
    const [left, right] = [columns[group?.from ?? -1], columns[group?.to ?? -1]];
    const middle = (one.from + one.to) / 2;
    if (!left || !right || middle < left.from - 2 * size || middle > right.to + 2 * size)
      return false;
    return one.first >= (group?.from ?? 0) && one.last <= (group?.to ?? 0);
  });
  if (!areAboveGroups) return false;
  for (const [at, one] of headsAbove.entries()) {
    one.first = groups[at]?.from ?? one.first;
    one.last = groups[at]?.to ?? one.last;
  }
  return true;
}
