import { median } from '../../../../geometry.ts';
import type { TableWord } from '../types.ts';
import { areParted, type Line, type Phrase, phrasesOf } from './lines.ts';

/** A column: the extent of its words, and its borders with its neighbours. */
export type Column = { from: number; to: number; left: number; right: number };
export type Stretch = { from: number; to: number };

/** In half points. */
const bin = 0.5;
const mostBins = 8_000;
/** Marks that belong to the number before or after them although they form a column. */
const before = /^[$€£¥₹(~<>±]+$/u;
const after = /^[%)*†‡§°]+$/u;

/** Minimum width of a gutter, in sizes of the font: few lines may leave a gap by chance. */
function leastGutter(lines: number): number {
  return lines >= 6 ? 0.6 : lines >= 4 ? 0.75 : 0.95;
}

/** The minimum width of a gutter between separate texts, and the share of lines that may tell otherwise. */
const narrowest = 0.2;
const mostJoined = 0.1;

/** The words of a line on both sides of a position; undefined without any there. */
export function besideOf(
  words: readonly TableWord[],
  { words: own }: Line,
  x: number,
): [number | undefined, number | undefined] {
  let [low, high] = [0, own.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [x0 = 0, , x1 = 0] = words[own[middle] ?? -1]?.box ?? [];
    if ((x0 + x1) / 2 < x) low = middle + 1;
    else high = middle;
  }
  return [own[low - 1], own[low]];
}

/** Whether texts end before and begin after a narrow gap in nearly all lines. */
function isBetweenTexts(
  words: readonly TableWord[],
  lines: readonly Line[],
  gap: Stretch,
): boolean {
  let [both, joined] = [0, 0];
  for (const line of lines) {
    const [left, right] = besideOf(words, line, (gap.from + gap.to) / 2);
    if (left === undefined || right === undefined) continue;
    both += 1;
    if (!areParted(words, left, right)) joined += 1;
  }
  return both >= 3 && joined <= mostJoined * both;
}

/** Stretches along x, at least `least` wide, that at most `tolerated` of the lines have a word in. */
export function gutters(
  words: readonly TableWord[],
  lines: readonly Line[],
  tolerated: number,
  least: number,
): Stretch[] {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { words: own } of lines) {
    for (const index of own) {
      from = Math.min(from, words[index]?.box[0] ?? from);
      to = Math.max(to, words[index]?.box[2] ?? to);
    }
  }
  const count = Math.ceil((to - from) / bin);
  if (!(count > 0) || count > mostBins) return [];
  const steps = new Int32Array(count + 2);
  for (const { words: own } of lines) {
    let reach = -1;
    for (const index of own) {
      const [x0 = 0, , x1 = 0] = words[index]?.box ?? [];
      const first = Math.max(reach + 1, Math.floor((x0 - from) / bin));
      const last = Math.min(count - 1, Math.ceil((x1 - from) / bin) - 1);
      if (last < first) continue;
      steps[first] = (steps[first] ?? 0) + 1;
      steps[last + 1] = (steps[last + 1] ?? 0) - 1;
      reach = last;
    }
  }
  const covered = new Int32Array(count);
  let sum = 0;
  for (let at = 0; at < count; at += 1) {
    sum += steps[at] ?? 0;
    covered[at] = sum;
  }
  const found: Stretch[] = [];
  for (let at = 0; at < count; at += 1) {
    if ((covered[at] ?? 0) > tolerated) continue;
    let end = at;
    while (end + 1 < count && (covered[end + 1] ?? 0) <= tolerated) end += 1;
    const best = emptiest(covered, at, end);
    const touchesEnd = at === 0 || end === count - 1;
    if (!touchesEnd && (best.to - best.from) * bin >= least) {
      found.push({ from: from + best.from * bin, to: from + best.to * bin });
    }
    at = end;
  }
  return found;
}

/** The longest of the stretches that the fewest lines cover. */
function emptiest(covered: Int32Array, first: number, last: number): Stretch {
  let least = Number.POSITIVE_INFINITY;
  for (let at = first; at <= last; at += 1) least = Math.min(least, covered[at] ?? 0);
  let best: Stretch = { from: first, to: first };
  for (let at = first; at <= last; at += 1) {
    if ((covered[at] ?? 0) !== least) continue;
    let end = at;
    while (end + 1 <= last && covered[end + 1] === least) end += 1;
    if (end + 1 - at > best.to - best.from) best = { from: at, to: end + 1 };
    at = end;
  }
  return best;
}

/** The column at a position. */
export function columnAt(columns: readonly Column[], x: number): number {
  const at = columns.findIndex(({ right }) => x < right);
  return at < 0 ? columns.length - 1 : at;
}

/** The size of most of the lines. */
export const sizeOf = (lines: readonly Line[]): number => median(lines.map(({ size }) => size));

/**
 * The common columns of lines, from left to right, separated by gutters that hardly any line crosses. Lines
 * at the top may cross, as heads over several columns do; `heads`, if known, is their number.
 */
export function columnsOf(
  words: readonly TableWord[],
  lines: readonly Line[],
  heads: number | undefined,
): Column[] {
  const size = sizeOf(lines);
  const several = (line: Line): boolean => phrasesOf(words, line, 0.7 * size).length > 1;
  const telling = lines.filter(several);
  if (telling.length < 2) return [];
  const headLines = heads === undefined ? 0 : lines.slice(0, heads).filter(several).length;
  const most = heads === undefined ? Math.min(4, Math.floor(telling.length / 2)) : headLines;
  let best: { gaps: Stretch[]; body: Line[] } = { gaps: [], body: telling };
  for (let skipped = 0; skipped <= most; skipped += 1) {
    const body = telling.slice(skipped);
    if (body.length < 2) break;
    const tolerated = body.length >= 8 ? Math.floor(body.length * 0.1) : 0;
    for (const allowed of tolerated > 0 ? [0, tolerated] : [0]) {
      const least = leastGutter(body.length) * size;
      const gaps = real(
        words,
        body,
        gutters(words, body, allowed, Math.min(least, narrowest * size)).filter(
          (gap) => gap.to - gap.from >= least || isBetweenTexts(words, body, gap),
        ),
      );
      if (gaps.length > best.gaps.length) best = { gaps, body };
    }
  }
  return columnsBetween(words, best.body, best.gaps);
}

/** Gutters with a column on both sides; marks, or a word by chance, are not a column. */
function real(words: readonly TableWord[], lines: readonly Line[], gaps: Stretch[]): Stretch[] {
  let left = gaps;
  for (let round = 0; round < gaps.length; round += 1) {
    const columns = columnsBetween(words, lines, left);
    const texts = columns.map((): string[] => []);
    for (const line of lines) {
      for (const index of line.words) {
        const word = words[index];
        if (!word) continue;
        texts[columnAt(columns, (word.box[0] + word.box[2]) / 2)]?.push(word.text);
      }
    }
    const least = lines.length >= 4 ? 2 : 1;
    const drop = texts.findIndex(
      (own) =>
        own.length < least ||
        own.every((text) => before.test(text)) ||
        own.every((text) => after.test(text)),
    );
    if (drop < 0) return left;
    const own = texts[drop] ?? [];
    const toRight = own.length > 0 && own.every((text) => before.test(text));
    const widths = [left[drop - 1], left[drop]].map((gap) =>
      gap ? gap.to - gap.from : Number.POSITIVE_INFINITY,
    );
    const [leftGap = 0, rightGap = 0] = widths;
    const isMark = own.length > 0 && own.every((text) => after.test(text));
    const goesRight = drop === 0 || (!isMark && (toRight || rightGap < leftGap));
    const out = goesRight && drop < left.length ? drop : drop - 1;
    left = left.filter((_, at) => at !== out);
  }
  return left;
}

/** Columns between gutters, each as wide as the words in it. */
function columnsBetween(
  words: readonly TableWord[],
  lines: readonly Line[],
  gaps: readonly Stretch[],
): Column[] {
  const cuts = gaps.map(({ from, to }) => (from + to) / 2);
  const columns: Column[] = [...cuts, Number.POSITIVE_INFINITY].map((right, at) => ({
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
    left: cuts[at - 1] ?? Number.NEGATIVE_INFINITY,
    right,
  }));
  for (const line of lines) {
    for (const index of line.words) {
      const [x0 = 0, , x1 = 0] = words[index]?.box ?? [];
      const column = columns[columnAt(columns, (x0 + x1) / 2)];
      if (!column || x0 < column.left - 1 || x1 > column.right + 1) continue;
      column.from = Math.min(column.from, x0);
      column.to = Math.max(column.to, x1);
    }
  }
  return columns;
}

/** A phrase and the columns it is in. */
export type Placed = Phrase & { first: number; last: number };

/** The phrases of a line, each in its column or across several. */
export function place(
  words: readonly TableWord[],
  line: Line,
  columns: readonly Column[],
): Placed[] {
  const placed: Placed[] = [];
  for (const phrase of phrasesOf(words, line, 0)) {
    const [index = 0] = phrase.words;
    const word = words[index];
    const middle = word ? (word.box[0] + word.box[2]) / 2 : phrase.from;
    const at = columnAt(columns, middle);
    const last = placed.at(-1);
    // Words of one phrase without a gutter between them stay together, even across columns.
    const gap = last ? phrase.from - last.to : Number.POSITIVE_INFINITY;
    const near = gap < 0.5 * line.size && !areParted(words, last?.words.at(-1) ?? -1, index);
    const together = last && (at === last.last || near);
    if (last && together) {
      last.words.push(...phrase.words);
      last.to = Math.max(last.to, phrase.to);
      last.last = at;
    } else placed.push({ ...phrase, first: at, last: at });
  }
  for (const one of placed) reach(one, columns, line.size);
  return placed;
}

/** Sets which columns a phrase covers: those of which it covers a good part. */
function reach(phrase: Placed, columns: readonly Column[], size: number): void {
  let best = phrase.first;
  let most = -1;
  const covers: number[] = [];
  for (const [at, { from, to }] of columns.entries()) {
    const inside = Math.min(phrase.to, to) - Math.max(phrase.from, from);
    if (inside > most) {
      most = inside;
      best = at;
    }
    if (inside > Math.min(0.5 * (to - from), size)) covers.push(at);
  }
  if (covers.length === 0) {
    const at = most > 0 ? best : columnAt(columns, (phrase.from + phrase.to) / 2);
    phrase.first = at;
    phrase.last = at;
    return;
  }
  phrase.first = covers[0] ?? best;
  phrase.last = covers.at(-1) ?? best;
}
