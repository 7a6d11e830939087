import type { Box } from '../../../../results.ts';
import type { DraftCell, TableDraft } from '../assemble.ts';
import type { TableRules } from '../rules/table-rules.ts';
import type { TableWord } from '../types.ts';
import { assignWords, mergeCells } from './cells.ts';
import { groupConnectedRules } from './connected-rules.ts';
import { type Grid, gridOf } from './grid.ts';
import { withOpenSides, withTextColumns, withTextRows } from './split-grid.ts';

/** Whether a grid with words in its cells is a table and not a frame, a chart or a form field. */
function isTable(cells: readonly DraftCell[], grid: Grid, crossing: number): boolean {
  const filledCells = cells.filter((cell) => cell.words.length > 0);
  const wordCount = filledCells.reduce((sum, cell) => sum + cell.words.length, 0);
  const rows = new Set(filledCells.map(({ row }) => row));
  const columns = new Set(filledCells.map(({ column }) => column));
  if (rows.size < 2 || columns.size < 2 || filledCells.length < 3) return false;
  if (crossing > 0.1 * wordCount + 1) return false;
  // A mostly empty grid is a form if its first row is full, and otherwise a chart.
  const filledInFirstRow = filledCells.filter(
    ({ row }) => row === (filledCells[0]?.row ?? 0),
  ).length;
  const isSparse = filledCells.length < 0.45 * cells.length;
  if (
    isSparse &&
    filledInFirstRow * 2 < cells.filter(({ row }) => row === (filledCells[0]?.row ?? 0)).length
  )
    return false;
  if (isSparse && filledCells.length < 0.12 * cells.length) return false;
  // Few cells, each as long as a paragraph, are framed columns of a page.
  return !(filledCells.length <= 6 && wordCount > 60 * filledCells.length) && grid.xs.length > 2;
}

export type TableCandidate = { region: Box; draft: TableDraft };

/** Finds tables with crossing lines between their cells. `within` returns the words in a box. */
export function latticesOf(
  words: readonly TableWord[],
  rules: TableRules,
  within: (box: Box) => number[],
): TableCandidate[] {
  const found: TableCandidate[] = [];
  for (const net of groupConnectedRules(rules)) {
    const ruledGrid = gridOf(net);
    if (!ruledGrid) continue;
    const region: Box = [
      ruledGrid.xs[0] ?? 0,
      ruledGrid.ys[0] ?? 0,
      ruledGrid.xs.at(-1) ?? 0,
      ruledGrid.ys.at(-1) ?? 0,
    ];
    const wordIndexes = within(region);
    if (ruledGrid.xs.length === 2 && ruledGrid.ys.length === 2) continue;
    const closedGrid = withOpenSides(ruledGrid, words, wordIndexes);
    const columnGrid =
      ruledGrid.xs.length > 2 ? withTextColumns(closedGrid, words, wordIndexes) : closedGrid;
    const grid = withTextRows(columnGrid, words, wordIndexes);
    const cells = mergeCells(grid);
    const crossing = assignWords(cells, grid, words, wordIndexes);
    if (!isTable(cells, grid, crossing)) continue;
    const { xs, ys } = grid;
    const draft: TableDraft = {
      xs,
      ys,
      cells,
      headerRows: undefined,
      shadedRows: rules.shadedRows,
      foundBy: 'lattice',
    };
    found.push({ region, draft });
  }
  return found;
}
