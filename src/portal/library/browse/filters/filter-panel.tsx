import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { Facets } from '../../../../contracts/wire/library/images.ts';
import { Button } from '../../../kit/button.tsx';
import { formatCount } from '../../../kit/count.ts';
import { DialogButton } from '../../../kit/dialog.tsx';
import { SelectField, TextField } from '../../../kit/fields/field.tsx';

import { useSession } from '../../../shell/session.tsx';
import { CollectionDialog } from '../collection-dialog.tsx';
import {
  type Changes,
  dayFrom,
  dayUntil,
  fromDay,
  type Kind,
  mimeName,
  untilDay,
} from './filters.ts';
import { parseTagTerm, type TagMode, withoutTag, withTag, writeTagTerm } from './tag-terms.ts';

interface PanelProps {
  address: URLSearchParams;
  set: (changes: Changes) => void;
  kind: Kind;
  facets: Facets | undefined;
  collectionName: string | undefined;
}

const objectTypes: readonly (readonly [string, string])[] = [
  ['', 'Any'],
  ['application/pdf', 'PDF'],
  ['image/*', 'Images'],
  ['text/*', 'Text'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'DOCX'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'XLSX'],
];

/** The filters; each change is applied to the address immediately. */
export const FilterPanel = memo(function FilterPanel(props: PanelProps) {
  const { address, set, facets } = props;
  const isImages = props.kind === 'images';
  const value = (name: string): string => address.get(name) ?? '';
  const { can } = useSession();
  return (
    <search class="browse-filters" aria-label="Filters">
      <TagFilter address={address} set={set} facet={facets?.tag} />
      {isImages ? (
        <>
          <Choices
            title="Type"
            name="mime"
            facet={facets?.mime}
            say={mimeName}
            address={address}
            set={set}
          />
          <Choices
            title="Orientation"
            name="orientation"
            facet={facets?.orientation}
            say={(text) => text[0]!.toUpperCase() + text.slice(1)}
            address={address}
            set={set}
          />
          <SelectField
            label="Tag status"
            value={value('untagged')}
            onChange={(untagged) => set({ untagged })}
            options={[
              ['', 'Any'],
              ['true', 'Untagged'],
              ['false', 'Tagged'],
            ]}
          />
          <SelectField
            label="Rating"
            value={value('min_rating')}
            onChange={(rating) => set({ min_rating: rating })}
            options={[
              ['', 'Any'],
              ...[5, 4, 3, 2, 1].map((n) => [String(n), n === 5 ? '5' : `${n} or more`] as const),
            ]}
          />
          {can('collections:read') && (
            <div class="field">
              <span class="label">Collection</span>
              <DialogButton
                label={value('collection_id') ? (props.collectionName ?? 'Selected') : 'Any'}
                dialog={(close) => (
                  <CollectionDialog
                    title="Filter by collection"
                    action="Show"
                    onClose={close}
                    onChoose={({ id }) => {
                      set({ collection_id: id });
                      close();
                    }}
                  />
                )}
              />
            </div>
          )}
        </>
      ) : (
        <SelectField
          label="Type"
          value={value('mime')}
          onChange={(mime) => set({ mime })}
          options={objectTypes}
        />
      )}
      <SelectField
        label="State"
        value={value('state')}
        onChange={(state) => set({ state })}
        options={[
          ['', 'All except trashed'],
          ['available', 'Available'],
          ['processing', 'Processing'],
          ['rejected', 'Rejected'],
          ['failed', 'Failed'],
        ]}
      />
      <Days legend="Added" name="created" address={address} set={set} />
      {isImages && (
        <>
          <Days legend="Taken" name="captured" address={address} set={set} />
          <Sizes key={address.toString()} address={address} set={set} />
        </>
      )}
    </search>
  );
});

type Facet = Facets['tag'] | undefined;

/** Filters by tags: all of them, any of them, or none of them. */
function TagFilter(props: {
  address: URLSearchParams;
  set: (changes: Changes) => void;
  facet: Facet;
}) {
  const { address, set, facet } = props;
  const [mode, setMode] = useState<'all' | 'any'>('all');
  const [typed, setTyped] = useState('');
  const terms = address.getAll('tag').map(parseTagTerm);
  const used = new Map(terms.flatMap(({ not, anyOf }) => anyOf.map((tag) => [tag, not] as const)));
  const change = (tag: string, how: TagMode): void => {
    const isThere = used.get(tag) === (how === 'not');
    const next = isThere ? withoutTag(terms, tag) : withTag(terms, tag, how);
    set({ tag: next.map(writeTagTerm) });
  };
  return (
    <fieldset class="browse-facet">
      <legend>Tags</legend>
      <form
        class="browse-line"
        onSubmit={(event) => {
          event.preventDefault();
          const tag = typed.trim();
          if (tag && !used.has(tag)) change(tag, mode);
          setTyped('');
        }}
      >
        <input
          class="input"
          aria-label="Filter by tag"
          placeholder="Tag"
          maxLength={100}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Button small type="submit">
          Add
        </Button>
      </form>
      <ul>
        {facet?.map(({ value, count }) => (
          <li key={value} class="browse-line">
            <button
              type="button"
              class="browse-choice"
              aria-pressed={used.get(value) === false}
              onClick={() => change(value, mode)}
            >
              <span dir="auto">{value}</span>
              <span class="count">{formatCount(count)}</span>
            </button>
            <Button
              quiet
              small
              pressed={used.get(value) === true}
              label={`Not tagged ${value}`}
              onClick={() => change(value, 'not')}
            >
              Not
            </Button>
          </li>
        ))}
      </ul>
      {terms.length > 0 && (
        <SelectField
          label="Match next tag"
          value={mode}
          onChange={(value) => setMode(value === 'any' ? 'any' : 'all')}
          options={[
            ['all', 'In addition (AND)'],
            ['any', 'As an alternative (OR)'],
          ]}
        />
      )}
    </fieldset>
  );
}

/** A facet whose selected values are combined with OR. */
function Choices(props: {
  title: string;
  name: 'mime' | 'orientation';
  facet: Facet;
  say: (value: string) => string;
  address: URLSearchParams;
  set: (changes: Changes) => void;
}) {
  const { title, name, facet, say, address, set } = props;
  const chosen = address.get(name)?.split(',') ?? [];
  if (!facet?.length) return null;
  return (
    <fieldset class="browse-facet">
      <legend>{title}</legend>
      <ul>
        {facet.map(({ value, count }) => (
          <li key={value}>
            <button
              type="button"
              class="browse-choice"
              aria-pressed={chosen.includes(value)}
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

function Days(props: {
  legend: string;
  name: 'created' | 'captured';
  address: URLSearchParams;
  set: (changes: Changes) => void;
}) {
  const { name, address, set } = props;
  return (
    <fieldset class="browse-facet">
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

/** Applied on submit: a half-typed number is not a filter. */
function Sizes({ address, set }: { address: URLSearchParams; set: (changes: Changes) => void }) {
  const [values, setValues] = useState(() =>
    Object.fromEntries(
      sizes.map(([name, , unit]) => {
        const given = address.get(name);
        return [name, given ? String(Number(given) / unit) : ''] as const;
      }),
    ),
  );
  return (
    <details class="browse-facet" open={sizes.some(([name]) => address.has(name))}>
      <summary>Size</summary>
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
    </details>
  );
}
