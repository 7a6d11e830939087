import { Link, useRoute } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import type { Filter } from '../../kit/filters/filter.ts';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { useSession } from '../../shell/session.tsx';

/** The filters of the feed, named as in the API and the URL. */
export interface EventFilters {
  type: readonly string[];
  category: string;
  published: string;
  resource_id: string;
  occurred_after: string;
  occurred_before: string;
}

/** Reads the filters from the URL. */
export function filtersOf(query: URLSearchParams): EventFilters {
  const get = (name: string) => query.get(name) ?? '';
  return {
    type: query.getAll('type'),
    category: get('category') || 'domain',
    published: get('published'),
    resource_id: get('resource_id'),
    occurred_after: get('occurred_after'),
    occurred_before: get('occurred_before'),
  };
}

/** The filters of the feed. */
export function EventFilterBar(props: {
  filters: EventFilters;
  onFilter: (filters: EventFilters) => void;
}) {
  const { filters, onFilter } = props;
  const { can } = useSession();
  const types = useResource(requestFor('listEventTypes'));
  const knownTypes = types.data?.data.filter(({ category }) => category === filters.category) ?? [];
  const barFilters: Filter[] = [
    {
      kind: 'choice',
      name: 'type',
      title: 'Types',
      value: filters.type.join(' '),
      options: patternsOf(knownTypes.map(({ type }) => type)).map((one) => [one, one] as const),
      free: 'Such as documents.* or dam.object.created',
    },
    {
      kind: 'text',
      name: 'resource_id',
      title: 'Resource',
      value: filters.resource_id,
      example: 'obj_… or job_…',
    },
    ...(can('audit:read')
      ? [
          {
            kind: 'choice' as const,
            name: 'category',
            title: 'Category',
            value: filters.category === 'domain' ? '' : filters.category,
            options: [
              ['', 'Domain: changes'],
              ['audit', 'Audit: who did what'],
            ] as const,
          },
        ]
      : []),
    {
      kind: 'choice',
      name: 'published',
      title: 'Published',
      value: filters.published,
      options: [
        ['false', 'Not published'],
        ['true', 'Published'],
      ],
    },
    {
      kind: 'time',
      name: 'occurred_after',
      title: 'From',
      value: filters.occurred_after,
      spans: true,
    },
    { kind: 'time', name: 'occurred_before', title: 'Until', value: filters.occurred_before },
  ];
  return (
    <FilterBar
      label="Event filters"
      filters={barFilters}
      onChange={({ type, category, ...changes }) =>
        onFilter({
          ...filters,
          ...changes,
          ...(type === undefined ? {} : { type: type.split(/[\s,]+/).filter(Boolean) }),
          ...(category === undefined ? {} : { category: category || 'domain' }),
        })
      }
    />
  );
}

/** Returns the event types, and the wildcard patterns that match several of them. */
function patternsOf(types: readonly string[]): string[] {
  const wildcards = types.flatMap((type) => {
    const segments = type.split('.');
    return segments.slice(1).map((_, at) => `${segments.slice(0, at + 1).join('.')}.*`);
  });
  return [...new Set([...wildcards, ...types])];
}

/** The tabs of the Events screen. */
export function EventTabs() {
  const [isConsumers] = useRoute('/consumers');
  const [isTypes] = useRoute('/types');
  const tab = (href: string, label: string, isCurrent: boolean) => (
    <Link href={href} aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </Link>
  );
  return (
    <nav class="tabs dev-tabs" aria-label="Events">
      {tab('/', 'Feed', !isConsumers && !isTypes)}
      {tab('/consumers', 'Consumers', isConsumers)}
      {tab('/types', 'Event types', isTypes)}
    </nav>
  );
}
