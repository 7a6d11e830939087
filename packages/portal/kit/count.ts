// Created once: `toLocaleString` would create a formatter for each number, and a page of facets has
// hundreds.
const counts = new Intl.NumberFormat();

/** 12345 as `12,345`. */
export function formatCount(count: number): string {
  return counts.format(count);
}
