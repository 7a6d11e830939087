// Created once, because `toLocaleString` creates one for each number.
const numbers = new Intl.NumberFormat('en');

/** A number with its noun: "1 job", "1,200 jobs". @param many the plural, if it is irregular */
export function pluralise(count: number, noun: string, many = `${noun}s`): string {
  return `${numbers.format(count)} ${count === 1 ? noun : many}`;
}
