import { median } from '../../../../geometry.ts';
import type { Rule } from '../types.ts';
import type { ConnectedRules } from './connected-rules.ts';

/** The maximum distance of lines that form one border, such as a double line. */
const maxBorderDistance = 4;
/** The minimum share of a cell's side that lines must cover for a border to exist. */
const minCoverage = 0.55;
const maxCells = 20_000;

/** A border of the grid: its position, and the lines that draw it. */
type Border = { at: number; rules: Rule[] };

function bordersOf(rules: readonly Rule[]): Border[] {
  const borders: Border[] = [];
  for (const rule of [...rules].sort((a, b) => a.at - b.at)) {
    const last = borders.at(-1);
    if (last && rule.at - (last.rules.at(-1)?.at ?? last.at) < maxBorderDistance)
      last.rules.push(rule);
    else borders.push({ at: rule.at, rules: [rule] });
  }
  for (const border of borders) {
    border.at = border.rules.reduce((sum, { at }) => sum + at, 0) / border.rules.length;
  }
  return borders;
}

/** Adds the outer sides that are not drawn, where crossing lines extend beyond the last line. */
function withOuterBorders(borders: Border[], crossingRules: readonly Rule[]): Border[] {
  const maxLength = Math.max(...crossingRules.map(({ from, to }) => to - from));
  const longRules = crossingRules.filter(({ from, to }) => to - from > 0.5 * maxLength);
  const from = median(longRules.map((rule) => rule.from));
  const to = median(longRules.map((rule) => rule.to));
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
  return length >= minCoverage * (to - from);
}

/** A grid of positions, with its drawn sides. */
export type Grid = {
  xs: number[];
  ys: number[];
  /** For each position, row by row: whether its right and its bottom side are drawn. */
  right: boolean[];
  bottom: boolean[];
};

/** Returns the grid that lines form; undefined if they form no grid, or one that is too fine. */
export function gridOf(net: ConnectedRules): Grid | undefined {
  const columns = withOuterBorders(bordersOf(net.down), net.across);
  const rows = withOuterBorders(bordersOf(net.across), net.down);
  const width = columns.length - 1;
  const height = rows.length - 1;
  if (width < 1 || height < 1 || width * height > maxCells) return undefined;
  const xs = columns.map(({ at }) => at);
  const ys = rows.map(({ at }) => at);
  const right: boolean[] = [];
  const bottom: boolean[] = [];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [x0 = 0, x1 = 0] = [xs[column], xs[column + 1]];
      const [y0 = 0, y1 = 0] = [ys[row], ys[row + 1]];
      right.push(column === width - 1 || covers(columns[column + 1] as Border, y0, y1));
      bottom.push(row === height - 1 || covers(rows[row + 1] as Border, x0, x1));
    }
  }
  return { xs, ys, right, bottom };
}
