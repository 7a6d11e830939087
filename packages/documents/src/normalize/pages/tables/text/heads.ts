import type { Rule, TableWord } from '../types.ts';
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

/** The maximum distance of a head from the centre of its group, in font sizes. */
const maxOffset = 0.75;

/**
 * Divides the columns from `first` to `last` into a group for each head, in order, so that the
 * largest distance of a head from its group is as small as possible. A head over one column may be
 * aligned to either side of it; a head over several is centred. Returns the last column of each
 * group, and the largest distance.
 */
function divide(
  heads: readonly PlacedPhrase[],
  columns: readonly Column[],
  first: number,
  last: number,
): { ends: number[]; offset: number } | undefined {
  type Division = { ends: number[]; offset: number };
  /** The best division of the columns up to each one among the heads so far. */
  let best = new Map<number, Division>([[first - 1, { ends: [], offset: 0 }]]);
  for (const head of heads) {
    const next = new Map<number, Division>();
    for (const [before, division] of best) {
      const left = columns[before + 1];
      for (let end = before + 1; left && end <= last; end += 1) {
        const right = columns[end];
        if (!right) break;
        const group: Column = { ...left, to: right.to };
        const own =
          end === before + 1
            ? distance(head, left)
            : Math.abs(head.from + head.to - group.from - group.to) / 2;
        const offset = Math.max(division.offset, own);
        if (offset < (next.get(end)?.offset ?? Number.POSITIVE_INFINITY))
          next.set(end, { ends: [...division.ends, end], offset });
      }
    }
    best = next;
  }
  return best.get(last);
}

/**
 * Extends the heads of a line over groups of the columns below: groups that each head is
 * centred above, without the columns on the left that have no head, or else equal groups that each
 * head is above. Returns whether the heads were extended.
 */
export function extendHeads(
  placed: readonly PlacedPhrase[],
  columnsBelow: ReadonlySet<number>,
  columns: readonly Column[],
  size: number,
): boolean {
  const [lowest, last] = [Math.min(...columnsBelow), Math.max(...columnsBelow)];
  const heads = placed.filter((one) => one.last >= lowest && one.first <= last);
  if (heads.length < 2 || columns.length > maxColumns || columnsBelow.size !== last - lowest + 1)
    return false;
  let best: { ends: number[]; offset: number; first: number } | undefined;
  for (let first = lowest; first <= (heads[0]?.first ?? lowest); first += 1) {
    const division = divide(heads, columns, first, last);
    if (division && division.offset < (best?.offset ?? maxOffset * size))
      best = { ...division, first };
  }
  if (best) {
    const hasGroup = last - best.first + 1 > heads.length;
    return hasGroup && setGroups(heads, best.ends, best.first);
  }
  if (columnsBelow.size % heads.length === 0 && columnsBelow.size > heads.length) {
    const groupSize = columnsBelow.size / heads.length;
    const ends = heads.map((_, at) => lowest + (at + 1) * groupSize - 1);
    if (areAboveGroups(heads, ends, lowest, columns, size)) return setGroups(heads, ends, lowest);
  }
  return false;
}

/** Sets the columns of heads from the last column of each group. */
function setGroups(heads: readonly PlacedPhrase[], ends: readonly number[], first: number): true {
  for (const [at, head] of heads.entries()) {
    head.first = at === 0 ? first : (ends[at - 1] ?? first) + 1;
    head.last = ends[at] ?? head.last;
  }
  return true;
}

/** Whether each head only touches columns of its group. */
function areAboveGroups(
  heads: readonly PlacedPhrase[],
  ends: readonly number[],
  first: number,
  columns: readonly Column[],
  size: number,
): boolean {
  return heads.every((head, at) => {
    const [from, to] = [at === 0 ? first : (ends[at - 1] ?? first) + 1, ends[at] ?? first];
    const [left, right] = [columns[from], columns[to]];
    const middle = (head.from + head.to) / 2;
    if (!left || !right || middle < left.from - 2 * size || middle > right.to + 2 * size)
      return false;
    return head.first >= from && head.last <= to;
  });
}

/** Divides the columns above a rule among the heads that share it. */
function shareColumns(
  heads: readonly PlacedPhrase[],
  columns: readonly Column[],
  first: number,
  last: number,
): void {
  const division = heads.length <= last - first + 1 && divide(heads, columns, first, last);
  if (division) setGroups(heads, division.ends, first);
}

/** Extends a head over several columns as far as the rule under it, or equally to both sides. */
export function spanHead(
  head: PlacedPhrase,
  row: readonly PlacedPhrase[],
  columns: readonly Column[],
  line: Line,
  shortRules: readonly Rule[],
): void {
  const rule = shortRules.find(
    ({ at, from, to }) =>
      at > line.base - 1 &&
      at < line.base + 1.2 * line.size &&
      from < (head.from + head.to) / 2 &&
      to > (head.from + head.to) / 2,
  );
  if (rule) {
    const columnsBelow = columns.flatMap(({ from, to }, at) =>
      Math.min(to, rule.to) - Math.max(from, rule.from) > 0.5 * (to - from) ? [at] : [],
    );
    const [first, last] = [columnsBelow[0] ?? head.first, columnsBelow.at(-1) ?? head.last];
    // The rules under adjacent heads may touch, and then look like one rule.
    const sharing = row.filter(
      (other) => rule.from < (other.from + other.to) / 2 && rule.to > (other.from + other.to) / 2,
    );
    if (sharing.length > 1) shareColumns(sharing, columns, first, last);
    else [head.first, head.last] = [first, last];
    return;
  }
  if (head.last === head.first) return;
  const at = row.indexOf(head);
  const lowest = (row[at - 1]?.last ?? -1) + 1;
  const highest = (row[at + 1]?.first ?? columns.length) - 1;
  const middle = (head.from + head.to) / 2;
  let best = Number.POSITIVE_INFINITY;
  const [first, last] = [head.first, head.last];
  for (let a = first; a >= lowest; a -= 1) {
    for (let b = last; b <= highest; b += 1) {
      const distance = Math.abs(((columns[a]?.from ?? 0) + (columns[b]?.to ?? 0)) / 2 - middle);
      if (distance < best - 2) {
        best = distance;
        head.first = a;
        head.last = b;
      }
    }
  }
}
