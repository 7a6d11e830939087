import { jobStates } from '../../../contracts/jobs.ts';
import type { QueryValue } from '../../api/request.ts';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { operationTitles } from '../words.ts';

const names = ['state', 'op', 'source_object_id', 'created_after', 'created_before'] as const;
const objectId = /^obj_[0-9a-hjkmnp-tv-z]{26}$/;

/** The filters in the address as query parameters of the API. A day stands for its start, in UTC. */
export function jobQueryOf(search: URLSearchParams): Record<string, QueryValue> {
  const day = (name: string): string | undefined => {
    const value = search.get(name);
    return value && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00.000Z` : undefined;
  };
  return {
    state: search.get('state') ?? undefined,
    op: search.get('op') ?? undefined,
    source_object_id: search.get('source_object_id') ?? undefined,
    created_after: day('created_after'),
    created_before: day('created_before'),
  };
}

export function hasJobFilters(search: URLSearchParams): boolean {
  return names.some((name) => search.has(name));
}

interface FiltersProps {
  search: URLSearchParams;
  set: (changes: Record<string, string | undefined>) => void;
}

export function JobFilters({ search, set }: FiltersProps) {
  const value = (name: string): string => search.get(name) ?? '';
  return (
    <FilterBar
      label="Job filters"
      onChange={set}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          title: 'State',
          value: value('state'),
          options: jobStates.map((one) => [one, one.replaceAll('_', ' ')] as const),
        },
        {
          kind: 'choice',
          name: 'op',
          title: 'Operation',
          value: value('op'),
          options: Object.entries(operationTitles),
        },
        {
          kind: 'text',
          name: 'source_object_id',
          title: 'Source object',
          value: value('source_object_id'),
          example: 'obj_…',
          check: (text) =>
            objectId.test(text) ? undefined : 'An object ID is obj_ followed by 26 characters.',
        },
        {
          kind: 'day',
          name: 'created_after',
          title: 'Created from',
          value: value('created_after'),
        },
        {
          kind: 'day',
          name: 'created_before',
          title: 'Created before',
          value: value('created_before'),
        },
      ]}
    />
  );
}
