/**
 * Whether a text is a time with a zone, between the years 1 and 9999. Leap seconds are invalid,
 * because neither Postgres nor JavaScript preserves them; so are offsets above 14 hours.
 */
export function isTime(text: string): boolean {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-4]):[0-5]\d)$/.exec(
      text,
    );
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
}

/** Whether a string is a date without a time, such as 2026-01-31. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isTime(`${text}T00:00:00Z`);
}
