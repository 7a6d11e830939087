import { columnName } from '@scriptorium/contracts/documents/shown-text';
/**
 * Strings, quoted sheet names and long numbers in a formula: everything that may be personal data,
 * a line each. Strings that the formula joins are one.
 */
export function literalsOf(formula: string): string {
  const lines: string[] = [];
  const strings: string[] = [];
  let end = 0;
  for (const { 0: literal, index } of formula.matchAll(
    /"(?:[^"]|"")*"|'(?:[^']|'')*'|\d[\d.]{4,}/g,
  )) {
    const text = literal.replace(/^["']|["']$/g, '');
    const isJoined = lines.length > 0 && formula.slice(end, index).trim() === '&';
    if (isJoined) lines.push(`${lines.pop()}${text}`);
    else lines.push(text);
    if (literal.startsWith('"')) strings.push(text);
    end = index + literal.length;
  }
  if (/CONCAT|TEXTJOIN/i.test(formula)) lines.push(strings.join(''));
  return lines.join('\n');
}

/** Whether a formula refers to another file, or belongs to a what-if table. */
export const isForeign = (formula: string): boolean =>
  /\[\d+\]|\[[^\]]*\.xl\w+\]|\|/i.test(formula);

export interface CellPlace {
  sheet: string;
  row: number;
  column: number;
}

export const cellKey = ({ sheet, row, column }: CellPlace): string =>
  `${sheet.toLowerCase()}!${row},${column}`;

/** Column and row of a reference such as `AB12`; null if it is not one. */
export function cellPlaceOf(name: string, sheet: string): CellPlace | null {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(name);
  if (!match) return null;
  const [, letters = '', row = ''] = match;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { sheet, row: Number(row), column };
}

export function cellName({ row, column }: Omit<CellPlace, 'sheet'>): string {
  return `${columnName(column)}${row}`;
}

const reference =
  /(?:(?:'((?:[^']|'')*)'|([\p{L}_][\p{L}\p{N}_.]*))!)?(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\p{L}\p{N}_(:.])/gu;

/**
 * Returns the single cells that a formula refers to when it is moved by `rows` and `columns`
 * (shared formulas are stored once). Ranges are left out: a sum over a column does not reveal one
 * cell.
 */
export function referencesOf(
  formula: string,
  sheet: string,
  { rows, columns }: { rows: number; columns: number },
): CellPlace[] {
  const places: CellPlace[] = [];
  const bare = formula.replace(/"(?:[^"]|"")*"/g, '""');
  for (const match of bare.matchAll(reference)) {
    const [, quoted, plain, fixedColumn, letters = '', fixedRow, row = ''] = match;
    const before = bare[match.index - 1];
    if (before !== undefined && /[:\p{L}\p{N}_.]/u.test(before)) continue;
    const place = cellPlaceOf(letters + row, quoted?.replaceAll("''", "'") ?? plain ?? sheet);
    if (!place) continue;
    places.push({
      sheet: place.sheet,
      row: fixedRow ? place.row : place.row + rows,
      column: fixedColumn ? place.column : place.column + columns,
    });
  }
  return places;
}
