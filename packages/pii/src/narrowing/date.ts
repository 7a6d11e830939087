const year = /^['’]?\d{4}$/;
const time =
  /^\d{1,2}(?:(?:[:.]\d{2}){1,2}(?:[.,]\d{1,6})?)? ?(?:a\.?m\.?|p\.?m\.?|uhr|h|o['’]clock)(?: ?\d{2})?(?: ?[a-z]{1,4}| ?[+-]\d{2}:?\d{2})?$/i;
const clock = /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?(?: ?[a-z]{1,4}| ?[+-]\d{2}:?\d{2})?$/i;

/** Whether a date is more specific than a year or a time of day. */
export function hasMoreThanYear(date: string): boolean {
  const plain = date.normalize('NFKC').replace(/\s+/g, ' ').trim();
  return !(year.test(plain) || time.test(plain) || clock.test(plain));
}
