import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/fields/field.tsx';
import { formatCount } from '../../../kit/format-count.ts';
import { useRoving } from '../../../kit/roving.ts';
import type { Facet } from './facets.tsx';
import type { QueryChanges } from './filters.ts';
import { parseTagTerm, type TagMode, withoutTag, withTag, writeTagTerm } from './tag-terms.ts';

/** Filters by tags: all of them, any of them, or none of them. */
export function TagFilter(props: {
  address: URLSearchParams;
  setAddress: (changes: QueryChanges) => void;
  facet: Facet;
}) {
  const { address, setAddress, facet } = props;
  const [mode, setMode] = useState<'all' | 'any'>('all');
  const [text, setText] = useState('');
  const terms = address.getAll('tag').map(parseTagTerm);
  const usedTags = new Map(
    terms.flatMap(({ not, anyOf }) => anyOf.map((tag) => [tag, not] as const)),
  );
  const { group, rover } = useRoving<HTMLUListElement>(
    facet?.map(({ value }) => [`+${value}`, `-${value}`]) ?? [],
  );
  const change = (tag: string, tagMode: TagMode): void => {
    const isActive = usedTags.get(tag) === (tagMode === 'not');
    const next = isActive ? withoutTag(terms, tag) : withTag(terms, tag, tagMode);
    setAddress({ tag: next.map(writeTagTerm) });
  };
  return (
    <fieldset class="field-group browse-facet">
      <legend>Tags</legend>
      <form
        class="browse-line"
        onSubmit={(event) => {
          event.preventDefault();
          const tag = text.trim();
          if (tag && !usedTags.has(tag)) change(tag, mode);
          setText('');
        }}
      >
        <input
          class="input"
          aria-label="Filter by tag"
          placeholder="Tag"
          maxLength={100}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button small type="submit">
          Add
        </Button>
      </form>
      <ul {...group}>
        {facet?.map(({ value, count }) => (
          <li key={value} class="browse-line">
            <button
              type="button"
              class="browse-choice"
              aria-pressed={usedTags.get(value) === false}
              {...rover(`+${value}`)}
              onClick={() => change(value, mode)}
            >
              <span dir="auto">{value}</span>
              <span class="count">{formatCount(count)}</span>
            </button>
            <Button
              quiet
              small
              pressed={usedTags.get(value) === true}
              label={`Exclude ${value}`}
              rover={rover(`-${value}`)}
              onClick={() => change(value, 'not')}
            >
              Exclude
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
