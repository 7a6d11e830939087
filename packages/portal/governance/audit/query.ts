import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { requestFor } from '../../api/request.ts';

/** The filters: named as in the API, both in the address and in requests. */
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

export interface AuditFilters {
  category: Category;
  values: Partial<Record<FilterName, readonly string[]>>;
}

/** Reads the filters in the address. */
export function readFilters(query: URLSearchParams): AuditFilters {
  const values = filterNames.flatMap((name) => {
    const given = query.getAll(name);
    return given.length > 0 ? [[name, given] as const] : [];
  });
  return {
    category: query.get('category') === 'domain' ? 'domain' : 'audit',
    values: Object.fromEntries(values),
  };
}

/** Returns the query string that shows these filters. */
export function addressOf({ category, values }: AuditFilters): string {
  const query = new URLSearchParams({ category });
  for (const [name, given] of Object.entries(values)) {
    for (const value of given) query.append(name, value);
  }
  return `?${query}`;
}

export const listRecords = ({ category, values }: AuditFilters) =>
  requestFor('listEvents', { category, ...values, order: 'desc' });

const exportTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
export type ExportForm = keyof typeof exportTypes;

export const exportRecords = (filters: AuditFilters, form: ExportForm) => ({
  ...listRecords(filters),
  headers: { Accept: exportTypes[form] },
});
