/**
 * Returns the headings of a table if its first row contains headings: cells that are short,
 * distinct, contain letters, and are unlike numbers or addresses. Otherwise, returns an empty list.
 * The headings show the detector what a column contains.
 */
export function headingsOf(firstRow: readonly string[]): string[] {
  const nonEmptyCells = firstRow.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const areHeadings = nonEmptyCells.every(
    (cell) => cell.length <= 40 && /\p{L}/u.test(cell) && !/\d{3}|@|\d[-/.]\d/.test(cell),
  );
  if (
    !areHeadings ||
    nonEmptyCells.length === 0 ||
    new Set(nonEmptyCells).size < nonEmptyCells.length
  )
    return [];
  return firstRow.map((cell) => cell.trim());
}
