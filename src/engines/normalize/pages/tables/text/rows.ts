import { median } from '../../../../geometry.ts';
import type { TableWord } from '../types.ts';
import { type Column, columnAt, place, sizeOf } from './columns.ts';
import type { Line } from './lines.ts';

/** A line of a table, and which of its columns have something in it. */
type Filled = {
  line: Line;
  columns: Set<number>;
  numbers: number;
  /** Columns whose text goes on on the next line: its last word ends with a hyphen. */
  hyphened: Set<number>;
};

const isNumber = (text: string): boolean =>
  /\d/.test(text) && (text.match(/[\p{L}]/gu)?.length ?? 0) <= 3;

function filledOf(words: readonly TableWord[], line: Line, columns: readonly Column[]): Filled {
  const own = new Set<number>();
  const hyphened = new Set<number>();
  for (const { first, last, words: phrase } of place(words, line, columns)) {
    for (let at = first; at <= last; at += 1) own.add(at);
    if (/[\p{L}\p{N}][-\u2010]$/u.test(words[phrase.at(-1) ?? -1]?.text ?? '')) hyphened.add(first);
  }
  const numbers = new Set<number>();
  for (const index of line.words) {
    const word = words[index];
    if (word && isNumber(word.text)) {
      numbers.add(columnAt(columns, (word.box[0] + word.box[2]) / 2));
    }
  }
  return { line, columns: own, numbers: numbers.size, hyphened };
}

/** The blank between two lines; none where they overlap. */
const blank = (a: Line, b: Line): number => Math.max(0, b.top - a.bottom);

/**
 * Whether blanks tell the rows: lines of one cell stand nearer than rows do. The threshold, in points;
 * undefined where all stand as near.
 */
function rowBlank(lines: readonly Filled[], size: number): number | undefined {
  const blanks = lines.slice(1).map(({ line }, at) => blank((lines[at] as Filled).line, line));
  const apart = blanks.filter((value) => value > 0);
  if (apart.length === 0) return undefined;
  const tight = Math.min(...apart);
  // Lines half beside each other are of one row: a cell in the middle beside one of two lines.
  const onlyBeside = apart.length < blanks.length ? tight / 2 : undefined;
  const wide = apart.filter((value) => value > tight + 0.18 * size);
  const isLoose = tight > 0.75 * size;
  if (isLoose || wide.length < Math.max(1, 0.08 * blanks.length)) return onlyBeside;
  const threshold = (tight + median([...wide])) / 2;
  // Lines near one another that are rows in their own right, each as full as the first of its group:
  // groups of rows, set apart.
  const mean = (of: readonly Filled[]): number =>
    of.reduce((sum, { columns }) => sum + columns.size, 0) / Math.max(1, of.length);
  const near = lines.slice(1).filter((_, at) => {
    const value = blanks[at] ?? 0;
    return value > 0 && value <= threshold;
  });
  const firsts = lines.filter((_, at) => at === 0 || (blanks[at - 1] ?? 0) > threshold);
  const own = near.length > 1 && mean(near) > 0.85 * mean(firsts);
  return own && onlyBeside === undefined ? undefined : threshold;
}

/** Whether a line goes on with the row before it: it only has more text of cells that have some. */
function goesOn(row: readonly Filled[], next: Filled, width: number, pitch: number): boolean {
  const last = row.at(-1);
  if (!last || next.columns.size === 0) return false;
  const { size } = next.line;
  if (next.line.base - last.line.base > Math.max(1.12 * pitch, 1.3 * size)) return false;
  const above = new Set(row.flatMap(({ columns }) => [...columns]));
  const isPart = [...next.columns].every((column) => above.has(column));
  if (isPart && [...next.columns].every((column) => last.hyphened.has(column))) return true;
  if (!isPart || next.numbers > 0) return false;
  if (next.columns.has(0)) return false;
  return next.columns.size <= Math.max(1, width / 3);
}

/** Groups the lines between two rules (or of a whole table without) into rows. */
export function rowsOf(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
): Line[][] {
  const all = lines.map((line) => filledOf(words, line, columns));
  if (all.length < 2) return all.map(({ line }) => [line]);
  const size = sizeOf(lines);
  const threshold = rowBlank(all, size);
  const pitch = median(
    all.slice(1).map(({ line }, at) => line.base - ((all[at] as Filled).line.base ?? 0)),
  );
  const rows: Filled[][] = [];
  for (const [at, one] of all.entries()) {
    const row = rows.at(-1);
    const before = all[at - 1];
    if (!row || !before) {
      rows.push([one]);
      continue;
    }
    const together =
      threshold === undefined
        ? goesOn(row, one, columns.length, pitch)
        : blank(before.line, one.line) <= threshold;
    if (together) row.push(one);
    else rows.push([one]);
  }
  return rows.map((row) => row.map(({ line }) => line));
}

/**
 * Whether lines between two rules are rows of their own and not the lines of one row's cells: a
 * column has a number in nearly each, and most are filled in several columns.
 */
export function areRows(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
): boolean {
  if (lines.length < 2 || columns.length < 2) return false;
  const all = lines.map((line) => filledOf(words, line, columns));
  const used = new Set(all.flatMap((one) => [...one.columns])).size;
  const full = all.filter((one) => one.columns.size >= Math.max(2, 0.5 * used)).length;
  const numeric = all.filter(({ numbers }) => numbers > 0).length;
  return full >= 0.6 * lines.length && numeric >= 0.6 * lines.length;
}
