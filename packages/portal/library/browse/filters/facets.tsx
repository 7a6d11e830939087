import type { Facets } from '@scriptorium/contracts/wire/library/images';
import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/fields/field.tsx';
import { FacetList } from './facet-list.tsx';
import {
  dayOfEnd,
  dayOfStart,
  exclusiveEnd,
  exclusiveStart,
  type QueryChanges,
} from './filters.ts';

export type Facet = Facets['tag'] | undefined;

/** A facet whose selected values are combined with OR. */
export function FacetChoices(props: {
  title: string;
  name: 'mime' | 'orientation';
  facet: Facet;
  labelOf: (value: string) => string;
  address: URLSearchParams;
  setAddress: (changes: QueryChanges) => void;
}) {
  const { title, name, facet, labelOf, address, setAddress } = props;
  const selected = address.get(name)?.split(',') ?? [];
  return (
    <FacetList
      title={title}
      facet={facet}
      selected={selected}
      labelOf={labelOf}
      onToggle={(value) => {
        const others = selected.filter((one) => one !== value);
        const next = others.length < selected.length ? others : [...selected, value];
        setAddress({ [name]: next.join(',') });
      }}
    />
  );
}

export function DateRange(props: {
  legend: string;
  name: 'created' | 'captured';
  address: URLSearchParams;
  setAddress: (changes: QueryChanges) => void;
}) {
  const { name, address, setAddress } = props;
  return (
    <fieldset class="field-group browse-facet">
      <legend>{props.legend}</legend>
      <TextField
        label="From"
        type="date"
        value={dayOfStart(address.get(`${name}_after`))}
        onInput={(day) => setAddress({ [`${name}_after`]: exclusiveStart(day) })}
      />
      <TextField
        label="Until"
        type="date"
        value={dayOfEnd(address.get(`${name}_before`))}
        onInput={(day) => setAddress({ [`${name}_before`]: exclusiveEnd(day) })}
      />
    </fieldset>
  );
}

const sizeFilters = [
  ['min_width', 'Minimum width (px)', 1],
  ['max_width', 'Maximum width (px)', 1],
  ['min_height', 'Minimum height (px)', 1],
  ['max_height', 'Maximum height (px)', 1],
  ['min_bytes', 'Minimum size (kB)', 1000],
  ['max_bytes', 'Maximum size (kB)', 1000],
] as const;

/** Filters by size. Applied on submit, because a half-typed number is not a valid filter. */
export function SizeFilters({
  address,
  setAddress,
}: {
  address: URLSearchParams;
  setAddress: (changes: QueryChanges) => void;
}) {
  const [values, setValues] = useState(() =>
    Object.fromEntries(
      sizeFilters.map(([name, , unit]) => {
        const value = address.get(name);
        return [name, value ? String(Number(value) / unit) : ''] as const;
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
          setAddress(
            Object.fromEntries(
              sizeFilters.map(([name, , unit]) => {
                const number = Number(values[name]);
                return [name, values[name] ? String(Math.round(number * unit)) : undefined];
              }),
            ),
          );
        }}
      >
        {sizeFilters.map(([name, label]) => (
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
