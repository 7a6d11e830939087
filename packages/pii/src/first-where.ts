/**
 * Returns the first number below `count` for which a condition holds that holds for all following
 * numbers, or `count`.
 */
export function firstWhere(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
