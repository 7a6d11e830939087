import { median } from '../../../../geometry.ts';
import type { Placed } from './columns.ts';
import type { Line } from './lines.ts';

/** A line of a table, and the columns in which it has text. */
export type Filled = {
  line: Line;
  placed: Placed[];
  columns: Set<number>;
  numbers: number;
  /**
   * The columns whose text continues on the next line, because the last word ends with a hyphen.
   */
  hyphened: Set<number>;
};

/** The lines of one row, in the order of their baselines. */
export type Row = { filled: Filled[]; lines: Line[] };

/** The maximum distance of lines that are beside each other, in font sizes. */
export const beside = 0.8;

/** Returns the distance of each line of a column from the line below it in the same column. */
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
 * Returns the largest distance between two lines of one cell, which is smaller than the distance
 * between rows. Returns undefined if the lines of each column are equally spaced. Each column is
 * considered separately, because cells may be centred beside several lines of other columns.
 */
export function cellPitch(all: readonly Filled[], size: number): number | undefined {
  const pitches = pitchesOf(all, size);
  if (pitches.length === 0) return undefined;
  const tight = Math.min(...pitches);
  // If cells are empty, the distance between rows is a multiple of the smallest distance.
  const wide = pitches.filter((value) => {
    const times = value / tight;
    const isMultiple = times > 1.5 && Math.abs(times - Math.round(times)) < 0.06;
    return value > tight + 0.18 * size && !isMultiple;
  });
  if (tight > 1.72 * size || wide.length < Math.max(1, 0.08 * pitches.length)) return undefined;
  return (tight + Math.min(...wide)) / 2;
}

/** The lines of one cell, by the indices of their groups. */
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

/**
 * Whether a cell of several lines extends over rows, because other columns have several cells
 * beside it.
 */
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

/** Returns the stretches of lines at overlapping heights, as start and exclusive end. */
function besides(all: readonly Filled[]): [number, number][] {
  const found: [number, number][] = [];
  for (const [at, { line }] of all.entries()) {
    const last = all[at - 1];
    const stretch = found.at(-1);
    const near = last && line.base - last.line.base < beside * Math.min(line.size, last.line.size);
    if (near && stretch) stretch[1] = at + 1;
    else found.push([at, at + 1]);
  }
  return found.filter(([from, to]) => to - from > 1);
}

/**
 * Whether lines at overlapping heights are one row with centred cells. The last line then has only
 * columns of the first, and most columns have a single line.
 */
function isOneRow(lines: readonly Filled[]): boolean {
  const [first, last] = [lines[0]?.columns, lines.at(-1)?.columns];
  if (lines.length > 2 && first && last && [...last].some((column) => !first.has(column)))
    return false;
  const counts = new Map<number, number>();
  for (const { placed } of lines) {
    for (const { first } of placed) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const several = [...counts.values()].filter((count) => count > 1).length;
  return 2 * several <= counts.size;
}

/** Groups lines into rows. A cell of several lines keeps its lines in one row. */
export function stacked(
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
  for (const [from, to] of besides(all))
    if (isOneRow(all.slice(from, to))) held.fill(1, from + 1, to);
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
 * Moves a label that is centred beside several rows to the row above its centre. A line is such a
 * label if it does not widen the gap between two rows, and both are empty in its column.
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
    const alone =
      only && only.first === only.last && own.every(({ first }) => first === only.first);
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
