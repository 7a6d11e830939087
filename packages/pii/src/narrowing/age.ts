/** Whether an age is over 89 or cannot be read. */
export function isOver89(found: string): boolean {
  const years = /\d+/.exec(found.normalize('NFKC'))?.[0];
  return years === undefined || Number(years) > 89;
}
