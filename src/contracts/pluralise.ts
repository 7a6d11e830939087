/** A number with its noun: "1 job", "1,200 jobs". @param many the plural, if it is irregular */
export function pluralise(count: number, noun: string, many = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : many}`;
}
