import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { otherActors, useActorNames } from './names.tsx';
import { type AuditFilters, type FilterName, filterNames } from './query.ts';

type Changes = Partial<Record<FilterName, string | readonly string[] | undefined>>;

const denialTypes = ['access.request.denied', 'dam.policy.denied'];
const observedDenialTypes = ['dam.policy.denial_observed'];
const downloadTypes = ['dam.object.downloaded', 'dam.share.downloaded'];

/** The filters of the audit records, stored in the URL. */
export function AuditFilterBar(props: {
  filters: AuditFilters;
  onChange: (changes: Changes) => void;
}) {
  const { filters, onChange } = props;
  const filterValue = (name: FilterName): string => filters.values[name]?.[0] ?? '';
  const { actor, actors } = useActors(filters);
  const { type, typeOptions } = useTypes(filters);
  const toggle = (types: readonly string[]) =>
    onChange({ type: type === types.join(' ') ? undefined : types });
  return (
    <FilterBar
      label="Filters"
      filters={[
        { kind: 'choice', name: 'actor', title: 'Actor', value: actor, options: [...actors] },
        { kind: 'choice', name: 'type', title: 'Event type', value: type, options: typeOptions },
        {
          kind: 'text',
          name: 'resource_id',
          title: 'Resource',
          value: filterValue('resource_id'),
          example: 'obj_…, pol_…',
        },
        {
          kind: 'text',
          name: 'address',
          title: 'IP address',
          value: filterValue('address'),
          example: '203.0.113.9',
        },
        {
          kind: 'text',
          name: 'request_id',
          title: 'Request',
          value: filterValue('request_id'),
          example: 'req_…',
        },
        {
          kind: 'time',
          name: 'occurred_after',
          title: 'After',
          value: filterValue('occurred_after'),
          spans: true,
        },
        {
          kind: 'time',
          name: 'occurred_before',
          title: 'Before',
          value: filterValue('occurred_before'),
        },
      ]}
      onChange={(changes) => onChange(toAddressChanges(changes))}
    >
      {filters.category === 'audit' && (
        <>
          <Button
            small
            pressed={type === denialTypes.join(' ')}
            onClick={() => toggle(denialTypes)}
          >
            Denials only
          </Button>
          <Button
            small
            pressed={type === observedDenialTypes.join(' ')}
            onClick={() => toggle(observedDenialTypes)}
          >
            Observed denials only
          </Button>
          <Button
            small
            pressed={type === downloadTypes.join(' ')}
            onClick={() => toggle(downloadTypes)}
          >
            Downloads only
          </Button>
        </>
      )}
    </FilterBar>
  );
}

/** Converts changes in the bar to changes of the URL: an actor is an identifier or a type. */
function toAddressChanges(changes: Record<string, string>): Changes {
  const { actor, type, ...rest } = changes;
  const entries = filterNames.flatMap((name) => {
    const value = rest[name];
    return value === undefined ? [] : [[name, value || undefined] as const];
  });
  const isId = actor?.includes('_') && actor !== 'api_key';
  return {
    ...Object.fromEntries(entries),
    ...(type === undefined ? {} : { type: type.split(' ').filter(Boolean) }),
    ...(actor === undefined
      ? {}
      : { actor_id: isId ? actor : undefined, actor_type: isId ? undefined : actor || undefined }),
  };
}

/** The selected actor, and the available ones. */
function useActors({ values }: AuditFilters) {
  const { keys, people } = useActorNames();
  const actor = values.actor_id?.[0] ?? values.actor_type?.[0] ?? '';
  const actors = new Map<string, string>([
    ['api_key', 'Any API key'],
    ...otherActors,
    ...[...people, ...keys].map(([id, name]) => [id, `${name} (…${id.slice(-6)})`] as const),
  ]);
  if (actor && !actors.has(actor)) actors.set(actor, actor);
  return { actor, actors };
}

/** The selected event types, joined by spaces, and the available types and prefixes. */
function useTypes({ category, values }: AuditFilters) {
  const { data: types } = useResource(requestFor('listEventTypes'));
  const selectedTypes = values.type ?? [];
  const availableTypes = (types?.data ?? []).filter((one) => one.category === category);
  const typeOptions: (readonly [string, string])[] = [
    ...sharedPrefixes(availableTypes.map(({ type }) => type)).map(
      (one) => [`${one}.*`, `${one}.*`] as const,
    ),
    ...availableTypes.map(({ type }) => [type, type] as const),
    [denialTypes.join(' '), 'Denials'],
    [downloadTypes.join(' '), 'Downloads'],
  ];
  const type = selectedTypes.join(' ');
  if (type && !typeOptions.some(([one]) => one === type)) {
    typeOptions.push([type, selectedTypes.join(' or ')]);
  }
  return { type, typeOptions };
}

/** Returns the prefixes shared by several types, such as `dam.policy`. */
function sharedPrefixes(types: readonly string[]): string[] {
  const prefixes = types.map((type) => type.split('.').slice(0, -1).join('.'));
  return [...new Set(prefixes.filter((start, at) => prefixes.indexOf(start) !== at))];
}
