/**
 * Returns the first number below `count` for which a condition is true, or else `count`. If the
 * condition is true for a number, it must be true for all numbers after it.
 */
export function firstWhere(count: number, condition: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
