import type { Box } from '../../../../results.ts';
import type { DraftCell, TableDraft } from '../assemble.ts';
import type { Rule, TableWord } from '../types.ts';
import { type Column, columnsOf, placePhrases } from './columns.ts';
import { assignHeads, extendHeads, spanHead } from './heads.ts';
import type { Line } from './lines.ts';
import { areRows, rowsOfLines } from './rows.ts';

/** A part of a page that may be a table, with its lines and horizontal rules. */
export type Region = {
  lines: readonly Line[];
  /** Rules across the whole table, from top to bottom. The head ends at the second rule. */
  rules: readonly number[];
  /** Shorter rules, under heads that span columns. */
  shortRules: readonly Rule[];
  from: number;
  to: number;
  shadedRows: readonly Box[];
};

/** Groups the lines by the rules between them. */
function groupByRules(lines: readonly Line[], rules: readonly number[]): Line[][] {
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
function endsAtShadedRow(
  lines: readonly Line[] | undefined,
  { rules, shadedRows }: Region,
): boolean {
  const last = lines?.at(-1);
  if (!last) return false;
  const middle = last.base - 0.3 * last.size;
  const next = rules.find((at) => at > middle);
  const isShaded = shadedRows.some(([, y0, , y1]) => y0 < middle && middle < y1);
  return !isShaded && next !== undefined && shadedRows.some(([, y0]) => Math.abs(y0 - next) < 1);
}

/**
 * Whether rules separate all rows. The lines between two rules then belong to the cells of one row.
 */
function rulesSeparateRows(
  words: readonly TableWord[],
  groups: readonly Line[][],
  columns: readonly Column[],
): boolean {
  const multiRowGroups = groups.slice(1).filter((group) => {
    return group.length >= 2 && areRows(words, group, columns);
  });
  return groups.length >= 4 && multiRowGroups.length <= 0.6 * (groups.length - 1);
}

/** Whether each text of a line is centred above a group of equally many texts of the line below. */
function areGroupHeads(
  words: readonly TableWord[],
  line: Line,
  below: Line | undefined,
  columns: readonly Column[],
): boolean {
  if (!below) return false;
  const placed = placePhrases(words, line, columns);
  const columnsBelow = new Set(placePhrases(words, below, columns).map(({ first }) => first));
  if (columnsBelow.size < 2 || !extendHeads(placed, columnsBelow, columns, line.size)) return false;
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
  shortRules: readonly Rule[],
): Line[][] {
  const rows: Line[][] = [];
  let wasSpanning = false;
  for (const [at, line] of lines.entries()) {
    const placed = placePhrases(words, line, columns);
    const before = lines[at - 1];
    const hasRule = shortRules.some(
      (rule) => before && rule.at > before.base - 1 && rule.at < line.base - 0.3 * line.size,
    );
    const isSpanning =
      placed.some(({ first, last }) => last > first) ||
      areGroupHeads(words, line, lines[at + 1], columns);
    if (at === 0 || hasRule || wasSpanning !== isSpanning) rows.push([line]);
    else rows.at(-1)?.push(line);
    wasSpanning = isSpanning;
  }
  return rows;
}

/** Returns the cells of one row. Phrases below each other form one cell. */
function cellsOf(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
  row: number,
  shortRules: readonly Rule[] | undefined,
  below: readonly Line[] | undefined,
): DraftCell[] {
  const columnsBelow = new Set(
    (shortRules && below ? below : []).flatMap((line) =>
      placePhrases(words, line, columns).map(({ first }) => first),
    ),
  );
  // If another line of the row has text in these columns, this line is not extended equally.
  const hasOtherHeads = (line: Line): boolean =>
    lines.some(
      (one) =>
        one !== line &&
        placePhrases(words, one, columns).some(({ first }) => columnsBelow.has(first)),
    );
  const placed = lines.flatMap((line) => {
    const placedHeads = placePhrases(words, line, columns);
    if (!shortRules) return placedHeads;
    const inOrder = assignHeads(words, line, placedHeads, columns);
    if (inOrder) return inOrder;
    if (!hasOtherHeads(line) && extendHeads(placedHeads, columnsBelow, columns, line.size))
      return placedHeads;
    for (const one of placedHeads) spanHead(one, placedHeads, columns, line, shortRules);
    return placedHeads;
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
  rows: readonly { lines: Line[]; isHead: boolean }[],
  columns: readonly Column[],
): Column[] {
  const usedColumns = rows.map(({ lines }) => {
    const rowColumns = new Set<number>();
    for (const line of lines) {
      for (const { first, last } of placePhrases(words, line, columns)) {
        for (let at = first; at <= last; at += 1) rowColumns.add(at);
      }
    }
    return rowColumns;
  });
  const heads = rows.filter(({ isHead }) => isHead).length || 1;
  const kept: Column[] = [];
  let from = 0;
  /** The columns that were merged into the last kept column. */
  let members: number[] = [0];
  for (let at = 0; at < columns.length; at += 1) {
    const column = columns[at];
    const before = kept.at(-1);
    if (!column) continue;
    const has = (index: number, row: Set<number>): boolean => row.has(index);
    const isInBody = (index: number): boolean =>
      usedColumns.slice(heads).some((row) => has(index, row));
    const shareRow = usedColumns.some(
      (row) => has(at, row) && members.some((one) => has(one, row)),
    );
    if (before && !shareRow && isInBody(from) !== isInBody(at)) {
      before.right = column.right;
      members.push(at);
      if (isInBody(at)) {
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
): { draft: TableDraft; columns: Column[]; rows: Line[][] } | undefined {
  const { lines, rules, shortRules } = region;
  const groups = groupByRules(lines, rules);
  const endsAtShading = endsAtShadedRow(groups[0], region);
  const hasHead = groups.length >= 2 && (groups[0]?.length ?? 0) <= 6 && !endsAtShading;
  const headLines = hasHead ? (groups[0]?.length ?? 0) : 0;
  const columnSets = [undefined, ...(hasHead ? [headLines] : [])].map((heads) =>
    columnsOf(words, lines, heads),
  );
  let columns = columnSets.reduce((best, one) => (one.length > best.length ? one : best), []);
  if (columns.length < 2) return undefined;
  const hasRulePerRow = rulesSeparateRows(words, groups, columns);
  const rows: { lines: Line[]; isHead: boolean }[] = [];
  for (const [at, group] of groups.entries()) {
    const isHeadGroup = at === 0 && hasHead;
    if (isHeadGroup) {
      for (const rowLines of headRows(words, group, columns, shortRules))
        rows.push({ lines: rowLines, isHead: true });
    } else if (
      hasRulePerRow &&
      !(at === 0 && endsAtShading) &&
      !(group.length >= 3 && areRows(words, group, columns))
    ) {
      rows.push({ lines: group, isHead: false });
    } else {
      for (const rowLines of rowsOfLines(words, group, columns))
        rows.push({ lines: rowLines, isHead: false });
    }
  }
  columns = withoutHeadColumns(words, rows, columns);
  if (columns.length < 2) return undefined;
  const headRowCount = rows.filter(({ isHead }) => isHead).length;
  const mayHaveUnruledHead = !hasHead && rows.length > 2;
  const cells = rows.flatMap(({ lines: own, isHead }, row) =>
    cellsOf(
      words,
      own,
      columns,
      row,
      isHead || (mayHaveUnruledHead && row < 2) ? shortRules : undefined,
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
  const draft: TableDraft = {
    xs,
    ys,
    cells,
    headerRows: headRowCount > 0 && rules.length > 0 && !hasRulePerRow ? headRowCount : undefined,
    shadedRows: region.shadedRows,
    foundBy: rules.length > 0 ? 'rules' : 'alignment',
  };
  return { draft, columns, rows: rows.map(({ lines: own }) => own) };
}
