import { columnName } from '@scriptorium/contracts/documents/shown-text';
import type { DocBlock, NormalDocument } from '../../normalize/document.ts';
import { drawBlocks } from './blocks.ts';
import { createFlow, type Flow } from './flow.ts';
import { plainMarkup } from './markup.ts';
import {
  createPaper,
  fill,
  lineColour,
  type Paper,
  paperColour,
  putText,
  setText,
  shade,
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
const size = { width: 560, height: 395.7 };
const format = { margin: 24, size: 9.5, headings: [14, 12, 11, 10, 10, 10] };
const rowHeight = 15;
const headHeight = 14;
const gutterWidth = 28;
const tabHeight = 17;
const padding = 3;
const emptyWidth = 56;
const minWidth = 36;
const maxWidth = 150;
/**
 * The width of a letter relative to the font size. Digits are wider than most letters and must not
 * be cut off.
 */
const letter = 0.6;
const bolder = 1.1;
/** Maximum number of characters of a cell that are measured and drawn. */
const maxText = 200;
/**
 * If the content starts within this distance of the first row and column, the grid starts at the
 * first row and column.
 */
const near = { rows: 12, columns: 3 };
const number = /^[-+(]?[^\p{L}]{0,3}\d[\d\s.,'’]*\)?\s?(?:%|\p{Sc}|\p{Lu}{3})?$/u;

/** Draws a sheet of a workbook: its cells, or its other content if it has no cells. */
export async function drawWorkbook(
  { name }: NormalDocument['pages'][number],
  blocks: readonly DocBlock[],
  pixels: number,
): Promise<Paper> {
  const paper = createPaper(size.width, size.height, pixels);
  const flow = createFlow(paper, format);
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
        const place = { row: at.row + row, column: at.column + column };
        return { ...place, rowSpan, columnSpan, text, isHeader: header };
      });
    }
    if (!('text' in block)) return [];
    return [{ ...at, rowSpan: 1, columnSpan: 1, text: block.text, isHeader: false }];
  });
}

/**
 * Draws the first cells of a sheet as a grid, with column letters, row numbers and the sheet name.
 */
async function drawGrid(flow: Flow, all: readonly GridCell[], name: string | null): Promise<void> {
  const { paper } = flow;
  const bottom = paper.height - (name === null ? 0 : tabHeight);
  const first = {
    row: start(all, ({ row }) => row, near.rows),
    column: start(all, ({ column }) => column, near.columns),
  };
  const rows = Math.ceil((bottom - headHeight) / rowHeight);
  const shown = all.filter(({ row, column, text }) => {
    const isInside = row >= first.row && row < first.row + rows && column >= first.column;
    return isInside && text !== '';
  });
  const edges = edgesOf(shown, first.column, flow);
  await drawFrame(flow, { first, rows, bottom, edges });
  const grid = {
    first,
    edges,
    bottom,
    taken: new Set(shown.map(({ row, column }) => key(row, column))),
  };
  for (const cell of shown) {
    if (!flow.hasRoom()) break;
    await drawCell(flow, cell, grid);
  }
  if (name !== null) await drawTab(flow, name, bottom);
}

/**
 * Returns the first row or column to draw. Leading empty rows and columns are drawn only if they
 * are few.
 */
function start(cells: readonly GridCell[], of: (cell: GridCell) => number, most: number): number {
  const least = cells.reduce((min, cell) => Math.min(min, of(cell)), Number.POSITIVE_INFINITY);
  return Number.isFinite(least) && least > most ? least : 0;
}

const key = (row: number, column: number): string => `${row} ${column}`;

/**
 * Returns the edges of columns up to the right edge of the paper. Columns are as wide as their
 * cells, within limits.
 */
function edgesOf(cells: readonly GridCell[], first: number, { paper, size }: Flow): number[] {
  const inRow = new Map<number, number>();
  for (const { row } of cells) inRow.set(row, (inRow.get(row) ?? 0) + 1);
  const widths: number[] = [];
  for (const { row, column, columnSpan, text, isHeader } of cells) {
    const at = column - first;
    // The only cell in a row is a title, and may extend over the empty cells beside it.
    if (columnSpan > 1 || inRow.get(row) === 1) continue;
    const letters = Math.min(maxText, text.length) * (isHeader ? bolder : 1);
    const least = widths[at] ?? minWidth;
    widths[at] = Math.max(least, Math.min(maxWidth, letters * letter * size + 2 * padding));
  }
  const edges = [gutterWidth];
  for (let at = 0; edges.at(-1)! < paper.width; at += 1) {
    edges.push(edges.at(-1)! + (widths[at] ?? emptyWidth));
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
  fill(paper, [0, 0, paper.width, headHeight], shade);
  fill(paper, [0, 0, gutterWidth, bottom], shade);
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
  const style = { size: flow.size * 0.85, soft: true };
  flow.spend();
  const text = await setText(flow.paper, plainMarkup(label, 12), style, null);
  if (!text) return;
  const left = x + Math.max(0, (width - text.width) / 2);
  putText(flow.paper, text, { x: left, y: y + (height - text.height) / 2 + 1, width, height });
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
  const own = Math.min(edges[end] ?? x, flow.paper.width) - x;
  const isMerged = cell.rowSpan > 1 || cell.columnSpan > 1;
  const height = Math.min(cell.rowSpan * rowHeight, bottom - y);
  if (isMerged) fill(flow.paper, [x + 1, y + 1, own - 1.5, height - 1.5], paperColour);
  const line = cell.text.slice(0, maxText).replace(/\s+/g, ' ');
  const isNumber = number.test(line);
  let until = end;
  // Text extends over the empty cells beside it, as in spreadsheets.
  if (!isNumber && !isMerged) {
    while (until < edges.length - 1 && !taken.has(key(cell.row, first.column + until))) until += 1;
  }
  const room = Math.min(edges[until] ?? x, flow.paper.width) - x - 2 * padding;
  const style = { size: flow.size, bold: cell.isHeader };
  flow.spend();
  const text = await setText(flow.paper, plainMarkup(line, maxText), style, null);
  if (!text) return;
  const width = Math.min(room, text.width);
  if (width > own) fill(flow.paper, [x + 1, y + 1, width + padding, rowHeight - 1.5], paperColour);
  const free = own - 2 * padding - text.width;
  const shift =
    free < 0 ? 0 : isNumber || text.fromRight ? free : cell.columnSpan > 1 ? free / 2 : 0;
  const above = Math.max(0, (Math.min(height, rowHeight * cell.rowSpan) - text.height) / 2) + 1.8;
  putText(flow.paper, text, {
    x: x + padding + shift,
    y: y + above,
    width: room - shift,
    height: height - above,
  });
}

/** Draws the name of the sheet, like the tabs below a workbook. */
async function drawTab(flow: Flow, name: string, y: number): Promise<void> {
  const { paper } = flow;
  fill(paper, [0, y, paper.width, tabHeight], shade);
  fill(paper, [0, y, paper.width, 0], lineColour);
  flow.spend();
  const text = await setText(paper, plainMarkup(name, 60), { size: flow.size, bold: true }, null);
  if (!text) return;
  const width = Math.min(text.width, paper.width / 2);
  fill(paper, [gutterWidth, y, width + 16, tabHeight - 3], paperColour);
  fill(paper, [gutterWidth, y, 0, tabHeight - 3], lineColour);
  fill(paper, [gutterWidth + width + 16, y, 0, tabHeight - 3], lineColour);
  putText(paper, text, { x: gutterWidth + 8, y: y + 2, width, height: tabHeight });
}
