/** A time of the API as a `datetime-local` field has it: local, to the minute; '' for none. */
export function toLocal(iso: string): string {
  const date = new Date(iso);
  if (iso === '' || Number.isNaN(date.getTime())) return '';
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** What a `datetime-local` field says, as the API takes it; '' while it says no time. */
export function fromLocal(value: string): string {
  const date = new Date(value);
  return value === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
