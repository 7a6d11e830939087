import type { SaxesTagNS } from 'saxes';
import { displayedNumber } from '../../../files/number-formats.ts';
import { streamXml } from '../../../files/xml.ts';
import type { createBudget } from '../build-blocks.ts';
import { type Range, type VisibleCells, withoutHidden } from './hidden.ts';

/**
 * A visible cell and its position. Rows and columns are counted from 0, and the last ones are
 * inclusive.
 */
export type SheetCell = {
  row: number;
  column: number;
  lastRow: number;
  lastColumn: number;
  text: string;
};

export type Sheet = VisibleCells & {
  /** The relationship or location that a cell links to, by `row column`. */
  links: Map<string, { id: string | null; location: string | null }>;
  /**
   * Whether formulas lack stored results. The file then does not contain their values.
   */
  lacksResults: boolean;
  /** The headers and footers of printed pages, without their codes. */
  furniture: { role: 'page_header' | 'page_footer'; text: string }[];
};

export type SheetContext = {
  strings: readonly string[];
  formats: readonly string[];
  uses1904Dates: boolean;
  budget: ReturnType<typeof createBudget>;
};

const maxRows = 2 ** 20;
const maxColumns = 2 ** 14;
/** The maximum length of a cell's text. ECMA-376 allows 32,767 characters. */
const maxText = 65_536;

const attributeOf = (tag: SaxesTagNS, local: string): string | undefined =>
  Object.values(tag.attributes).find((one) => one.local === local)?.value;

const isOn = (tag: SaxesTagNS, local: string): boolean =>
  /^(1|true)$/.test(attributeOf(tag, local) ?? '');

/**
 * Returns the text of a run with its escapes decoded: `_x0020_` is a space (ECMA-376 part 1,
 * 22.4.2.4).
 */
const decodeEscapes = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Parses a cell reference such as `B3` as row and column from 0; null if it is invalid. */
export function parseCellReference(name: string): { row: number; column: number } | null {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(name) ?? [];
  if (letters === undefined || digits === undefined) return null;
  const column = [...letters.toUpperCase()].reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
  const row = Number(digits);
  return row < 1 || row > maxRows || column > maxColumns
    ? null
    : { row: row - 1, column: column - 1 };
}

const headerOrFooter = /^(?:odd|even|first)(?:Header|Footer)$/;

/**
 * Returns the text of a header or footer without the codes for font, size and colour, and for
 * values that exist only in print (18.3.1.46).
 */
const withoutCodes = (text: string): string =>
  text
    .replace(/&(?:"[^"]*"|\d{1,3}|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|[A-Za-z&])/g, (code) =>
      code === '&&' ? '&' : /^&[LCR]$/.test(code) ? ' ' : '',
    )
    .replace(/\s+/g, ' ')
    .trim();

/** Reads the shared strings, without phonetic readings of Japanese. */
export function readStrings(bytes: Uint8Array | undefined): string[] {
  const out: string[] = [];
  if (!bytes) return out;
  let text = '';
  let inText = false;
  let phoneticDepth = 0;
  streamXml(bytes, {
    open({ local }) {
      if (local === 'si') text = '';
      else if (local === 'rPh') phoneticDepth += 1;
      else if (local === 't') inText = phoneticDepth === 0;
    },
    close({ local }) {
      if (local === 'si') out.push(decodeEscapes(text));
      else if (local === 'rPh') phoneticDepth -= 1;
      else if (local === 't') inText = false;
    },
    text(data) {
      if (inText && text.length < maxText) text += data;
    },
  });
  return out;
}

/** Reads the displayed cells of a sheet. Merged cells become one cell. */
export function readSheet(bytes: Uint8Array, context: SheetContext): Sheet {
  const cells: SheetCell[] = [];
  const merges: [string, string][] = [];
  const links: Sheet['links'] = new Map();
  const furniture: Sheet['furniture'] = [];
  const hiddenRows: Range[] = [];
  const hiddenColumns: Range[] = [];
  let row = -1;
  let column = -1;
  let cell: { type: string; style: number } | null = null;
  let lacksResults = false;
  let content = { formula: false, value: false };
  let rawText = '';
  let isReading = false;
  let phoneticDepth = 0;
  const endCell = (): void => {
    if (!cell) return;
    if (content.formula && !content.value) lacksResults = true;
    const text = textOf(rawText, cell, context);
    if (text !== '') {
      context.budget.countCell();
      cells.push({ row, column, lastRow: row, lastColumn: column, text });
    }
    cell = null;
  };
  streamXml(
    bytes,
    {
      open(tag) {
        const { local } = tag;
        if (local === 'row') {
          const rowNumber = Number(attributeOf(tag, 'r'));
          row =
            Number.isInteger(rowNumber) && rowNumber > 0 && rowNumber <= maxRows
              ? rowNumber - 1
              : row + 1;
          column = -1;
          if (isOn(tag, 'hidden')) hiddenRows.push([row, row]);
        } else if (local === 'col') {
          const first = Number(attributeOf(tag, 'min')) - 1;
          const last = Number(attributeOf(tag, 'max')) - 1;
          if (isOn(tag, 'hidden') && first >= 0 && last >= first) hiddenColumns.push([first, last]);
        } else if (local === 'c') {
          const position = parseCellReference(attributeOf(tag, 'r') ?? '');
          column = position?.row === row ? position.column : column + 1;
          const style = Number(attributeOf(tag, 's') ?? '0');
          cell = { type: attributeOf(tag, 't') ?? 'n', style };
          content = { formula: false, value: false };
          rawText = '';
        } else if (local === 'rPh') phoneticDepth += 1;
        else if (local === 'f') content.formula = true;
        else if ((local === 'v' || local === 't') && cell) {
          content.value = true;
          isReading = phoneticDepth === 0;
        } else if (headerOrFooter.test(local)) [rawText, isReading] = ['', true];
        else if (local === 'mergeCell') {
          const [from, to] = (attributeOf(tag, 'ref') ?? '').split(':');
          if (from && to && merges.length < 1e6) merges.push([from, to]);
        } else if (local === 'hyperlink') {
          const position = parseCellReference((attributeOf(tag, 'ref') ?? '').split(':')[0] ?? '');
          const id = attributeOf(tag, 'id') ?? null;
          const location = attributeOf(tag, 'location') ?? null;
          if (position) links.set(`${position.row} ${position.column}`, { id, location });
        }
      },
      close({ local }) {
        if (headerOrFooter.test(local)) {
          const text = withoutCodes(rawText);
          const role = local.endsWith('Header') ? 'page_header' : 'page_footer';
          if (text !== '') furniture.push({ role, text });
          [rawText, isReading] = ['', false];
        } else if (local === 'c') endCell();
        else if (local === 'v' || local === 't') isReading = false;
        else if (local === 'rPh') phoneticDepth -= 1;
      },
      text(data) {
        if (isReading && rawText.length < maxText) rawText += data;
      },
    },
    3e7,
  );
  return {
    ...withoutHidden(mergeCells(cells, merges), hiddenRows, hiddenColumns),
    links,
    lacksResults,
    furniture,
  };
}

function textOf(
  raw: string,
  { type, style }: { type: string; style: number },
  context: SheetContext,
) {
  switch (type) {
    case 's':
      return (context.strings[Number(raw)] ?? '').trim();
    case 'inlineStr':
    case 'str':
      return decodeEscapes(raw).trim();
    case 'b':
      return raw === '' ? '' : raw.trim() === '1' ? 'TRUE' : 'FALSE';
    case 'e':
    case 'd':
      return raw.trim();
    default:
      return raw === ''
        ? ''
        : displayedNumber(raw, context.formats[style] ?? 'General', context.uses1904Dates);
  }
}

/**
 * Merges cells. Merged cells show the text of the first cell. Ranges without visible text are not
 * merged.
 */
function mergeCells(
  cells: SheetCell[],
  merges: readonly (readonly [string, string])[],
): SheetCell[] {
  if (merges.length === 0) return cells;
  const lastRow = cells.reduce((max, { row }) => Math.max(max, row), 0);
  const lastColumn = cells.reduce((max, { column }) => Math.max(max, column), 0);
  const cellsByPosition = new Map(cells.map((cell) => [cell.row * maxColumns + cell.column, cell]));
  const coveredCells = new Set<SheetCell>();
  let visitedCount = 0;
  for (const [from, to] of merges) {
    const first = parseCellReference(from);
    const last = parseCellReference(to);
    const cell = first && cellsByPosition.get(first.row * maxColumns + first.column);
    if (!first || !last || !cell) continue;
    cell.lastRow = Math.max(first.row, Math.min(last.row, lastRow));
    cell.lastColumn = Math.max(first.column, Math.min(last.column, lastColumn));
    // Limits the time for overlapping ranges in hostile files.
    visitedCount += (cell.lastRow - cell.row + 1) * (cell.lastColumn - cell.column + 1);
    if (visitedCount > 4e6) break;
    for (let row = cell.row; row <= cell.lastRow; row += 1) {
      for (let column = cell.column; column <= cell.lastColumn; column += 1) {
        const other = cellsByPosition.get(row * maxColumns + column);
        if (other && other !== cell) coveredCells.add(other);
      }
    }
  }
  return coveredCells.size === 0 ? cells : cells.filter((cell) => !coveredCells.has(cell));
}
