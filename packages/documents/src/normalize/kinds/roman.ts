const romans: readonly [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** Returns a number from 1 to 3999 as a lower-case Roman numeral. */
export function roman(value: number): string {
  let left = value;
  let out = '';
  for (const [of, sign] of romans) {
    for (; left >= of; left -= of) out += sign;
  }
  return out;
}
