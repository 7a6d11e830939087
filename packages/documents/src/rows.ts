/** Maximum distance between the baselines of a row, in sizes of the smaller font. */
export const sameBase = 0.35;

type OnBase = { base: number; size: number };

/** Whether two words or lines of a level page share a baseline. */
export const areLevel = (one: OnBase, other: OnBase): boolean =>
  Math.abs(one.base - other.base) <= sameBase * Math.min(one.size, other.size);

/**
 * Groups sorted items into rows: each item joins the row of the previous item or starts a new row.
 */
export function inRows<T>(
  items: Iterable<T>,
  joins: (item: T, last: T, first: T) => boolean,
): T[][] {
  const rows: T[][] = [];
  for (const item of items) {
    const row = rows.at(-1);
    if (row && joins(item, row.at(-1)!, row[0]!)) row.push(item);
    else rows.push([item]);
  }
  return rows;
}
