import type { Static } from 'typebox';
import type { EventList, EventRecord, EventTypeRecord } from '../../../contracts/wire/events.ts';
import type { KeyList } from '../../../contracts/wire/keys.ts';
import type { ApiRequest } from '../../api/request.ts';

export type EventPage = Static<typeof EventList>;

/** What the records are narrowed by: the API's own parameters, in the address and in requests. */
export const filterNames = [
  'type',
  'actor_type',
  'actor_id',
  'resource_id',
  'address',
  'request_id',
  'occurred_after',
  'occurred_before',
] as const;
export type FilterName = (typeof filterNames)[number];
export type Category = EventRecord['category'];

export interface Filters {
  category: Category;
  values: Partial<Record<FilterName, readonly string[]>>;
}

/** The filters that an address says. */
export function readFilters(query: URLSearchParams): Filters {
  const values = filterNames.flatMap((name) => {
    const given = query.getAll(name);
    return given.length > 0 ? [[name, given] as const] : [];
  });
  return {
    category: query.get('category') === 'domain' ? 'domain' : 'audit',
    values: Object.fromEntries(values),
  };
}

/** Where the screen shows the records that these filters leave. */
export function addressOf({ category, values }: Filters): string {
  const query = new URLSearchParams({ category });
  for (const [name, given] of Object.entries(values)) {
    for (const value of given) query.append(name, value);
  }
  return `?${query}`;
}

const queryOf = ({ category, values }: Filters) => ({ category, ...values, order: 'desc' });

export const listRecords = (filters: Filters): ApiRequest<EventPage> => ({
  method: 'GET',
  path: '/v1/events',
  query: queryOf(filters),
});

/** How many there are, and nothing of them but one. */
export const countRecords = (filters: Filters): ApiRequest<EventPage> => ({
  method: 'GET',
  path: '/v1/events',
  query: { ...queryOf(filters), include: 'total', limit: 1 },
});

export const exportTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
export type ExportForm = keyof typeof exportTypes;

export const exportRecords = (filters: Filters, form: ExportForm): ApiRequest<never> => ({
  method: 'GET',
  path: '/v1/events',
  query: queryOf(filters),
  headers: { Accept: exportTypes[form] },
});

export const getRecord = (id: string): ApiRequest<EventRecord> => ({
  method: 'GET',
  path: `/v1/events/${id}`,
});

export const listTypes = (): ApiRequest<{ data: EventTypeRecord[] }> => ({
  method: 'GET',
  path: '/v1/event-types',
});

export const listKeys = (): ApiRequest<Static<typeof KeyList>> => ({
  method: 'GET',
  path: '/v1/keys',
  query: { limit: 200 },
});
