const numerals: readonly [number, string][] = [
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
export function toRoman(value: number): string {
  let remaining = value;
  let out = '';
  for (const [amount, sign] of numerals) {
    for (; remaining >= amount; remaining -= amount) out += sign;
  }
  return out;
}
