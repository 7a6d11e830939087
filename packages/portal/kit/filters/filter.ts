/** A filter of a list. `value` is '' if it is not set. */
export type Filter = {
  name: string;
  title: string;
  value: string;
} & (
  | {
      kind: 'choice';
      options: readonly (readonly [value: string, label: string])[];
      /** Allows any typed text as a value; contains an example. */
      free?: string;
    }
  | {
      kind: 'text';
      example?: string;
      hint?: string;
      /** Returns the error in a text, if any. */
      check?: (text: string) => string | undefined;
    }
  /** A timestamp of the API; `spans` offers the last hour, day and week. */
  | { kind: 'time'; spans?: boolean }
  /** A date: `2026-11-26`. */
  | { kind: 'day' }
);

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns the value of a filter as text. */
export function formatFilterValue(filter: Filter): string {
  const { kind, value } = filter;
  if (kind === 'choice') return filter.options.find(([one]) => one === value)?.[1] ?? value;
  if (kind === 'text') return value;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return (kind === 'time' ? timeFormat : dayFormat).format(date);
}
