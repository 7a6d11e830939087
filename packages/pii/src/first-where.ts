/**
 * Returns the first number below `count` for which a condition holds; `count` if it holds for none.
 * If the condition holds for a number, it must hold for all numbers after it.
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
