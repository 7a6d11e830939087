import { median } from '../../../../geometry.ts';
import type { PlacedPhrase } from './columns.ts';
import type { Line } from './lines.ts';

/** A line of a table, and the columns in which it has text. */
export type FilledLine = {
  line: Line;
  placed: PlacedPhrase[];
  columns: Set<number>;
  numbers: number;
  /**
   * The columns whose text continues on the next line, because the last word ends with a hyphen.
   */
  hyphenated: Set<number>;
};

/** The lines of one row, in the order of their baselines. */
export type Row = { filledLines: FilledLine[]; lines: Line[] };

/** The maximum distance of lines that are beside each other, in font sizes. */
export const maxLevelDistance = 0.8;

/** Returns the distance of each line of a column from the line below it in the same column. */
function pitchesOf(all: readonly FilledLine[], size: number): number[] {
  const last = new Map<number, number>();
  const pitches: number[] = [];
  for (const { line, placed } of all) {
    for (const { first, last: end } of placed) {
      const before = last.get(first);
      if (first === end && before !== undefined && line.base - before >= maxLevelDistance * size) {
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
export function cellPitch(all: readonly FilledLine[], size: number): number | undefined {
  const pitches = pitchesOf(all, size);
  if (pitches.length === 0) return undefined;
  const minPitch = Math.min(...pitches);
  // If cells are empty, the distance between rows is a multiple of the smallest distance.
  const widePitches = pitches.filter((value) => {
    const ratio = value / minPitch;
    const isMultiple = ratio > 1.5 && Math.abs(ratio - Math.round(ratio)) < 0.06;
    return value > minPitch + 0.18 * size && !isMultiple;
  });
  if (minPitch > 1.72 * size || widePitches.length < Math.max(1, 0.08 * pitches.length))
    return undefined;
  return (minPitch + Math.min(...widePitches)) / 2;
}

/** The lines of one cell, by the indices of their groups. */
type CellBlock = { column: number; lineIndexes: number[] };

function blocksOf(all: readonly FilledLine[], pitch: number): CellBlock[] {
  const openBlocks = new Map<number, CellBlock>();
  const blocks: CellBlock[] = [];
  for (const [at, { line, placed }] of all.entries()) {
    for (const { first, last } of placed) {
      const block = openBlocks.get(first);
      const above = all[block?.lineIndexes.at(-1) ?? -1];
      if (block && first === last && above && line.base - above.line.base <= pitch) {
        block.lineIndexes.push(at);
        continue;
      }
      const next = { column: first, lineIndexes: [at] };
      blocks.push(next);
      if (first === last) openBlocks.set(first, next);
      else for (let column = first; column <= last; column += 1) openBlocks.delete(column);
    }
  }
  return blocks;
}

/**
 * Whether a cell of several lines extends over rows, because other columns have several cells
 * beside it.
 */
function extendsOver(
  block: CellBlock,
  blocks: readonly CellBlock[],
  all: readonly FilledLine[],
): boolean {
  const [from = 0, to = 0] = [block.lineIndexes[0], block.lineIndexes.at(-1)];
  const [top, bottom] = [all[from]?.line.base ?? 0, all[to]?.line.base ?? 0];
  const counts = new Map<number, number>();
  for (const { column, lineIndexes } of blocks) {
    const middle =
      ((all[lineIndexes[0] ?? 0]?.line.base ?? 0) +
        (all[lineIndexes.at(-1) ?? 0]?.line.base ?? 0)) /
      2;
    if (column === block.column || middle < top - 1 || middle > bottom + 1) continue;
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  const multiCellColumns = [...counts.values()].filter((count) => count > 1).length;
  return multiCellColumns >= 2 && multiCellColumns > 0.5 * counts.size;
}

/** Returns the stretches of lines at overlapping heights, as start and exclusive end. */
function overlappingStretches(all: readonly FilledLine[]): [number, number][] {
  const found: [number, number][] = [];
  for (const [at, { line }] of all.entries()) {
    const last = all[at - 1];
    const stretch = found.at(-1);
    const isLevel =
      last && line.base - last.line.base < maxLevelDistance * Math.min(line.size, last.line.size);
    if (isLevel && stretch) stretch[1] = at + 1;
    else found.push([at, at + 1]);
  }
  return found.filter(([from, to]) => to - from > 1);
}

/**
 * Whether lines at overlapping heights are one row with centred cells. The last line then has only
 * columns of the first, and most columns have a single line.
 */
function isOneRow(lines: readonly FilledLine[]): boolean {
  const [first, last] = [lines[0]?.columns, lines.at(-1)?.columns];
  if (lines.length > 2 && first && last && [...last].some((column) => !first.has(column)))
    return false;
  const counts = new Map<number, number>();
  for (const { placed } of lines) {
    for (const { first } of placed) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const multiLineColumns = [...counts.values()].filter((count) => count > 1).length;
  return 2 * multiLineColumns <= counts.size;
}

/** Groups lines into rows. A cell of several lines keeps its lines in one row. */
export function stackRows(
  all: readonly FilledLine[],
  groups: readonly Line[][],
  pitch: number | undefined,
): Row[] {
  const joinsAbove = new Uint8Array(all.length);
  if (pitch !== undefined) {
    const blocks = blocksOf(all, pitch);
    for (const block of blocks) {
      const [from = 0, to = 0] = [block.lineIndexes[0], block.lineIndexes.at(-1)];
      if (from === to || extendsOver(block, blocks, all)) continue;
      joinsAbove.fill(1, from + 1, to + 1);
    }
  }
  for (const [from, to] of overlappingStretches(all))
    if (isOneRow(all.slice(from, to))) joinsAbove.fill(1, from + 1, to);
  const rows: Row[] = [];
  for (const [at, filled] of all.entries()) {
    const lines = groups[at] ?? [];
    const row = rows.at(-1);
    if (row && joinsAbove[at] === 1) {
      row.filledLines.push(filled);
      row.lines.push(...lines);
    } else rows.push({ filledLines: [filled], lines: [...lines] });
  }
  return mergeCentredLabels(rows);
}

/**
 * Moves a label that is centred beside several rows to the row above its centre. A line is such a
 * label if it does not widen the gap between two rows, and both are empty in its column.
 */
function mergeCentredLabels(rows: readonly Row[]): Row[] {
  const top = ({ lines }: Row): number => Math.min(...lines.map((line) => line.top));
  const bottom = ({ lines }: Row): number => Math.max(...lines.map((line) => line.bottom));
  const gaps = rows.slice(1).map((row, at) => top(row) - bottom(rows[at] as Row));
  const typicalGap = Math.max(0, median(gaps.filter((blank) => blank > 0)));
  const kept: Row[] = [];
  for (const [at, row] of rows.entries()) {
    const [above, below] = [kept.at(-1), rows[at + 1]];
    const placed = row.filledLines.flatMap(({ placed }) => placed);
    const [only] = placed;
    const isAlone =
      only && only.first === only.last && placed.every(({ first }) => first === only.first);
    const isEmptyIn = (other: Row): boolean =>
      !other.filledLines.some(({ columns }) => columns.has(only?.first ?? -1));
    const height = bottom(row) - top(row);
    if (
      above &&
      below &&
      isAlone &&
      isEmptyIn(above) &&
      isEmptyIn(below) &&
      top(below) - bottom(above) < height + 0.9 * typicalGap
    ) {
      above.filledLines.push(...row.filledLines);
      above.lines.push(...row.lines);
    } else kept.push(row);
  }
  return kept;
}
