// `toLocaleString` would create a formatter for each number, and a page of facets has hundreds.
const numberFormat = new Intl.NumberFormat();

/** Formats 12345 as `12,345`. */
export function formatCount(count: number): string {
  return numberFormat.format(count);
}
