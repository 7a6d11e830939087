import type { Box } from '../../../../results.ts';
import type { Draft, DraftCell } from '../assemble.ts';
import type { TidyRules } from '../rules/tidy.ts';
import type { TableWord } from '../types.ts';
import { fill, mergedCells } from './cells.ts';
import { type Grid, gridOf } from './grid.ts';
import { nets } from './nets.ts';
import { withOpenSides, withTextColumns, withTextRows } from './parting.ts';

/** Whether a grid with words in its cells is a table and not a frame, a chart or a form field. */
function isTable(cells: readonly DraftCell[], grid: Grid, crossing: number): boolean {
  const used = cells.filter((cell) => cell.words.length > 0);
  const all = used.reduce((sum, cell) => sum + cell.words.length, 0);
  const rows = new Set(used.map(({ row }) => row));
  const columns = new Set(used.map(({ column }) => column));
  if (rows.size < 2 || columns.size < 2 || used.length < 3) return false;
  if (crossing > 0.1 * all + 1) return false;
  // A mostly empty grid is a form if its first row is full, and otherwise a chart.
  const head = used.filter(({ row }) => row === (used[0]?.row ?? 0)).length;
  const sparse = used.length < 0.45 * cells.length;
  if (sparse && head * 2 < cells.filter(({ row }) => row === (used[0]?.row ?? 0)).length)
    return false;
  if (sparse && used.length < 0.12 * cells.length) return false;
  // Few cells, each as long as a paragraph, are framed columns of a page.
  return !(used.length <= 6 && all > 60 * used.length) && grid.xs.length > 2;
}

export type Found = { region: Box; draft: Draft };

/** Finds tables with crossing lines between their cells. `within` returns the words in a box. */
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
    const closed = withOpenSides(ruled, words, inside);
    const columned = ruled.xs.length > 2 ? withTextColumns(closed, words, inside) : closed;
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
