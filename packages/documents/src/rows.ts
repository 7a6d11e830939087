/** Maximum distance between the baselines of a row, in sizes of the smaller font. */
export const maxBaselineOffset = 0.35;

type OnBaseline = { base: number; size: number };

/** Whether two words or lines of a level page share a baseline. */
export const shareBaseline = (a: OnBaseline, b: OnBaseline): boolean =>
  Math.abs(a.base - b.base) <= maxBaselineOffset * Math.min(a.size, b.size);

/**
 * Groups sorted items into rows: each item joins the row of the previous item or starts a new row.
 */
export function groupRows<T>(
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
