/** Returns a number with its noun: "1 upload", "2 uploads". */
export function pluralise(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
