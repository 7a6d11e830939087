import { useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { otherActors, useNames } from './names.tsx';
import { type AuditFilters, type FilterName, filterNames } from './query.ts';

type Changes = Partial<Record<FilterName, string | readonly string[] | undefined>>;

const denied = ['access.request.denied', 'dam.policy.denied'];
const observed = ['dam.policy.denial_observed'];
const downloads = ['dam.object.downloaded', 'dam.share.downloaded'];

/** The filters of the audit records, stored in the address. */
export function AuditFilterBar(props: {
  filters: AuditFilters;
  onChange: (changes: Changes) => void;
}) {
  const { filters, onChange } = props;
  const value = (name: FilterName): string => filters.values[name]?.[0] ?? '';
  const { actor, actors } = useActors(filters);
  const { type, typeOptions } = useTypes(filters);
  const toggle = (wanted: readonly string[]) =>
    onChange({ type: type === wanted.join(' ') ? undefined : wanted });
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
          value: value('resource_id'),
          example: 'obj_…, pol_…',
        },
        {
          kind: 'text',
          name: 'address',
          title: 'IP address',
          value: value('address'),
          example: '203.0.113.9',
        },
        {
          kind: 'text',
          name: 'request_id',
          title: 'Request',
          value: value('request_id'),
          example: 'req_…',
        },
        {
          kind: 'time',
          name: 'occurred_after',
          title: 'After',
          value: value('occurred_after'),
          spans: true,
        },
        { kind: 'time', name: 'occurred_before', title: 'Before', value: value('occurred_before') },
      ]}
      onChange={(changes) => onChange(changesOf(changes))}
    >
      {filters.category === 'audit' && (
        <>
          <Button small pressed={type === denied.join(' ')} onClick={() => toggle(denied)}>
            Denials only
          </Button>
          <Button small pressed={type === observed.join(' ')} onClick={() => toggle(observed)}>
            Observed denials only
          </Button>
          <Button small pressed={type === downloads.join(' ')} onClick={() => toggle(downloads)}>
            Downloads only
          </Button>
        </>
      )}
    </FilterBar>
  );
}

/** Converts changes in the bar to changes of the address: an actor is a key or a kind of actor. */
function changesOf(changes: Record<string, string>): Changes {
  const { actor, type, ...rest } = changes;
  const given = filterNames.flatMap((name) => {
    const value = rest[name];
    return value === undefined ? [] : [[name, value || undefined] as const];
  });
  const isId = actor?.includes('_') && actor !== 'api_key';
  return {
    ...Object.fromEntries(given),
    ...(type === undefined ? {} : { type: type.split(' ').filter(Boolean) }),
    ...(actor === undefined
      ? {}
      : { actor_id: isId ? actor : undefined, actor_type: isId ? undefined : actor || undefined }),
  };
}

/** The selected actor, and the available ones. */
function useActors({ values }: AuditFilters) {
  const { keys, people } = useNames();
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
  const { data: types } = useAnswer(requestFor('listEventTypes'));
  const chosen = values.type ?? [];
  const offered = (types?.data ?? []).filter((one) => one.category === category);
  const typeOptions: (readonly [string, string])[] = [
    ...families(offered.map(({ type }) => type)).map((one) => [`${one}.*`, `${one}.*`] as const),
    ...offered.map(({ type }) => [type, type] as const),
    [denied.join(' '), 'Denials'],
    [downloads.join(' '), 'Downloads'],
  ];
  const type = chosen.join(' ');
  if (type && !typeOptions.some(([one]) => one === type)) {
    typeOptions.push([type, chosen.join(' or ')]);
  }
  return { type, typeOptions };
}

/** Returns the prefixes shared by several types, such as `dam.policy`. */
function families(types: readonly string[]): string[] {
  const starts = types.map((type) => type.split('.').slice(0, -1).join('.'));
  return [...new Set(starts.filter((start, at) => starts.indexOf(start) !== at))];
}
