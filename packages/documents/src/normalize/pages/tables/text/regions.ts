import type { Box } from '../../../../results.ts';
import type { Draft, DraftCell } from '../assemble.ts';
import type { Rule, TableWord } from '../types.ts';
import { type Column, columnsOf, type Placed, place } from './columns.ts';
import { groupHeads, headsInOrder } from './heads.ts';
import type { Line } from './lines.ts';
import { areRows, rowsOfLines } from './rows.ts';

/** A part of a page that may be a table, with its lines and horizontal rules. */
export type Region = {
  lines: readonly Line[];
  /** Rules across the whole table, from top to bottom. The head ends at the second rule. */
  rules: readonly number[];
  /** Shorter rules, under heads that span columns. */
  short: readonly Rule[];
  from: number;
  to: number;
  bands: readonly Box[];
};

/** Groups the lines by the rules between them. */
function between(lines: readonly Line[], rules: readonly number[]): Line[][] {
  const groups: Line[][] = [...rules, 0].map(() => []);
  let at = 0;
  for (const line of lines) {
    while (at < rules.length && line.base - 0.3 * line.size > (rules[at] ?? 0)) at += 1;
    groups[at]?.push(line);
  }
  return groups.filter((group) => group.length > 0);
}

/**
 * Whether lines end at a shaded row. Every other row is then shaded, so the lines are not all of
 * the head.
 */
function endsAtShade(lines: readonly Line[] | undefined, { rules, bands }: Region): boolean {
  const last = lines?.at(-1);
  if (!last) return false;
  const middle = last.base - 0.3 * last.size;
  const next = rules.find((at) => at > middle);
  const within = bands.some(([, y0, , y1]) => y0 < middle && middle < y1);
  return !within && next !== undefined && bands.some(([, y0]) => Math.abs(y0 - next) < 1);
}

/**
 * Whether rules separate all rows. The lines between two rules then belong to the cells of one row.
 */
function partRows(
  words: readonly TableWord[],
  groups: readonly Line[][],
  columns: readonly Column[],
): boolean {
  const several = groups.slice(1).filter((group) => {
    return group.length >= 2 && areRows(words, group, columns);
  });
  return groups.length >= 4 && several.length <= 0.6 * (groups.length - 1);
}

/** Extends a head over several columns as far as the rule under it, or equally to both sides. */
function spanHead(
  one: Placed,
  row: readonly Placed[],
  columns: readonly Column[],
  line: Line,
  short: readonly Rule[],
): void {
  const rule = short.find(
    ({ at, from, to }) =>
      at > line.base - 1 &&
      at < line.base + 1.2 * line.size &&
      from < (one.from + one.to) / 2 &&
      to > (one.from + one.to) / 2,
  );
  if (rule) {
    const under = columns.flatMap(({ from, to }, at) =>
      Math.min(to, rule.to) - Math.max(from, rule.from) > 0.5 * (to - from) ? [at] : [],
    );
    one.first = under[0] ?? one.first;
    one.last = under.at(-1) ?? one.last;
    return;
  }
  if (one.last === one.first) return;
  const at = row.indexOf(one);
  const lowest = (row[at - 1]?.last ?? -1) + 1;
  const highest = (row[at + 1]?.first ?? columns.length) - 1;
  const middle = (one.from + one.to) / 2;
  let best = Number.POSITIVE_INFINITY;
  const [first, last] = [one.first, one.last];
  for (let a = first; a >= lowest; a -= 1) {
    for (let b = last; b <= highest; b += 1) {
      const off = Math.abs(((columns[a]?.from ?? 0) + (columns[b]?.to ?? 0)) / 2 - middle);
      if (off < best - 2) {
        best = off;
        one.first = a;
        one.last = b;
      }
    }
  }
}

/** Whether each text of a line is centred above a group of equally many texts of the line below. */
function areGroupHeads(
  words: readonly TableWord[],
  line: Line,
  below: Line | undefined,
  columns: readonly Column[],
): boolean {
  if (!below) return false;
  const placed = place(words, line, columns);
  const under = new Set(place(words, below, columns).map(({ first }) => first));
  if (under.size < 2 || !groupHeads(placed, under, columns, line.size)) return false;
  return placed
    .filter(({ first, last }) => last > first)
    .every(({ first, last, from, to }) => {
      const middle = ((columns[first]?.from ?? from) + (columns[last]?.to ?? to)) / 2;
      return Math.abs((from + to) / 2 - middle) < line.size;
    });
}

/**
 * Groups the lines of the head into rows. Text that spans columns is separate from the lines below.
 */
function headRows(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
  short: readonly Rule[],
): Line[][] {
  const rows: Line[][] = [];
  let spanned = false;
  for (const [at, line] of lines.entries()) {
    const placed = place(words, line, columns);
    const before = lines[at - 1];
    const ruled = short.some(
      (rule) => before && rule.at > before.base - 1 && rule.at < line.base - 0.3 * line.size,
    );
    const spans =
      placed.some(({ first, last }) => last > first) ||
      areGroupHeads(words, line, lines[at + 1], columns);
    if (at === 0 || ruled || spanned !== spans) rows.push([line]);
    else rows.at(-1)?.push(line);
    spanned = spans;
  }
  return rows;
}

/** Returns the cells of one row. Phrases below each other form one cell. */
function cellsOf(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
  row: number,
  short: readonly Rule[] | undefined,
  below: readonly Line[] | undefined,
): DraftCell[] {
  const under = new Set(
    (short && below ? below : []).flatMap((line) =>
      place(words, line, columns).map(({ first }) => first),
    ),
  );
  // Other lines of heads over several columns are only beside what is below.
  const others = (line: Line): boolean =>
    lines.some(
      (one) => one !== line && place(words, one, columns).some(({ first }) => under.has(first)),
    );
  const placed = lines.flatMap((line) => {
    const own = place(words, line, columns);
    if (!short) return own;
    const inOrder = headsInOrder(words, line, own, columns);
    if (inOrder) return inOrder;
    if (!others(line) && groupHeads(own, under, columns, line.size)) return own;
    for (const one of own) spanHead(one, own, columns, line, short);
    return own;
  });
  placed.sort((a, b) => a.first - b.first || a.last - b.last);
  const cells: (DraftCell & { last: number })[] = [];
  for (const { first, last, words: own } of placed) {
    const cell = cells.at(-1);
    if (cell && first <= cell.last) {
      cell.words.push(...own);
      cell.last = Math.max(cell.last, last);
      cell.columnSpan = cell.last - cell.column + 1;
    } else {
      cells.push({
        row,
        column: first,
        rowSpan: 1,
        columnSpan: last - first + 1,
        words: [...own],
        last,
      });
    }
  }
  return cells.map(({ last: _, ...cell }) => cell);
}

/**
 * Merges the column of a head with its body column. A head that is wider than its column, or
 * aligned to a different side, looks like a separate column beside it. Only merges columns if no
 * row has text in both.
 */
function withoutHeadColumns(
  words: readonly TableWord[],
  rows: readonly { lines: Line[]; head: boolean }[],
  columns: readonly Column[],
): Column[] {
  const used = rows.map(({ lines }) => {
    const own = new Set<number>();
    for (const line of lines) {
      for (const { first, last } of place(words, line, columns)) {
        for (let at = first; at <= last; at += 1) own.add(at);
      }
    }
    return own;
  });
  const heads = rows.filter(({ head }) => head).length || 1;
  const kept: Column[] = [];
  let from = 0;
  /** The columns that were merged into the last kept column. */
  let members: number[] = [0];
  for (let at = 0; at < columns.length; at += 1) {
    const column = columns[at];
    const before = kept.at(-1);
    if (!column) continue;
    const has = (of: number, row: Set<number>): boolean => row.has(of);
    const body = (of: number): boolean => used.slice(heads).some((row) => has(of, row));
    const together = used.some((row) => has(at, row) && members.some((one) => has(one, row)));
    if (before && !together && body(from) !== body(at)) {
      before.right = column.right;
      members.push(at);
      if (body(at)) {
        before.from = column.from;
        before.to = column.to;
        from = at;
      }
    } else {
      kept.push({ ...column });
      from = at;
      members = [at];
    }
  }
  return kept;
}

/**
 * Returns the table in a region. Gaps in the lines determine its columns. Rules, spacing and filled
 * cells determine its rows.
 */
export function tableOf(
  words: readonly TableWord[],
  region: Region,
): { draft: Draft; columns: Column[]; rows: Line[][] } | undefined {
  const { lines, rules, short } = region;
  const groups = between(lines, rules);
  const open = endsAtShade(groups[0], region);
  const hasHead = groups.length >= 2 && (groups[0]?.length ?? 0) <= 6 && !open;
  const headLines = hasHead ? (groups[0]?.length ?? 0) : 0;
  const tried = [undefined, ...(hasHead ? [headLines] : [])].map((heads) =>
    columnsOf(words, lines, heads),
  );
  let columns = tried.reduce((best, one) => (one.length > best.length ? one : best), []);
  if (columns.length < 2) return undefined;
  const eachRow = partRows(words, groups, columns);
  const rows: { lines: Line[]; head: boolean }[] = [];
  for (const [at, group] of groups.entries()) {
    const isHead = at === 0 && hasHead;
    if (isHead) {
      for (const own of headRows(words, group, columns, short))
        rows.push({ lines: own, head: true });
    } else if (
      eachRow &&
      !(at === 0 && open) &&
      !(group.length >= 3 && areRows(words, group, columns))
    ) {
      rows.push({ lines: group, head: false });
    } else {
      for (const own of rowsOfLines(words, group, columns)) rows.push({ lines: own, head: false });
    }
  }
  columns = withoutHeadColumns(words, rows, columns);
  if (columns.length < 2) return undefined;
  const heads = rows.filter(({ head }) => head).length;
  const unruledHead = !hasHead && rows.length > 2;
  const cells = rows.flatMap(({ lines: own, head }, row) =>
    cellsOf(
      words,
      own,
      columns,
      row,
      head || (unruledHead && row < 2) ? short : undefined,
      rows[row + 1]?.lines,
    ),
  );
  const ys = rows.map(({ lines: own }) => Math.min(...own.map(({ top }) => top)));
  ys.push(Math.max(...lines.map(({ bottom }) => bottom)));
  for (let at = 1; at < ys.length; at += 1) ys[at] = Math.max(ys[at] ?? 0, ys[at - 1] ?? 0);
  const xs = columns.map(({ left, from }) => (Number.isFinite(left) ? left : from));
  xs.push(columns.at(-1)?.to ?? region.to);
  xs[0] = Math.min(xs[0] ?? 0, region.from);
  xs[xs.length - 1] = Math.max(xs.at(-1) ?? 0, region.to);
  const draft: Draft = {
    xs,
    ys,
    cells,
    headerRows: heads > 0 && rules.length > 0 && !eachRow ? heads : undefined,
    bands: region.bands,
    by: rules.length > 0 ? 'rules' : 'alignment',
  };
  return { draft, columns, rows: rows.map(({ lines: own }) => own) };
}
