/**
 * Returns the headings of a table if its first row has any: short, distinct, with letters, and
 * unlike numbers or addresses. The detector uses them to learn what a column contains. Otherwise
 * empty.
 */
export function headingsOf(firstRow: readonly string[]): string[] {
  const named = firstRow.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const good = named.every(
    (cell) => cell.length <= 40 && /\p{L}/u.test(cell) && !/\d{3}|@|\d[-/.]\d/.test(cell),
  );
  if (!good || named.length === 0 || new Set(named).size < named.length) return [];
  return firstRow.map((cell) => cell.trim());
}
