import { columnName } from '@scriptorium/contracts/documents/shown-text';
/**
 * Returns the parts of a formula that may be personal data, one per line: strings, quoted sheet
 * names and long numbers. Strings that the formula concatenates form one line.
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

/** Whether a formula refers to another file or belongs to a what-if table. */
export const isForeign = (formula: string): boolean =>
  /\[\d+\]|\[[^\]]*\.xl\w+\]|\|/i.test(formula);

export interface CellAddress {
  sheet: string;
  row: number;
  column: number;
}

export const cellKey = ({ sheet, row, column }: CellAddress): string =>
  `${sheet.toLowerCase()}!${row},${column}`;

/**
 * Returns the column and row of a reference such as `AB12`; null if the name is not a reference.
 */
export function parseCellAddress(name: string, sheet: string): CellAddress | null {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(name);
  if (!match) return null;
  const [, letters = '', row = ''] = match;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { sheet, row: Number(row), column };
}

export function cellName({ row, column }: Omit<CellAddress, 'sheet'>): string {
  return `${columnName(column)}${row}`;
}

const referencePattern =
  /(?:(?:'((?:[^']|'')*)'|([\p{L}_][\p{L}\p{N}_.]*))!)?(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\p{L}\p{N}_(:.])/gu;

/**
 * Returns the single cells to which a formula refers when it is moved by `rows` and `columns`,
 * because shared formulas are stored only once. Ranges are omitted: the sum of a column does not
 * reveal the value of a cell.
 */
export function referencesOf(
  formula: string,
  sheet: string,
  { rows, columns }: { rows: number; columns: number },
): CellAddress[] {
  const addresses: CellAddress[] = [];
  const withoutStrings = formula.replace(/"(?:[^"]|"")*"/g, '""');
  for (const match of withoutStrings.matchAll(referencePattern)) {
    const [, quoted, unquoted, fixedColumn, letters = '', fixedRow, row = ''] = match;
    const before = withoutStrings[match.index - 1];
    if (before !== undefined && /[:\p{L}\p{N}_.]/u.test(before)) continue;
    const address = parseCellAddress(
      letters + row,
      quoted?.replaceAll("''", "'") ?? unquoted ?? sheet,
    );
    if (!address) continue;
    addresses.push({
      sheet: address.sheet,
      row: fixedRow ? address.row : address.row + rows,
      column: fixedColumn ? address.column : address.column + columns,
    });
  }
  return addresses;
}

/** Returns a pattern for the uses of defined names in formulas; null for no names. */
export function usesOf(names: readonly string[]): RegExp | null {
  if (names.length === 0) return null;
  const list = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}_.])(?:${list.join('|')})(?![\\p{L}\\p{N}_.])`, 'iu');
}
