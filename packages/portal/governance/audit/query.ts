import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { requestFor } from '../../api/request.ts';

/** The filters, named as in the API, in both the URL and requests. */
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

/** Reads the filters from the URL. */
export function readFilters(query: URLSearchParams): AuditFilters {
  const values = filterNames.flatMap((name) => {
    const paramValues = query.getAll(name);
    return paramValues.length > 0 ? [[name, paramValues] as const] : [];
  });
  return {
    category: query.get('category') === 'domain' ? 'domain' : 'audit',
    values: Object.fromEntries(values),
  };
}

/** Returns the query string that shows these filters. */
export function queryStringOf({ category, values }: AuditFilters): string {
  const query = new URLSearchParams({ category });
  for (const [name, given] of Object.entries(values)) {
    for (const value of given) query.append(name, value);
  }
  return `?${query}`;
}

export const recordsRequest = ({ category, values }: AuditFilters) =>
  requestFor('listEvents', { category, ...values, order: 'desc' });

const exportTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
export type ExportFormat = keyof typeof exportTypes;

export const exportRequest = (filters: AuditFilters, format: ExportFormat) => ({
  ...recordsRequest(filters),
  headers: { Accept: exportTypes[format] },
});
