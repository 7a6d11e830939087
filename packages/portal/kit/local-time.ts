/**
 * Returns a timestamp of the API as the value of a `datetime-local` field, to the minute; '' if
 * invalid.
 */
export function toDateTimeLocal(iso: string): string {
  const date = new Date(iso);
  if (iso === '' || Number.isNaN(date.getTime())) return '';
  const localDate = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return localDate.toISOString().slice(0, 16);
}

/** Returns the value of a `datetime-local` field as a timestamp for the API; '' if incomplete. */
export function fromDateTimeLocal(value: string): string {
  const date = new Date(value);
  return value === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
