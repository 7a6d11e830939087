import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/fields/field.tsx';
import { otherActors, useNames } from './names.tsx';
import { type AuditFilters, type FilterName, filterNames, listTypes } from './requests.ts';

type Changes = Partial<Record<FilterName, string | readonly string[] | undefined>>;

const denied = ['access.request.denied', 'dam.policy.denied'];
const observed = ['dam.policy.denial_observed'];
const spans = [
  ['Last hour', 3_600_000],
  ['Last 24 hours', 86_400_000],
  ['Last 7 days', 7 * 86_400_000],
] as const;

const typed = [
  'resource_id',
  'address',
  'request_id',
  'occurred_after',
  'occurred_before',
] as const;
const times: readonly FilterName[] = ['occurred_after', 'occurred_before'];

/** The filters of the audit records, stored in the address. */
export function AuditFilterForm(props: {
  filters: AuditFilters;
  onChange: (changes: Changes) => void;
}) {
  const { filters, onChange } = props;
  const { values } = filters;
  const [texts, setTexts] = useState(() => textsOf(filters));
  const key = JSON.stringify(values);
  useEffect(() => setTexts(textsOf(filters)), [key]);

  const text = (name: (typeof typed)[number]) => ({
    value: texts[name] ?? '',
    onInput: (value: string) => setTexts((now) => ({ ...now, [name]: value })),
  });
  const apply = () => {
    const changes = typed.map((name) => [name, toFilter(name, texts[name] ?? '')] as const);
    if (changes.some(([name, value]) => (value ?? '') !== (values[name]?.[0] ?? ''))) {
      onChange(Object.fromEntries(changes));
    }
  };

  const { actor, actors } = useActors(filters);
  const { type, typeOptions } = useTypes(filters);
  return (
    <form
      class="audit-filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div class="audit-fields">
        <SelectField
          label="Actor"
          value={actor}
          options={[...actors]}
          onChange={(value) =>
            onChange(
              value.startsWith('key_')
                ? { actor_id: value, actor_type: undefined }
                : { actor_type: value, actor_id: undefined },
            )
          }
        />
        <SelectField
          label="Event type"
          value={type}
          options={[...typeOptions]}
          onChange={(value) => onChange({ type: value === '' ? undefined : value.split(' ') })}
        />
        <TextField label="Resource" placeholder="obj_…, pol_…" {...text('resource_id')} />
        <TextField label="IP address" placeholder="203.0.113.9" {...text('address')} />
        <TextField label="Request" placeholder="req_…" {...text('request_id')} />
        <TextField label="After" type="datetime-local" {...text('occurred_after')} />
        <TextField label="Before" type="datetime-local" {...text('occurred_before')} />
      </div>
      <Shortcuts filters={filters} onChange={onChange} />
    </form>
  );
}

/** The selected actor, and the actors to select from. */
function useActors({ values }: AuditFilters) {
  const { keys, people } = useNames();
  const actor = values.actor_id?.[0] ?? values.actor_type?.[0] ?? '';
  const actors = new Map<string, string>([
    ['', 'Anyone'],
    ['api_key', 'Any API key'],
    ...otherActors,
    ...[...people, ...keys].map(([id, name]) => [id, `${name} (…${id.slice(-6)})`] as const),
  ]);
  if (!actors.has(actor)) actors.set(actor, actor);
  return { actor, actors };
}

/** The selected event types, joined by spaces, and the types and families to select from. */
function useTypes({ category, values }: AuditFilters) {
  const { data: types } = useAnswer(listTypes());
  const chosen = values.type ?? [];
  const offered = (types?.data ?? []).filter((one) => one.category === category);
  const typeOptions = new Map<string, string>([
    ['', 'All'],
    ...families(offered.map(({ type }) => type)).map((one) => [`${one}.*`, `${one}.*`] as const),
    ...offered.map(({ type }) => [type, type] as const),
  ]);
  const type = chosen.join(' ');
  if (!typeOptions.has(type)) typeOptions.set(type, chosen.join(' or '));
  return { type, typeOptions };
}

/** The buttons of the form: apply, time ranges, denials, and clear. */
function Shortcuts(props: { filters: AuditFilters; onChange: (changes: Changes) => void }) {
  const { filters, onChange } = props;
  const type = (filters.values.type ?? []).join(' ');
  const toggle = (wanted: readonly string[]) => {
    onChange({ type: type === wanted.join(' ') ? undefined : wanted });
  };
  return (
    <div class="row">
      <Button type="submit">Apply filters</Button>
      {spans.map(([name, milliseconds]) => (
        <Button
          key={name}
          quiet
          small
          onClick={() =>
            onChange({
              occurred_after: new Date(Date.now() - milliseconds).toISOString(),
              occurred_before: undefined,
            })
          }
        >
          {name}
        </Button>
      ))}
      {filters.category === 'audit' && (
        <>
          <Button
            small
            pressed={type === denied.join(' ')}
            class="audit-toggle"
            onClick={() => toggle(denied)}
          >
            Denials only
          </Button>
          <Button
            small
            pressed={type === observed.join(' ')}
            class="audit-toggle"
            onClick={() => toggle(observed)}
          >
            Observed denials only
          </Button>
        </>
      )}
      {Object.keys(filters.values).length > 0 && (
        <Button
          quiet
          small
          onClick={() => onChange(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
        >
          Clear all filters
        </Button>
      )}
    </div>
  );
}

function textsOf({ values }: AuditFilters): Partial<Record<FilterName, string>> {
  const texts = typed.map((name) => {
    const value = values[name]?.[0] ?? '';
    return [name, times.includes(name) ? toLocal(value) : value] as const;
  });
  return Object.fromEntries(texts);
}

/** The value of a field as a filter of the API. */
function toFilter(name: FilterName, text: string): string | undefined {
  const value = text.trim();
  if (value === '') return undefined;
  return times.includes(name) ? new Date(value).toISOString() : value;
}

/** A timestamp as the value of a `datetime-local` field, to the millisecond. */
function toLocal(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}

/** The prefixes shared by several types, such as `dam.policy`. */
function families(types: readonly string[]): string[] {
  const starts = types.map((type) => type.split('.').slice(0, -1).join('.'));
  return [...new Set(starts.filter((start, at) => starts.indexOf(start) !== at))];
}
