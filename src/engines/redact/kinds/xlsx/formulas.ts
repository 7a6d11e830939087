/** Strings, quoted names of sheets and long numbers in a formula: all that may be personal data in it. */
export function literalsOf(formula: string): string {
  const found = formula.match(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\d[\d.]{4,}/g) ?? [];
  return found.map((literal) => literal.replace(/^["']|["']$/g, '')).join('\n');
}

/** A formula that fetches from another file, or is made by a table of what-ifs. */
export const isForeign = (formula: string): boolean =>
  /\[\d+\]|\[[^\]]*\.xl\w+\]|\|/i.test(formula);

export interface Place {
  sheet: string;
  row: number;
  column: number;
}

export const keyOf = ({ sheet, row, column }: Place): string =>
  `${sheet.toLowerCase()}!${row},${column}`;

/** Column and row of `AB12`; null for what is no cell. */
export function placeOf(name: string, sheet: string): Place | null {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(name);
  if (!match) return null;
  const [, letters = '', row = ''] = match;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { sheet, row: Number(row), column };
}

export function nameOf({ row, column }: Omit<Place, 'sheet'>): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${row}`;
}

const reference =
  /(?:(?:'((?:[^']|'')*)'|([\p{L}_][\p{L}\p{N}_.]*))!)?(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\p{L}\p{N}_(:.])/gu;

/**
 * The single cells that a formula refers to, as it reads when moved by `rows` and `columns` (formulas
 * that are shared are written once). Ranges are left out: a sum over a column does not tell one of it.
 */
export function referencesOf(
  formula: string,
  sheet: string,
  { rows, columns }: { rows: number; columns: number },
): Place[] {
  const places: Place[] = [];
  const bare = formula.replace(/"(?:[^"]|"")*"/g, '""');
  for (const match of bare.matchAll(reference)) {
    const [, quoted, plain, fixedColumn, letters = '', fixedRow, row = ''] = match;
    const before = bare[match.index - 1];
    if (before !== undefined && /[:\p{L}\p{N}_.]/u.test(before)) continue;
    const place = placeOf(letters + row, quoted?.replaceAll("''", "'") ?? plain ?? sheet);
    if (!place) continue;
    places.push({
      sheet: place.sheet,
      row: fixedRow ? place.row : place.row + rows,
      column: fixedColumn ? place.column : place.column + columns,
    });
  }
  return places;
}
