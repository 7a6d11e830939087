import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/field.tsx';
import { otherActors, useNames } from './names.tsx';
import { type FilterName, type Filters, filterNames, listTypes } from './requests.ts';

type Changes = Partial<Record<FilterName, string | readonly string[] | undefined>>;

const refused = ['access.request.denied', 'dam.policy.denied'];
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

/** What the records are narrowed by; it stands in the address. */
export function FilterForm(props: { filters: Filters; onChange: (changes: Changes) => void }) {
  const { filters, onChange } = props;
  const { values } = filters;
  const { data: types } = useAnswer(listTypes());
  const { keys } = useNames();
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

  const actor = values.actor_id?.[0] ?? values.actor_type?.[0] ?? '';
  const actors = new Map<string, string>([
    ['', 'Anybody'],
    ['api_key', 'Any API key'],
    ...otherActors,
    ...[...keys].map(([id, name]) => [id, `${name} (…${id.slice(-6)})`] as const),
  ]);
  if (!actors.has(actor)) actors.set(actor, actor);
  const chosen = values.type ?? [];
  const offered = (types?.data ?? []).filter(({ category }) => category === filters.category);
  const typeOptions = new Map<string, string>([
    ['', 'Everything'],
    ...families(offered.map(({ type }) => type)).map((one) => [`${one}.*`, `${one}.*`] as const),
    ...offered.map(({ type }) => [type, type] as const),
  ]);
  const type = chosen.join(' ');
  if (!typeOptions.has(type)) typeOptions.set(type, chosen.join(' or '));
  const toggle = (wanted: readonly string[]) => {
    onChange({ type: type === wanted.join(' ') ? undefined : wanted });
  };
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
          label="Who"
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
          label="What"
          value={type}
          options={[...typeOptions]}
          onChange={(value) => onChange({ type: value === '' ? undefined : value.split(' ') })}
        />
        <TextField label="On which resource" placeholder="obj_…, pol_…" {...text('resource_id')} />
        <TextField label="From which address" placeholder="203.0.113.9" {...text('address')} />
        <TextField label="In which request" placeholder="req_…" {...text('request_id')} />
        <TextField label="After" type="datetime-local" {...text('occurred_after')} />
        <TextField label="Before" type="datetime-local" {...text('occurred_before')} />
      </div>
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
              pressed={type === refused.join(' ')}
              class="audit-toggle"
              onClick={() => toggle(refused)}
            >
              Only what was refused
            </Button>
            <Button
              small
              pressed={type === observed.join(' ')}
              class="audit-toggle"
              onClick={() => toggle(observed)}
            >
              Only what would be refused
            </Button>
          </>
        )}
        {Object.keys(values).length > 0 && (
          <Button
            quiet
            small
            onClick={() =>
              onChange(Object.fromEntries(filterNames.map((name) => [name, undefined])))
            }
          >
            Clear all filters
          </Button>
        )}
      </div>
    </form>
  );
}

function textsOf({ values }: Filters): Partial<Record<FilterName, string>> {
  const texts = typed.map((name) => {
    const value = values[name]?.[0] ?? '';
    return [name, times.includes(name) ? toLocal(value) : value] as const;
  });
  return Object.fromEntries(texts);
}

/** What a field says, as the API wants it. */
function toFilter(name: FilterName, text: string): string | undefined {
  const value = text.trim();
  if (value === '') return undefined;
  return times.includes(name) ? new Date(value).toISOString() : value;
}

/** A time as the browser's field for it has it: local, to the minute and, if there are any, seconds. */
function toLocal(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}

/** The beginnings that several types share: `dam.policy`. */
function families(types: readonly string[]): string[] {
  const starts = types.map((type) => type.split('.').slice(0, -1).join('.'));
  return [...new Set(starts.filter((start, at) => starts.indexOf(start) !== at))];
}
