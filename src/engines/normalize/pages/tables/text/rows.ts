import { median } from '../../../../geometry.ts';
import type { TableWord } from '../types.ts';
import { type Column, columnAt, type Placed, place, sizeOf } from './columns.ts';
import type { Line } from './lines.ts';
import { wrapOf } from './wraps.ts';

/** A line of a table, and the columns that it has text in. */
type Filled = {
  line: Line;
  placed: Placed[];
  columns: Set<number>;
  numbers: number;
  /** Columns whose text continues on the next line: its last word ends with a hyphen. */
  hyphened: Set<number>;
};

const isNumber = (text: string): boolean =>
  /\d/.test(text) && (text.match(/[\p{L}]/gu)?.length ?? 0) <= 3;

function filledOf(words: readonly TableWord[], line: Line, columns: readonly Column[]): Filled {
  const own = new Set<number>();
  const hyphened = new Set<number>();
  const placed = place(words, line, columns);
  for (const { first, last, words: phrase } of placed) {
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
  return { line, placed, columns: own, numbers: numbers.size, hyphened };
}

/** Whether a line continues the row before it: it only adds text to cells that have some. */
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

/** Joins lines at almost the same height: symbols set a little higher or lower than their row. */
function levelled(words: readonly TableWord[], lines: readonly Line[], size: number): Line[][] {
  const groups: Line[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group && first && line.base - first.base < 0.5 * size && !collide(words, group, line)) {
      group.push(line);
    } else groups.push([line]);
  }
  return groups;
}

/** Whether words of a line overlap with those of the group. */
function collide(words: readonly TableWord[], group: readonly Line[], line: Line): boolean {
  const boxes = group.flatMap((one) => one.words.flatMap((index) => words[index]?.box ?? []));
  return line.words.some((index) => {
    const [x0 = 0, , x1 = 0] = words[index]?.box ?? [];
    if (x1 - x0 < 0.8 * line.size) return false;
    for (let at = 0; at < boxes.length; at += 4) {
      if (Math.min(x1, boxes[at + 2] ?? 0) - Math.max(x0, boxes[at] ?? 0) > 1) return true;
    }
    return false;
  });
}

/** The fullest line of a group represents all. */
function mainOf(group: readonly Line[]): Line {
  return group.reduce((most, line) => (line.words.length > most.words.length ? line : most));
}

/** The lines of one row, in the order of their baselines. */
type Row = { filled: Filled[]; lines: Line[] };

/** Groups the lines between two rules (or of a whole table without rules) into rows. */
export function rowsOf(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
): Line[][] {
  const size = sizeOf(lines);
  const groups = levelled(words, lines, size);
  const all = groups.map((group) => filledOf(words, mainOf(group), columns));
  if (all.length < 2) return groups;
  const told = cellPitch(all, size);
  const pitch = told !== undefined && areAllRows(words, all, columns, told) ? undefined : told;
  const rows = stacked(all, groups, pitch);
  if (pitch !== undefined) return rows.map((row) => row.lines);
  const usual = median(rows.slice(1).map((row, at) => baseOf(row) - baseOf(rows[at])));
  const joined: Row[] = [];
  for (const row of rows) {
    const last = joined.at(-1);
    const [first] = row.filled;
    if (last && first && goesOn(last.filled, first, columns.length, usual)) {
      last.filled.push(...row.filled);
      last.lines.push(...row.lines);
    } else joined.push(row);
  }
  return joined.map((row) => row.lines);
}

const baseOf = (row: Row | undefined): number => row?.filled[0]?.line.base ?? 0;

/** Lines that are closer than this, in sizes of the font, are beside each other. */
const beside = 0.8;

/** The distances between lines of one column, each with the line below. */
function pitchesOf(all: readonly Filled[], size: number): number[] {
  const last = new Map<number, number>();
  const pitches: number[] = [];
  for (const { line, placed } of all) {
    for (const { first, last: end } of placed) {
      const before = last.get(first);
      if (first === end && before !== undefined && line.base - before >= beside * size) {
        pitches.push(line.base - before);
      }
      last.set(first, line.base);
    }
  }
  return pitches;
}

/**
 * The largest distance between two lines of one cell, which are closer than rows; undefined if all lines of
 * a column are equally spaced. Other columns don't matter: their cells may be centred beside several lines.
 */
function cellPitch(all: readonly Filled[], size: number): number | undefined {
  const pitches = pitchesOf(all, size);
  if (pitches.length === 0) return undefined;
  const tight = Math.min(...pitches);
  const wide = pitches.filter((value) => value > tight + 0.18 * size);
  if (tight > 1.72 * size || wide.length < Math.max(1, 0.08 * pitches.length)) return undefined;
  return (tight + Math.min(...wide)) / 2;
}

/** Lines of one column that are one cell, by the indices of their groups. */
type Block = { column: number; at: number[] };

function blocksOf(all: readonly Filled[], pitch: number): Block[] {
  const open = new Map<number, Block>();
  const blocks: Block[] = [];
  for (const [at, { line, placed }] of all.entries()) {
    for (const { first, last } of placed) {
      const block = open.get(first);
      const above = all[block?.at.at(-1) ?? -1];
      if (block && first === last && above && line.base - above.line.base <= pitch) {
        block.at.push(at);
        continue;
      }
      const next = { column: first, at: [at] };
      blocks.push(next);
      if (first === last) open.set(first, next);
      else for (let column = first; column <= last; column += 1) open.delete(column);
    }
  }
  return blocks;
}

/** Whether beside a cell of several lines, other columns have several cells: it extends over rows. */
function extendsOver(block: Block, blocks: readonly Block[], all: readonly Filled[]): boolean {
  const [from = 0, to = 0] = [block.at[0], block.at.at(-1)];
  const [top, bottom] = [all[from]?.line.base ?? 0, all[to]?.line.base ?? 0];
  const counts = new Map<number, number>();
  for (const { column, at } of blocks) {
    const middle = ((all[at[0] ?? 0]?.line.base ?? 0) + (all[at.at(-1) ?? 0]?.line.base ?? 0)) / 2;
    if (column === block.column || middle < top - 1 || middle > bottom + 1) continue;
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  const several = [...counts.values()].filter((count) => count > 1).length;
  return several >= 2 && several > 0.5 * counts.size;
}

/** Rows of lines: those that a cell of several lines holds together. */
function stacked(
  all: readonly Filled[],
  groups: readonly Line[][],
  pitch: number | undefined,
): Row[] {
  const held = new Uint8Array(all.length);
  if (pitch !== undefined) {
    const blocks = blocksOf(all, pitch);
    for (const block of blocks) {
      const [from = 0, to = 0] = [block.at[0], block.at.at(-1)];
      if (from === to || extendsOver(block, blocks, all)) continue;
      held.fill(1, from + 1, to + 1);
    }
  }
  const rows: Row[] = [];
  for (const [at, filled] of all.entries()) {
    const lines = groups[at] ?? [];
    const row = rows.at(-1);
    if (row && held[at] === 1) {
      row.filled.push(filled);
      row.lines.push(...lines);
    } else rows.push({ filled: [filled], lines: [...lines] });
  }
  return withoutFloating(rows);
}

/**
 * Gives a label that is centred beside several rows to the row above its middle: what stands between two
 * rows without taking space, in a column that both leave empty, is no row.
 */
function withoutFloating(rows: readonly Row[]): Row[] {
  const top = ({ lines }: Row): number => Math.min(...lines.map((line) => line.top));
  const bottom = ({ lines }: Row): number => Math.max(...lines.map((line) => line.bottom));
  const blanks = rows.slice(1).map((row, at) => top(row) - bottom(rows[at] as Row));
  const usual = Math.max(0, median(blanks.filter((blank) => blank > 0)));
  const kept: Row[] = [];
  for (const [at, row] of rows.entries()) {
    const [above, below] = [kept.at(-1), rows[at + 1]];
    const own = row.filled.flatMap(({ placed }) => placed);
    const [only] = own;
    const alone = only && only.first === only.last && own.every(({ first }) => first === only.first);
    const empty = (other: Row): boolean =>
      !other.filled.some(({ columns }) => columns.has(only?.first ?? -1));
    const height = bottom(row) - top(row);
    if (
      above &&
      below &&
      alone &&
      empty(above) &&
      empty(below) &&
      top(below) - bottom(above) < height + 0.9 * usual
    ) {
      above.filled.push(...row.filled);
      above.lines.push(...row.lines);
    } else kept.push(row);
  }
  return kept;
}

/**
 * Whether lines that spacing would join are rows: groups of rows set apart, where each line is as full as
 * the first of its group, or lines that end although the next word would fit, since spacing varies a little
 * on justified pages.
 */
function areAllRows(
  words: readonly TableWord[],
  lines: readonly Filled[],
  columns: readonly Column[],
  pitch: number,
): boolean {
  let [near, early] = [0, 0];
  const [firsts, others]: [number[], number[]] = [[lines[0]?.columns.size ?? 0], []];
  let beforeBase = lines[0]?.line.base ?? 0;
  for (const [at, below] of lines.slice(1).entries()) {
    const above = lines[at];
    const distance = below.line.base - beforeBase;
    beforeBase = below.line.base;
    // Lines half beside each other are in one row in any case.
    if (!above || distance < beside * below.line.size) return false;
    if (distance > pitch) {
      firsts.push(below.columns.size);
      continue;
    }
    others.push(below.columns.size);
    near += 1;
    const wrap = wrapOf(words, above.placed, below.placed, columns, below.line.size);
    if (wrap.early > 0 && wrap.shared >= Math.max(2, 0.6 * above.columns.size)) early += 1;
  }
  const mean = (of: readonly number[]): number =>
    of.reduce((sum, one) => sum + one, 0) / Math.max(1, of.length);
  if (near > 1 && mean(others) > 0.85 * mean(firsts)) return true;
  return near > 0 && early >= 0.6 * near;
}

/** Whether lines are rows by their breaks: most continue in several columns although words had fitted. */
function breakEarly(
  words: readonly TableWord[],
  lines: readonly Filled[],
  columns: readonly Column[],
): boolean {
  const used = new Set(lines.flatMap((one) => [...one.columns])).size;
  let early = 0;
  for (const [at, below] of lines.slice(1).entries()) {
    const above = lines[at];
    if (!above) continue;
    const wrap = wrapOf(words, above.placed, below.placed, columns, below.line.size);
    const several = wrap.shared >= Math.max(2, 0.6 * used);
    if (several && (wrap.early > 0 || (wrap.single === wrap.shared && lines.length > 2)))
      early += 1;
  }
  return early >= 0.7 * (lines.length - 1);
}

/**
 * Whether lines between two rules are separate rows and not the lines of one row's cells: most have text in
 * several columns, and either a column has a number in nearly each, or they break before the column is
 * full.
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
  if (full < 0.6 * lines.length) return false;
  return numeric >= 0.6 * lines.length || breakEarly(words, all, columns);
}
