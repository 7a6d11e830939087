/** Whether an age is over 89 or cannot be read. */
export function isOver89(age: string): boolean {
  const years = /\d+/.exec(age.normalize('NFKC'))?.[0];
  return years === undefined || Number(years) > 89;
}
