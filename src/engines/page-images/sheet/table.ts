import type { Cell, DocBlock } from '../../normalize/document.ts';
import type { Flow } from './flow.ts';
import { markupOf, plainMarkup } from './markup.ts';
import { fill, lineColour, type Paper, putText, type SetText, setText, shade } from './paper.ts';

type Table = Extract<DocBlock, { role: 'table' }>;

const padding = 4;
/** Rows that the widths of columns are measured by. */
const measured = 60;
/** Of the font's size: the mean width of a letter; `bold` is how much wider bold ones are. */
const letter = { plain: 0.52, even: 0.61, bold: 1.2 };
const leastWidth = 28;
const mostSheetWidth = 170;
/** Text of a cell beyond it is not drawn. */
const mostCellText = 600;
const number = /^[-+(]?[^\p{L}]{0,3}\d[\d\s.,'’]*\)?\s?(?:%|\p{Sc}|\p{Lu}{3})?$/u;

/** Draws a table with ruled cells, as many rows as fit. */
export async function drawTable(flow: Flow, table: Table): Promise<void> {
  const widths = widthsOf(flow, table);
  const style = { size: flow.size, even: flow.even };
  const right = flow.x + widths.reduce((sum, width) => sum + width, 0);
  const top = flow.y;
  for (const { row, cells } of rowsOf(table)) {
    if (!flow.hasRoom()) break;
    const set: { text: SetText | null; place: Placed }[] = [];
    for (const cell of cells) {
      const place = placeOf(cell, widths, flow.x);
      if (!place || !flow.hasRoom()) continue;
      set.push({ text: await setCell(flow, cell, place.width, style), place });
    }
    const tallest = set.reduce(
      (most, { text, place }) =>
        text && place.cell.rowSpan === 1 ? Math.max(most, text.height) : most,
      flow.size,
    );
    const height = flow.isSheet ? flow.size * 1.75 : tallest + 2 * padding;
    drawRow(flow, set, { row, height, right });
    flow.y += height;
  }
  if (flow.isSheet) drawColumns(flow.paper, widths, flow.x, top, flow.y);
  flow.y += flow.size;
}

interface Placed {
  cell: Cell;
  x: number;
  width: number;
}

function placeOf(cell: Cell, widths: readonly number[], from: number): Placed | null {
  if (cell.column >= widths.length) return null;
  const sum = (start: number, end: number): number =>
    widths.slice(start, end).reduce((total, width) => total + width, 0);
  const width = sum(cell.column, cell.column + cell.columnSpan);
  return { cell, x: from + sum(0, cell.column), width };
}

async function setCell(
  flow: Flow,
  { text, spans, header }: Cell,
  width: number,
  style: { size: number; even: boolean },
): Promise<SetText | null> {
  flow.spend();
  const shown = { ...style, bold: header };
  if (flow.isSheet) {
    const letters = Math.ceil(width / (style.size * 0.3));
    const line = text.slice(0, letters).replace(/\s+/g, ' ');
    return setText(flow.paper, plainMarkup(line, letters), shown, null);
  }
  const markup = spans ? markupOf(spans, mostCellText) : plainMarkup(text, mostCellText);
  return setText(flow.paper, markup, shown, width - 2 * padding);
}

function drawRow(
  { paper, x, y, size, isSheet, bottom }: Flow,
  cells: readonly { text: SetText | null; place: Placed }[],
  { row, height, right }: { row: number; height: number; right: number },
): void {
  const drawn = Math.min(height, bottom - y);
  if (row === 0 && cells.some(({ place }) => place.cell.header)) {
    fill(paper, [x, y, right - x, drawn], shade);
  }
  if (isSheet) {
    if (row === 0) fill(paper, [x, y, right - x, 0], lineColour);
    if (y + height <= bottom) fill(paper, [x, y + height, right - x, 0], lineColour);
  }
  for (const { text, place } of cells) {
    if (!isSheet) {
      fill(paper, [place.x, y, place.width, 0], lineColour);
      fill(paper, [place.x, y, 0, drawn], lineColour);
      fill(paper, [place.x + place.width, y, 0, drawn], lineColour);
      if (place.cell.rowSpan === 1 && y + height <= bottom) {
        fill(paper, [place.x, y + height, place.width, 0], lineColour);
      }
    }
    if (!text) continue;
    const room = place.width - 2 * padding;
    const atRight = text.fromRight || (isSheet && number.test(place.cell.text));
    const shift = atRight ? Math.max(0, room - text.width) : 0;
    const above = isSheet ? size * 0.3 : padding;
    putText(paper, text, {
      x: place.x + padding + shift,
      y: y + above,
      width: room - shift,
      height: Math.min(place.cell.rowSpan > 1 ? bottom - y : drawn, bottom - y) - above,
    });
  }
}

function drawColumns(
  paper: Paper,
  widths: readonly number[],
  from: number,
  top: number,
  bottom: number,
): void {
  let x = from;
  fill(paper, [x, top, 0, bottom - top], lineColour);
  for (const width of widths) {
    x += width;
    fill(paper, [x, top, 0, bottom - top], lineColour);
  }
}

/** The cells row by row. */
function* rowsOf({ cells }: Table): Generator<{ row: number; cells: Cell[] }> {
  let open: Cell[] = [];
  for (const cell of cells) {
    const [first] = open;
    if (first && first.row !== cell.row) {
      yield { row: first.row, cells: open };
      open = [];
    }
    open.push(cell);
  }
  const [first] = open;
  if (first) yield { row: first.row, cells: open };
}

/** The widths of the columns by their content; those of a sheet end where the paper does. */
function widthsOf({ size, even, width: room, isSheet }: Flow, table: Table): number[] {
  const advance = size * (even ? letter.even : letter.plain);
  const natural: number[] = [];
  const longest: number[] = [];
  for (const { row, column, columnSpan, text, header } of table.cells) {
    if (row >= measured) break;
    natural[column] ??= leastWidth;
    longest[column] ??= leastWidth;
    if (columnSpan > 1) continue;
    const shown = text.slice(0, mostCellText);
    const own = advance * (header ? letter.bold : 1);
    const wide = (parts: readonly string[]): number =>
      parts.reduce((most, { length }) => Math.max(most, length), 0) * own + 2 * padding + 2;
    natural[column] = Math.max(natural[column], wide(shown.split('\n')));
    longest[column] = Math.max(longest[column], Math.min(wide(shown.split(/\s/)), room / 3));
  }
  const widths = Array.from({ length: Math.min(table.columns, natural.length) }, (_, column) => [
    natural[column] ?? leastWidth,
    longest[column] ?? leastWidth,
  ]);
  if (isSheet) {
    const kept: number[] = [];
    let left = room;
    for (const [wanted = leastWidth] of widths) {
      if (left <= 0) break;
      kept.push(Math.min(wanted, mostSheetWidth, left));
      left -= kept.at(-1)!;
    }
    return kept;
  }
  const total = widths.reduce((sum, [wanted = 0]) => sum + wanted, 0);
  if (total <= room) return widths.map(([wanted = leastWidth]) => wanted);
  // Words stay whole if there is room for them; the rest goes to the columns that want more.
  const least = widths.reduce((sum, [, word = 0]) => sum + word, 0);
  const part = least >= room ? 0 : (room - least) / Math.max(1, total - least);
  const fitted = widths.map(([wanted = 0, word = 0]) => word + (wanted - word) * part);
  const sum = fitted.reduce((all, width) => all + width, 0);
  return fitted.map((width) => (width * room) / Math.max(sum, room));
}
