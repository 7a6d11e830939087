// Created once, because `toLocaleString` creates one for each number.
const numberFormat = new Intl.NumberFormat('en');

/** Returns a number with its noun: "1 job", "1,200 jobs". `plural` is for irregular plurals. */
export function pluralise(count: number, noun: string, plural = `${noun}s`): string {
  return `${numberFormat.format(count)} ${count === 1 ? noun : plural}`;
}
