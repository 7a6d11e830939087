import type { Facets } from '@scriptorium/contracts/wire/library/images';
import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { formatCount } from '../../../kit/count.ts';
import { TextField } from '../../../kit/fields/field.tsx';
import { useRoving } from '../../../kit/roving.ts';
import { type Changes, dayFrom, dayUntil, fromDay, untilDay } from './filters.ts';

export type Facet = Facets['tag'] | undefined;

/** A facet whose selected values are combined with OR. */
export function Choices(props: {
  title: string;
  name: 'mime' | 'orientation';
  facet: Facet;
  say: (value: string) => string;
  address: URLSearchParams;
  set: (changes: Changes) => void;
}) {
  const { title, name, facet, say, address, set } = props;
  const chosen = address.get(name)?.split(',') ?? [];
  const { group, rover } = useRoving<HTMLUListElement>(facet?.map(({ value }) => [value]) ?? []);
  if (!facet?.length) return null;
  return (
    <fieldset class="field-group browse-facet">
      <legend>{title}</legend>
      <ul {...group}>
        {facet.map(({ value, count }) => (
          <li key={value}>
            <button
              type="button"
              class="browse-choice"
              aria-pressed={chosen.includes(value)}
              {...rover(value)}
              onClick={() => {
                const others = chosen.filter((one) => one !== value);
                const next = others.length < chosen.length ? others : [...chosen, value];
                set({ [name]: next.join(',') });
              }}
            >
              <span>{say(value)}</span>
              <span class="count">{formatCount(count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

export function Days(props: {
  legend: string;
  name: 'created' | 'captured';
  address: URLSearchParams;
  set: (changes: Changes) => void;
}) {
  const { name, address, set } = props;
  return (
    <fieldset class="field-group browse-facet">
      <legend>{props.legend}</legend>
      <TextField
        label="From"
        type="date"
        value={dayFrom(address.get(`${name}_after`))}
        onInput={(day) => set({ [`${name}_after`]: fromDay(day) })}
      />
      <TextField
        label="Until"
        type="date"
        value={dayUntil(address.get(`${name}_before`))}
        onInput={(day) => set({ [`${name}_before`]: untilDay(day) })}
      />
    </fieldset>
  );
}

const sizes = [
  ['min_width', 'Minimum width (px)', 1],
  ['max_width', 'Maximum width (px)', 1],
  ['min_height', 'Minimum height (px)', 1],
  ['max_height', 'Maximum height (px)', 1],
  ['min_bytes', 'Minimum size (kB)', 1000],
  ['max_bytes', 'Maximum size (kB)', 1000],
] as const;

/** Applied on submit, because a half-typed number is not a valid filter. */
export function Sizes({
  address,
  set,
}: {
  address: URLSearchParams;
  set: (changes: Changes) => void;
}) {
  const [values, setValues] = useState(() =>
    Object.fromEntries(
      sizes.map(([name, , unit]) => {
        const given = address.get(name);
        return [name, given ? String(Number(given) / unit) : ''] as const;
      }),
    ),
  );
  return (
    <fieldset class="field-group browse-facet">
      <legend>Size</legend>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          set(
            Object.fromEntries(
              sizes.map(([name, , unit]) => {
                const number = Number(values[name]);
                return [name, values[name] ? String(Math.round(number * unit)) : undefined];
              }),
            ),
          );
        }}
      >
        {sizes.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            type="number"
            min={0}
            value={values[name] ?? ''}
            onInput={(text) => setValues((now) => ({ ...now, [name]: text }))}
          />
        ))}
        <Button type="submit">Apply</Button>
      </form>
    </fieldset>
  );
}
