import { columnName } from '@scriptorium/contracts/documents/shown-text';
import type { DocBlock, NormalDocument } from '../../normalize/document.ts';
import { drawBlocks } from './blocks.ts';
import { createFlow, type Flow } from './flow.ts';
import { plainMarkup } from './markup.ts';
import {
  createPaper,
  drawText,
  fill,
  layOutText,
  lineColour,
  type Paper,
  paperColour,
  shadeColour,
} from './paper.ts';

/** A cell and its position on the sheet, zero-based. */
interface GridCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  text: string;
  isHeader: boolean;
}

/** The size in points, as wide as A4 in landscape format. */
const sheetSize = { width: 560, height: 395.7 };
const sheetFormat = { margin: 24, size: 9.5, headings: [14, 12, 11, 10, 10, 10] };
const rowHeight = 15;
const headHeight = 14;
const gutterWidth = 28;
const tabHeight = 17;
const padding = 3;
const emptyColumnWidth = 56;
const minColumnWidth = 36;
const maxColumnWidth = 150;
/**
 * The width of a letter relative to the font size. Digits are wider than most letters and must not
 * be cut off.
 */
const letterWidth = 0.6;
const boldFactor = 1.1;
/** Maximum number of characters of a cell that are measured and drawn. */
const maxText = 200;
/**
 * If the content starts within this distance of the first row and column, the grid starts at the
 * first row and column.
 */
const maxEmptyLead = { rows: 12, columns: 3 };
const numberPattern = /^[-+(]?[^\p{L}]{0,3}\d[\d\s.,'’]*\)?\s?(?:%|\p{Sc}|\p{Lu}{3})?$/u;

/** Draws a sheet of a workbook: its cells, or its other content if it has no cells. */
export async function drawWorkbook(
  { name }: NormalDocument['pages'][number],
  blocks: readonly DocBlock[],
  pixels: number,
): Promise<Paper> {
  const paper = createPaper(sheetSize.width, sheetSize.height, pixels);
  const flow = createFlow(paper, sheetFormat);
  const cells = cellsOf(blocks);
  if (cells.length > 0 || blocks.length === 0) await drawGrid(flow, cells, name || null);
  else await drawBlocks(flow, blocks);
  return paper;
}

/** Returns the cells of a sheet; empty if its blocks have no cell positions, as in charts. */
function cellsOf(blocks: readonly DocBlock[]): GridCell[] {
  return blocks.flatMap((block): GridCell[] => {
    const { at } = block;
    if (!at) return [];
    if (block.role === 'table') {
      return block.cells.map(({ row, column, rowSpan, columnSpan, text, header }) => {
        const position = { row: at.row + row, column: at.column + column };
        return { ...position, rowSpan, columnSpan, text, isHeader: header };
      });
    }
    if (!('text' in block)) return [];
    return [{ ...at, rowSpan: 1, columnSpan: 1, text: block.text, isHeader: false }];
  });
}

/**
 * Draws the first cells of a sheet as a grid, with column letters, row numbers and the sheet name.
 */
async function drawGrid(
  flow: Flow,
  cells: readonly GridCell[],
  name: string | null,
): Promise<void> {
  const { paper } = flow;
  const bottom = paper.height - (name === null ? 0 : tabHeight);
  const first = {
    row: firstShown(cells, ({ row }) => row, maxEmptyLead.rows),
    column: firstShown(cells, ({ column }) => column, maxEmptyLead.columns),
  };
  const rows = Math.ceil((bottom - headHeight) / rowHeight);
  const visibleCells = cells.filter(({ row, column, text }) => {
    const isInside = row >= first.row && row < first.row + rows && column >= first.column;
    return isInside && text !== '';
  });
  const edges = edgesOf(visibleCells, first.column, flow);
  await drawFrame(flow, { first, rows, bottom, edges });
  const grid = {
    first,
    edges,
    bottom,
    taken: new Set(visibleCells.map(({ row, column }) => cellKey(row, column))),
  };
  for (const cell of visibleCells) {
    if (!flow.hasSpace()) break;
    await drawCell(flow, cell, grid);
  }
  if (name !== null) await drawTab(flow, name, bottom);
}

/**
 * Returns the first row or column to draw. Leading empty rows and columns are drawn only if they
 * are few.
 */
function firstShown(
  cells: readonly GridCell[],
  of: (cell: GridCell) => number,
  maxEmpty: number,
): number {
  const first = cells.reduce((min, cell) => Math.min(min, of(cell)), Number.POSITIVE_INFINITY);
  return Number.isFinite(first) && first > maxEmpty ? first : 0;
}

const cellKey = (row: number, column: number): string => `${row} ${column}`;

/**
 * Returns the edges of columns up to the right edge of the paper. Columns are as wide as their
 * cells, within limits.
 */
function edgesOf(cells: readonly GridCell[], first: number, { paper, size }: Flow): number[] {
  const cellsPerRow = new Map<number, number>();
  for (const { row } of cells) cellsPerRow.set(row, (cellsPerRow.get(row) ?? 0) + 1);
  const widths: number[] = [];
  for (const { row, column, columnSpan, text, isHeader } of cells) {
    const at = column - first;
    // The only cell in a row is a title, and may extend over the empty cells beside it.
    if (columnSpan > 1 || cellsPerRow.get(row) === 1) continue;
    const letters = Math.min(maxText, text.length) * (isHeader ? boldFactor : 1);
    const least = widths[at] ?? minColumnWidth;
    widths[at] = Math.max(
      least,
      Math.min(maxColumnWidth, letters * letterWidth * size + 2 * padding),
    );
  }
  const edges = [gutterWidth];
  for (let at = 0; edges.at(-1)! < paper.width; at += 1) {
    edges.push(edges.at(-1)! + (widths[at] ?? emptyColumnWidth));
  }
  return edges;
}

interface Grid {
  first: { row: number; column: number };
  /** The edges of columns in points. The last one is beyond the edge of the paper. */
  edges: readonly number[];
  bottom: number;
}

async function drawFrame(
  flow: Flow,
  { first, rows, bottom, edges }: Grid & { rows: number },
): Promise<void> {
  const { paper } = flow;
  fill(paper, [0, 0, paper.width, headHeight], shadeColour);
  fill(paper, [0, 0, gutterWidth, bottom], shadeColour);
  for (const [at, edge] of edges.entries()) {
    fill(paper, [edge, 0, 0, bottom], lineColour);
    const width = (edges[at + 1] ?? edge) - edge;
    if (width > 0)
      await drawLabel(flow, columnName(first.column + at + 1), edge, 0, width, headHeight);
  }
  for (let at = 0; at < rows; at += 1) {
    const y = headHeight + at * rowHeight;
    fill(paper, [0, y, paper.width, 0], lineColour);
    await drawLabel(flow, String(first.row + at + 1), 0, y, gutterWidth, rowHeight);
  }
}

/** Draws a text in the centre of a box. */
async function drawLabel(
  flow: Flow,
  label: string,
  x: number,
  y: number,
  width: number,
  height: number,
): Promise<void> {
  const style = { size: flow.size * 0.85, isMuted: true };
  flow.countText();
  const text = await layOutText(flow.paper, plainMarkup(label, 12), style, null);
  if (!text) return;
  const left = x + Math.max(0, (width - text.width) / 2);
  drawText(flow.paper, text, { x: left, y: y + (height - text.height) / 2 + 1, width, height });
}

async function drawCell(
  flow: Flow,
  cell: GridCell,
  { first, edges, bottom, taken }: Grid & { taken: ReadonlySet<string> },
): Promise<void> {
  const at = cell.column - first.column;
  const x = edges[at];
  if (x === undefined || x >= flow.paper.width) return;
  const y = headHeight + (cell.row - first.row) * rowHeight;
  const end = Math.min(edges.length - 1, at + cell.columnSpan);
  const cellWidth = Math.min(edges[end] ?? x, flow.paper.width) - x;
  const isMerged = cell.rowSpan > 1 || cell.columnSpan > 1;
  const height = Math.min(cell.rowSpan * rowHeight, bottom - y);
  if (isMerged) fill(flow.paper, [x + 1, y + 1, cellWidth - 1.5, height - 1.5], paperColour);
  const line = cell.text.slice(0, maxText).replace(/\s+/g, ' ');
  const isNumber = numberPattern.test(line);
  let lastEdge = end;
  // Text extends over the empty cells beside it, as in spreadsheets.
  if (!isNumber && !isMerged) {
    while (lastEdge < edges.length - 1 && !taken.has(cellKey(cell.row, first.column + lastEdge)))
      lastEdge += 1;
  }
  const availableWidth = Math.min(edges[lastEdge] ?? x, flow.paper.width) - x - 2 * padding;
  const style = { size: flow.size, bold: cell.isHeader };
  flow.countText();
  const text = await layOutText(flow.paper, plainMarkup(line, maxText), style, null);
  if (!text) return;
  const width = Math.min(availableWidth, text.width);
  if (width > cellWidth)
    fill(flow.paper, [x + 1, y + 1, width + padding, rowHeight - 1.5], paperColour);
  const free = cellWidth - 2 * padding - text.width;
  const shift =
    free < 0 ? 0 : isNumber || text.isRightToLeft ? free : cell.columnSpan > 1 ? free / 2 : 0;
  const topInset =
    Math.max(0, (Math.min(height, rowHeight * cell.rowSpan) - text.height) / 2) + 1.8;
  drawText(flow.paper, text, {
    x: x + padding + shift,
    y: y + topInset,
    width: availableWidth - shift,
    height: height - topInset,
  });
}

/** Draws the name of the sheet, like the tabs below a workbook. */
async function drawTab(flow: Flow, name: string, y: number): Promise<void> {
  const { paper } = flow;
  fill(paper, [0, y, paper.width, tabHeight], shadeColour);
  fill(paper, [0, y, paper.width, 0], lineColour);
  flow.countText();
  const text = await layOutText(
    paper,
    plainMarkup(name, 60),
    { size: flow.size, bold: true },
    null,
  );
  if (!text) return;
  const width = Math.min(text.width, paper.width / 2);
  fill(paper, [gutterWidth, y, width + 16, tabHeight - 3], paperColour);
  fill(paper, [gutterWidth, y, 0, tabHeight - 3], lineColour);
  fill(paper, [gutterWidth + width + 16, y, 0, tabHeight - 3], lineColour);
  drawText(paper, text, { x: gutterWidth + 8, y: y + 2, width, height: tabHeight });
}
