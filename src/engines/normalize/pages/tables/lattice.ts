import type { Box } from '../../../results.ts';
import type { Draft, DraftCell } from './assemble.ts';
import { columnsOf } from './columns.ts';
import { linesOf } from './lines.ts';
import { areRows } from './rows.ts';
import type { TidyRules } from './rules.ts';
import type { Rule, TableWord } from './types.ts';

/** Lines that come so near to each other, in points, meet. */
const touches = 3;
/** Lines nearer than this are one border: double lines. */
const oneBorder = 4;
/** A border is there where lines cover this much of a cell's side. */
const enough = 0.55;
const mostPlaces = 20_000;

type Net = { across: Rule[]; down: Rule[] };

/** Groups of lines that cross or touch one another. */
function nets(rules: TidyRules): Net[] {
  const down = [...rules.down].sort((a, b) => a.at - b.at);
  const parent = Array.from({ length: rules.across.length + down.length }, (_, at) => at);
  const root = (at: number): number => {
    let top = at;
    while (parent[top] !== top) {
      parent[top] = parent[parent[top] ?? top] ?? top;
      top = parent[top] ?? top;
    }
    return top;
  };
  let steps = 0;
  for (const [index, rule] of rules.across.entries()) {
    for (let at = firstAt(down, rule.from - touches); at < down.length; at += 1) {
      const other = down[at];
      steps += 1;
      if (!other || other.at > rule.to + touches || steps > 4_000_000) break;
      if (other.from - touches > rule.at || other.to + touches < rule.at) continue;
      parent[root(rules.across.length + at)] = root(index);
    }
  }
  const groups = new Map<number, Net>();
  const group = (at: number): Net => {
    const key = root(at);
    const found = groups.get(key) ?? { across: [], down: [] };
    groups.set(key, found);
    return found;
  };
  for (const [index, rule] of rules.across.entries()) group(index).across.push(rule);
  for (const [at, rule] of down.entries()) group(rules.across.length + at).down.push(rule);
  return [...groups.values()].filter((net) => net.across.length > 1 && net.down.length > 0);
}

/** The first of rules in order whose place is not before `x`. */
function firstAt(rules: readonly Rule[], x: number): number {
  let low = 0;
  let high = rules.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rules[middle]?.at ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A border of the grid: its place, and the lines that draw it. */
type Border = { at: number; rules: Rule[] };

function bordersOf(rules: readonly Rule[]): Border[] {
  const borders: Border[] = [];
  for (const rule of [...rules].sort((a, b) => a.at - b.at)) {
    const last = borders.at(-1);
    if (last && rule.at - (last.rules.at(-1)?.at ?? last.at) < oneBorder) last.rules.push(rule);
    else borders.push({ at: rule.at, rules: [rule] });
  }
  for (const border of borders) {
    border.at = border.rules.reduce((sum, { at }) => sum + at, 0) / border.rules.length;
  }
  return borders;
}

/** Adds the sides that are not drawn: where the lines the other way stand out beyond the last. */
function closed(borders: Border[], others: readonly Rule[]): Border[] {
  const widest = Math.max(...others.map(({ from, to }) => to - from));
  const long = others.filter(({ from, to }) => to - from > 0.5 * widest);
  const middle = (values: number[]): number =>
    values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const from = middle(long.map((rule) => rule.from));
  const to = middle(long.map((rule) => rule.to));
  const first = borders[0];
  const last = borders.at(-1);
  if (!first || !last) return borders;
  const all = [...borders];
  if (first.at - from > 8) all.unshift({ at: from, rules: [] });
  if (to - last.at > 8) all.push({ at: to, rules: [] });
  return all;
}

/** Whether the lines of a border cover a stretch of it. */
function covers(border: Border, from: number, to: number): boolean {
  let length = 0;
  for (const rule of border.rules) {
    length += Math.max(0, Math.min(to, rule.to) - Math.max(from, rule.from));
  }
  return length >= enough * (to - from);
}

/** A grid of places, and which of their sides are drawn. */
type Grid = {
  xs: number[];
  ys: number[];
  /** Of each place, row by row: whether its right side and its foot are drawn. */
  right: boolean[];
  foot: boolean[];
};

function gridOf(net: Net): Grid | undefined {
  const columns = closed(bordersOf(net.down), net.across);
  const rows = closed(bordersOf(net.across), net.down);
  const width = columns.length - 1;
  const height = rows.length - 1;
  if (width < 1 || height < 1 || width * height > mostPlaces) return undefined;
  const xs = columns.map(({ at }) => at);
  const ys = rows.map(({ at }) => at);
  const right: boolean[] = [];
  const foot: boolean[] = [];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [x0 = 0, x1 = 0] = [xs[column], xs[column + 1]];
      const [y0 = 0, y1 = 0] = [ys[row], ys[row + 1]];
      right.push(column === width - 1 || covers(columns[column + 1] as Border, y0, y1));
      foot.push(row === height - 1 || covers(rows[row + 1] as Border, x0, x1));
    }
  }
  return { xs, ys, right, foot };
}

/** Places without a side between them as one cell; cells are made rectangles. */
function mergedCells({ xs, ys, right, foot }: Grid): DraftCell[] {
  const width = xs.length - 1;
  const height = ys.length - 1;
  const owner = new Int32Array(width * height).fill(-1);
  const cells: DraftCell[] = [];
  for (let at = 0; at < owner.length; at += 1) {
    if (owner[at] !== -1) continue;
    const row = Math.floor(at / width);
    const column = at % width;
    let columnSpan = 1;
    while (column + columnSpan < width && !right[at + columnSpan - 1]) {
      if (owner[at + columnSpan] !== -1) break;
      columnSpan += 1;
    }
    let rowSpan = 1;
    while (row + rowSpan < height && isOpen(row + rowSpan, column, columnSpan)) rowSpan += 1;
    for (let down = 0; down < rowSpan; down += 1) {
      owner.fill(cells.length, at + down * width, at + down * width + columnSpan);
    }
    cells.push({ row, column, rowSpan, columnSpan, words: [] });
  }
  return cells;

  /** Whether the places of the row above have no feet here, and these no sides between them. */
  function isOpen(row: number, column: number, columnSpan: number): boolean {
    for (let at = column; at < column + columnSpan; at += 1) {
      if (foot[(row - 1) * width + at] || owner[row * width + at] !== -1) return false;
      const isLast = at === column + columnSpan - 1;
      if (!isLast && right[row * width + at]) return false;
    }
    return true;
  }
}

/** Where a value lies between sorted edges; -1 outside. */
function between(edges: readonly number[], value: number): number {
  let low = 0;
  let high = edges.length - 1;
  if (!(value >= (edges[0] ?? 0)) || value > (edges[high] ?? 0)) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** Puts words into the cells they stand in. Gives how many stand across a drawn side. */
function fill(
  cells: readonly DraftCell[],
  { xs, ys }: Grid,
  words: readonly TableWord[],
  inside: readonly number[],
): number {
  const width = xs.length - 1;
  const owner = new Int32Array(width * (ys.length - 1)).fill(-1);
  for (const [index, cell] of cells.entries()) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row += 1) {
      owner.fill(index, row * width + cell.column, row * width + cell.column + cell.columnSpan);
    }
  }
  let crossing = 0;
  for (const index of inside) {
    const word = words[index];
    if (!word) continue;
    const [x0, , x1] = word.box;
    const column = between(xs, (x0 + x1) / 2);
    const row = between(ys, word.base - 0.3 * word.size);
    const cell = cells[owner[row * width + column] ?? -1];
    if (column < 0 || row < 0 || !cell) continue;
    cell.words.push(index);
    const left = xs[cell.column] ?? 0;
    const right = xs[cell.column + cell.columnSpan] ?? 0;
    const out = Math.max(0, left - x0) + Math.max(0, x1 - right);
    if (out > 0.25 * (x1 - x0) && out > 3) crossing += 1;
  }
  return crossing;
}

/** Rows of lines that are rows in their own right are parted: columns ruled, rows not. */
function withTextRows(grid: Grid, words: readonly TableWord[], inside: readonly number[]): Grid {
  const width = grid.xs.length - 1;
  if (width < 2) return grid;
  const byRow = grid.ys.slice(1).map((): number[] => []);
  for (const index of inside) {
    const word = words[index];
    const row = word ? between(grid.ys, word.base - 0.3 * word.size) : -1;
    byRow[row]?.push(index);
  }
  const columns = grid.xs.slice(1).map((right, at) => {
    const left = grid.xs[at] ?? 0;
    return { from: left, to: right, left, right };
  });
  const ys = [grid.ys[0] ?? 0];
  const right: boolean[] = [];
  const foot: boolean[] = [];
  for (const [row, own] of byRow.entries()) {
    const lines = own.length > 3 * width ? linesOf(words, own) : [];
    const parted = lines.length >= 3 && areRows(words, lines, columns) ? lines : [];
    for (const [at, line] of parted.entries()) {
      const next = parted[at + 1];
      if (!next) break;
      ys.push((line.bottom + next.top) / 2);
      right.push(...grid.right.slice(row * width, (row + 1) * width));
      foot.push(...columns.map(() => true));
    }
    ys.push(grid.ys[row + 1] ?? 0);
    right.push(...grid.right.slice(row * width, (row + 1) * width));
    foot.push(...grid.foot.slice(row * width, (row + 1) * width));
  }
  return { xs: grid.xs, ys, right, foot };
}

/** Columns of text between the ruled ones part these, where all rows have the same gutter. */
function withTextColumns(grid: Grid, words: readonly TableWord[], inside: readonly number[]): Grid {
  const height = grid.ys.length - 1;
  if (height < 3) return grid;
  const byColumn = grid.xs.slice(1).map((): number[] => []);
  for (const index of inside) {
    const word = words[index];
    if (word) byColumn[between(grid.xs, (word.box[0] + word.box[2]) / 2)]?.push(index);
  }
  const cuts = byColumn.map((own, at): number[] => {
    const lines = own.length >= 6 ? linesOf(words, own) : [];
    if (lines.length < 4) return [];
    const found = columnsOf(words, lines, undefined);
    const least = lines.length * 0.8;
    const both = lines.filter(
      ({ words: line }) => line.length > 1 && found.length > 1 && spans(line, found[0]?.right ?? 0),
    );
    const left = grid.xs[at] ?? 0;
    const inner = found.slice(0, -1).map((column) => column.right);
    return both.length >= least ? inner.filter((x) => x > left) : [];
  });
  if (cuts.every((own) => own.length === 0)) return grid;
  const width = grid.xs.length - 1;
  const xs = [grid.xs[0] ?? 0, ...cuts.flatMap((own, at) => [...own, grid.xs[at + 1] ?? 0])];
  const right: boolean[] = [];
  const foot: boolean[] = [];
  for (let row = 0; row < height; row += 1) {
    for (const [at, own] of cuts.entries()) {
      for (const _ of own) {
        right.push(true);
        foot.push(grid.foot[row * width + at] ?? true);
      }
      right.push(grid.right[row * width + at] ?? true);
      foot.push(grid.foot[row * width + at] ?? true);
    }
  }
  return { xs, ys: grid.ys, right, foot };

  function spans(line: readonly number[], cut: number): boolean {
    const first = words[line[0] ?? -1];
    const last = words[line.at(-1) ?? -1];
    return first !== undefined && last !== undefined && first.box[2] < cut && last.box[0] > cut;
  }
}

/** Whether a grid with words in its cells is a table, and no frame, chart or form's box. */
function isTable(cells: readonly DraftCell[], grid: Grid, crossing: number): boolean {
  const used = cells.filter((cell) => cell.words.length > 0);
  const all = used.reduce((sum, cell) => sum + cell.words.length, 0);
  const rows = new Set(used.map(({ row }) => row));
  const columns = new Set(used.map(({ column }) => column));
  if (rows.size < 2 || columns.size < 2 || used.length < 3) return false;
  if (crossing > 0.1 * all + 1) return false;
  // A grid of which little is filled is a form if its first row is, and else a chart.
  const head = used.filter(({ row }) => row === (used[0]?.row ?? 0)).length;
  const sparse = used.length < 0.45 * cells.length;
  if (sparse && head * 2 < cells.filter(({ row }) => row === (used[0]?.row ?? 0)).length)
    return false;
  if (sparse && used.length < 0.12 * cells.length) return false;
  // Few cells, each as long as a paragraph: columns of a page in frames.
  return !(used.length <= 6 && all > 60 * used.length) && grid.xs.length > 2;
}

export type Found = { region: Box; draft: Draft };

/** Tables whose cells are parted by lines that cross. `within` gives the words in a box. */
export function latticesOf(
  words: readonly TableWord[],
  rules: TidyRules,
  within: (box: Box) => number[],
): Found[] {
  const found: Found[] = [];
  for (const net of nets(rules)) {
    const ruled = gridOf(net);
    if (!ruled) continue;
    const region: Box = [
      ruled.xs[0] ?? 0,
      ruled.ys[0] ?? 0,
      ruled.xs.at(-1) ?? 0,
      ruled.ys.at(-1) ?? 0,
    ];
    const inside = within(region);
    if (ruled.xs.length === 2 && ruled.ys.length === 2) continue;
    const columned = ruled.xs.length > 2 ? withTextColumns(ruled, words, inside) : ruled;
    const grid = withTextRows(columned, words, inside);
    const cells = mergedCells(grid);
    const crossing = fill(cells, grid, words, inside);
    if (!isTable(cells, grid, crossing)) continue;
    const { xs, ys } = grid;
    const draft: Draft = {
      xs,
      ys,
      cells,
      headerRows: undefined,
      bands: rules.bands,
      by: 'lattice',
    };
    found.push({ region, draft });
  }
  return found;
}
