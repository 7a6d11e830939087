import { hiddenValue } from '@scriptorium/contracts/helpers/hidden-value';
import type {
  SignatureKind,
  WebhookCreate,
  WebhookPatch,
  WebhookRecord,
} from '@scriptorium/contracts/wire/webhooks';

/** A name and a value, as in the form. */
export type Pair = readonly [name: string, value: string];

/** The fields of the webhook form. */
export interface WebhookFields {
  url: string;
  event_types: string[];
  description: string;
  payload: string;
  filter: Pair[];
  headers: Pair[];
  max_per_second: string;
  max_in_flight: string;
  signing: SignatureKind[];
}

type FilterValues = NonNullable<WebhookRecord['filter']>[string];

export function webhookFields(webhook?: WebhookRecord): WebhookFields {
  return {
    url: webhook?.url ?? '',
    event_types: webhook?.event_types ?? [],
    description: webhook?.description ?? '',
    payload: webhook?.payload ?? 'full',
    filter: Object.entries(webhook?.filter ?? {}).map(([pointer, values]) => [
      pointer,
      values.map(formatValue).join(', '),
    ]),
    headers: Object.entries(webhook?.headers ?? {}),
    max_per_second: webhook?.max_per_second?.toString() ?? '',
    max_in_flight: webhook?.max_in_flight.toString() ?? '',
    signing: webhook?.signing ?? ['v1'],
  };
}

/** Returns the fields without entered values of headers, which may be credentials. */
export function withoutSecrets(fields: WebhookFields): WebhookFields {
  const headers = fields.headers.map(
    ([name, value]): Pair => [name, value === hiddenValue ? value : ''],
  );
  return { ...fields, headers };
}

/** Returns the request body of a new webhook. */
export function createBody(fields: WebhookFields): WebhookCreate {
  const filter = filterOf(fields);
  const headers = toRecord(fields.headers);
  return {
    url: fields.url.trim(),
    event_types: fields.event_types,
    signing: fields.signing,
    payload: fields.payload === 'thin' ? 'thin' : 'full',
    ...(fields.description ? { description: fields.description } : {}),
    ...(Object.keys(filter).length > 0 ? { filter } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(fields.max_per_second ? { max_per_second: Number(fields.max_per_second) } : {}),
    ...(fields.max_in_flight ? { max_in_flight: Number(fields.max_in_flight) } : {}),
  };
}

/** Returns the changes made in the form, as a merge patch: removed values are null. */
export function patchBody(webhook: WebhookRecord, fields: WebhookFields): WebhookPatch {
  const edited: WebhookPatch = {
    url: fields.url.trim(),
    event_types: fields.event_types,
    description: fields.description || null,
    payload: fields.payload === 'thin' ? 'thin' : 'full',
    filter: mergePatch(webhook.filter ?? {}, filterOf(fields)),
    // The service drops stored header values when the origin changes. The API then requires them to
    // be entered again.
    headers: hasSameOrigin(webhook.url, fields.url.trim())
      ? mergePatch(webhook.headers, toRecord(fields.headers))
      : toRecord(fields.headers),
    max_per_second: fields.max_per_second ? Number(fields.max_per_second) : null,
    ...(fields.max_in_flight ? { max_in_flight: Number(fields.max_in_flight) } : {}),
    signing: fields.signing,
  };
  const current: Record<string, unknown> = { ...webhook };
  const isUnchanged = (name: string, value: unknown) =>
    JSON.stringify(value) === JSON.stringify(current[name] ?? null);
  return Object.fromEntries(
    Object.entries(edited).filter(([name, value]) =>
      name === 'filter' || name === 'headers'
        ? Object.keys(value ?? {}).length > 0
        : !isUnchanged(name, value),
    ),
  );
}

function hasSameOrigin(first: string, second: string): boolean {
  return (
    URL.canParse(first) && URL.canParse(second) && new URL(first).origin === new URL(second).origin
  );
}

/** Returns a merge patch of an object: its changed members, and null for removed ones. */
function mergePatch<T>(
  current: Record<string, T>,
  edited: Record<string, T>,
): Record<string, T | null> {
  const removedNames = Object.keys(current).filter((name) => !Object.hasOwn(edited, name));
  const changedEntries = Object.entries(edited).filter(
    ([name, value]) =>
      !Object.hasOwn(current, name) || JSON.stringify(current[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries([
    ...removedNames.map((name) => [name, null] as const),
    ...changedEntries,
  ]);
}

function toRecord(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(([name]) => name.trim() !== '').map(([n, v]) => [n.trim(), v]),
  );
}

function filterOf({ filter }: WebhookFields): Record<string, FilterValues> {
  return Object.fromEntries(
    Object.entries(toRecord(filter)).map(([pointer, text]) => [pointer, parseValues(text)]),
  );
}

/** Parses `a, 2, true, "x, y"`: each part is a JSON scalar, or otherwise a plain string. */
export function parseValues(text: string): FilterValues {
  const parts = text.match(/\s*"(?:[^"\\]|\\.)*"\s*|[^,]+/g) ?? [];
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .map(parseValue);
}

function parseValue(text: string): FilterValues[number] {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) {
      return value as FilterValues[number];
    }
  } catch {
    // Not JSON: a plain string.
  }
  return text;
}

function formatValue(value: FilterValues[number]): string {
  const isPlain = typeof value === 'string' && !value.includes(',') && parseValue(value) === value;
  return isPlain && value.trim() === value && value !== '' ? value : JSON.stringify(value);
}
