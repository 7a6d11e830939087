import type { Cell, DocBlock } from '../../normalize/document.ts';
import type { Flow } from './flow.ts';
import { markupOf, plainMarkup } from './markup.ts';
import { drawText, fill, type LaidOutText, layOutText, lineColour, shadeColour } from './paper.ts';

type Table = Extract<DocBlock, { role: 'table' }>;

const padding = 4;
/** Number of rows that determine the widths of columns. */
const measuredRows = 60;
/** The mean width of a letter, relative to the font size. */
const letterWidth = 0.52;
/** The ratio of the width of bold letters to that of regular letters. */
const boldFactor = 1.2;
const minWidth = 28;
/** Maximum number of characters of a cell that are drawn. */
const maxCellText = 600;

/** Draws a table with ruled cells, with as many rows as fit. */
export async function drawTable(flow: Flow, table: Table): Promise<void> {
  const widths = widthsOf(flow, table);
  const right = flow.x + widths.reduce((sum, width) => sum + width, 0);
  for (const { row, cells } of cellRows(table)) {
    if (!flow.hasSpace()) break;
    const texts: { text: LaidOutText | null; place: PlacedCell }[] = [];
    for (const cell of cells) {
      const placedCell = placeCell(cell, widths, flow.x);
      if (!placedCell || !flow.hasSpace()) continue;
      texts.push({ text: await layOutCell(flow, cell, placedCell.width), place: placedCell });
    }
    const tallest = texts.reduce(
      (max, { text, place }) =>
        text && place.cell.rowSpan === 1 ? Math.max(max, text.height) : max,
      flow.size,
    );
    const height = tallest + 2 * padding;
    drawRow(flow, texts, { row, height, right });
    flow.y += height;
  }
  flow.y += flow.size;
}

interface PlacedCell {
  cell: Cell;
  x: number;
  width: number;
}

function placeCell(cell: Cell, widths: readonly number[], from: number): PlacedCell | null {
  if (cell.column >= widths.length) return null;
  const sum = (start: number, end: number): number =>
    widths.slice(start, end).reduce((total, width) => total + width, 0);
  const width = sum(cell.column, cell.column + cell.columnSpan);
  return { cell, x: from + sum(0, cell.column), width };
}

async function layOutCell(
  flow: Flow,
  { text, spans, header }: Cell,
  width: number,
): Promise<LaidOutText | null> {
  flow.countText();
  const markup = spans ? markupOf(spans, maxCellText) : plainMarkup(text, maxCellText);
  return layOutText(flow.paper, markup, { size: flow.size, bold: header }, width - 2 * padding);
}

function drawRow(
  { paper, x, y, bottom }: Flow,
  cells: readonly { text: LaidOutText | null; place: PlacedCell }[],
  { row, height, right }: { row: number; height: number; right: number },
): void {
  const visibleHeight = Math.min(height, bottom - y);
  if (row === 0 && cells.some(({ place }) => place.cell.header)) {
    fill(paper, [x, y, right - x, visibleHeight], shadeColour);
  }
  for (const { text, place } of cells) {
    fill(paper, [place.x, y, place.width, 0], lineColour);
    fill(paper, [place.x, y, 0, visibleHeight], lineColour);
    fill(paper, [place.x + place.width, y, 0, visibleHeight], lineColour);
    if (place.cell.rowSpan === 1 && y + height <= bottom) {
      fill(paper, [place.x, y + height, place.width, 0], lineColour);
    }
    if (!text) continue;
    const availableWidth = place.width - 2 * padding;
    const shift = text.isRightToLeft ? Math.max(0, availableWidth - text.width) : 0;
    drawText(paper, text, {
      x: place.x + padding + shift,
      y: y + padding,
      width: availableWidth - shift,
      height: Math.min(place.cell.rowSpan > 1 ? bottom - y : visibleHeight, bottom - y) - padding,
    });
  }
}

/** Yields the cells row by row. */
function* cellRows({ cells }: Table): Generator<{ row: number; cells: Cell[] }> {
  let rowCells: Cell[] = [];
  for (const cell of cells) {
    const [first] = rowCells;
    if (first && first.row !== cell.row) {
      yield { row: first.row, cells: rowCells };
      rowCells = [];
    }
    rowCells.push(cell);
  }
  const [first] = rowCells;
  if (first) yield { row: first.row, cells: rowCells };
}

/** Returns the widths of the columns, based on their content. */
function widthsOf({ size, width: availableWidth }: Flow, table: Table): number[] {
  const advance = size * letterWidth;
  const natural: number[] = [];
  const longest: number[] = [];
  for (const { row, column, columnSpan, text, header } of table.cells) {
    if (row >= measuredRows) break;
    natural[column] ??= minWidth;
    longest[column] ??= minWidth;
    if (columnSpan > 1) continue;
    const shown = text.slice(0, maxCellText);
    const letterAdvance = advance * (header ? boldFactor : 1);
    const widthOf = (parts: readonly string[]): number =>
      parts.reduce((max, { length }) => Math.max(max, length), 0) * letterAdvance + 2 * padding + 2;
    natural[column] = Math.max(natural[column], widthOf(shown.split('\n')));
    longest[column] = Math.max(
      longest[column],
      Math.min(widthOf(shown.split(/\s/)), availableWidth / 3),
    );
  }
  const widths = Array.from({ length: Math.min(table.columns, natural.length) }, (_, column) => [
    natural[column] ?? minWidth,
    longest[column] ?? minWidth,
  ]);
  const total = widths.reduce((sum, [wanted = 0]) => sum + wanted, 0);
  if (total <= availableWidth) return widths.map(([wanted = minWidth]) => wanted);
  // Words are not broken if there is space for them. The remaining width goes to columns with more
  // text.
  const min = widths.reduce((sum, [, word = 0]) => sum + word, 0);
  const part = min >= availableWidth ? 0 : (availableWidth - min) / Math.max(1, total - min);
  const fitted = widths.map(([wanted = 0, word = 0]) => word + (wanted - word) * part);
  const sum = fitted.reduce((all, width) => all + width, 0);
  return fitted.map((width) => (width * availableWidth) / Math.max(sum, availableWidth));
}
