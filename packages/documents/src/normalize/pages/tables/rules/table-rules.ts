import type { Box } from '../../../../results.ts';
import type { Line } from '../text/lines.ts';
import type { Rule, TablePage, TableWord } from '../types.ts';

/**
 * The maximum number of lines of a page with tables. A page with more is a drawing, and its lines
 * are ignored.
 */
const maxRules = 6_000;
/**
 * The maximum distance between ends that are joined, in points. Borders may be drawn cell by cell,
 * or as dots.
 */
const maxJoinDistance = 3.5;
/**
 * The maximum distance of lines that form a double line or the borders of adjacent cells, in
 * points.
 */
const maxDoubleDistance = 1.2;
/** The minimum length of lines, in points. Shorter lines are dashes. */
const minLength = 7;

/**
 * Joins lines that overlap or meet end to end, and drops lines that are too short to separate
 * cells.
 */
function joinRules(rules: readonly Rule[]): Rule[] {
  if (rules.length > maxRules) return [];
  const sorted = [...rules].sort((a, b) => a.at - b.at);
  const joinedRules: Rule[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    const first = sorted[start]?.at ?? 0;
    while (end < sorted.length && (sorted[end]?.at ?? 0) - first <= maxDoubleDistance) end += 1;
    const sameLevel = sorted.slice(start, end).sort((a, b) => a.from - b.from);
    let last: Rule | undefined;
    for (const rule of sameLevel) {
      if (last && rule.from - last.to <= maxJoinDistance) {
        last.to = Math.max(last.to, rule.to);
        last.thickness = Math.max(last.thickness, rule.thickness);
      } else {
        last = { ...rule };
        joinedRules.push(last);
      }
    }
    start = end;
  }
  return joinedRules.filter(({ from, to }) => to - from >= minLength);
}

/** Whether a line only underlines or strikes out the words along it. */
function isUnderlineOrStrike(
  rule: Rule,
  words: readonly TableWord[],
  lines: readonly Line[],
): boolean {
  for (let at = firstBelow(lines, rule.at - 20); at < lines.length; at += 1) {
    const line = lines[at];
    if (!line || line.base - line.size > rule.at) break;
    const offset = (rule.at - line.base) / line.size;
    if (offset < -0.6 || offset > 0.22) continue;
    let from = Number.POSITIVE_INFINITY;
    let to = Number.NEGATIVE_INFINITY;
    let coveredLength = 0;
    let struckLength = 0;
    for (const index of line.words) {
      const [x0 = 0, , x1 = 0] = words[index]?.box ?? [];
      const overlap = Math.min(x1, rule.to) - Math.max(x0, rule.from);
      if (offset < -0.05) struckLength += Math.max(0, overlap);
      if (overlap < 0.5 * (x1 - x0)) continue;
      from = Math.min(from, x0);
      to = Math.max(to, x1);
      coveredLength += overlap;
    }
    const tolerance = 0.3 * line.size;
    if (Math.abs(from - rule.from) < tolerance && Math.abs(to - rule.to) < tolerance) return true;
    if (coveredLength > 0.95 * (rule.to - rule.from)) return true;
    // At a low resolution, the letters of small print merge.
    if (struckLength > 0.6 * (rule.to - rule.from)) return true;
  }
  return false;
}

function firstBelow(lines: readonly Line[], y: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.base ?? 0) < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Joins adjacent shaded boxes into rows, because some programs shade the cells of a row one by one.
 */
function joinShadedBoxes(fills: readonly Box[]): Box[] {
  const sorted = [...fills]
    .filter(([, y0, , y1]) => y1 - y0 > 4)
    .sort((a, b) => Math.round(a[1]) - Math.round(b[1]) || a[0] - b[0]);
  const shadedRows: Box[] = [];
  for (const [x0, y0, x1, y1] of sorted.slice(0, maxRules)) {
    const last = shadedRows.at(-1);
    const isLevel = last && Math.abs(last[1] - y0) < 1.5 && Math.abs(last[3] - y1) < 1.5;
    if (last && isLevel && x0 - last[2] < 4) last[2] = Math.max(last[2], x1);
    else shadedRows.push([x0, y0, x1, y1]);
  }
  return extendByTallBoxes(shadedRows);
}

/** The maximum distance between shaded boxes of one row, in points. */
const maxBoxDistance = 4;

/**
 * Extends shaded rows by adjacent shaded boxes that are several rows high: cells that span rows.
 */
function extendByTallBoxes(rows: readonly Box[]): Box[] {
  const tallBoxes = new Set<Box>();
  const extended = rows.map((row) => {
    const [, y0, , y1] = row;
    const extendedRow: Box = [...row];
    for (const other of rows) {
      const coversRow = other[1] < y0 + 1.5 && other[3] > y1 - 1.5;
      if (!coversRow || other[3] - other[1] < y1 - y0 + maxBoxDistance) continue;
      const isAdjacent =
        Math.abs(other[2] - extendedRow[0]) < maxBoxDistance ||
        Math.abs(other[0] - extendedRow[2]) < maxBoxDistance;
      if (!isAdjacent) continue;
      tallBoxes.add(other);
      extendedRow[0] = Math.min(extendedRow[0], other[0]);
      extendedRow[2] = Math.max(extendedRow[2], other[2]);
    }
    return extendedRow;
  });
  return extended.filter((_, at) => !tallBoxes.has(rows[at] as Box));
}

/** Whether a shaded box touches the edge of the page, like bars of slides but unlike table rows. */
const touchesEdge = ([x0, y0, x1, y1]: Box, { widthPt, heightPt }: TablePage): boolean =>
  x0 < 1 || y0 < 1 || x1 > widthPt - 1 || y1 > heightPt - 1;

/** The rules of a page, joined and without underlines, and its shaded boxes, joined into rows. */
export type TableRules = { across: Rule[]; down: Rule[]; shadedRows: Box[] };

export function prepareRules(page: TablePage, lines: readonly Line[]): TableRules {
  return {
    across: joinRules(page.across).filter((rule) => !isUnderlineOrStrike(rule, page.words, lines)),
    down: joinRules(page.down),
    shadedRows: joinShadedBoxes(page.fills.filter((fill) => !touchesEdge(fill, page))),
  };
}
