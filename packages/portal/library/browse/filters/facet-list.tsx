import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../../../kit/format-count.ts';
import { Icon } from '../../../kit/icons/icon.tsx';
import { type RovingProps, useRoving } from '../../../kit/roving.ts';
import type { Facet } from './facets.tsx';

/** Maximum number of values without a search field. */
const maxWithoutSearch = 8;

/**
 * The values of a facet with their counts, selected ones first. Many values are searched by name.
 */
export function FacetList(props: {
  title: string;
  facet: Facet;
  selected: readonly string[];
  labelOf?: (value: string) => string;
  /** Above the list: how the selected values are combined. */
  mode?: ComponentChildren;
  onToggle: (value: string) => void;
  /** Applies a typed value that is not among those counted. Without it, the list is complete. */
  onType?: (value: string) => void;
  /** A further control of a value, as part of the same Tab stop. */
  extra?: (value: string, rover: (key: string) => RovingProps) => ComponentChildren;
}) {
  const { title, facet = [], selected, labelOf = (value) => value, onType, extra } = props;
  const [text, setText] = useState('');
  const searched = text.trim().toLowerCase();
  // A selected value without matches is not counted, but can be cleared.
  const counted = new Set(facet.map(({ value }) => value));
  const uncounted = selected.filter((value) => !counted.has(value));
  const all = [...uncounted.map((value) => ({ value, count: 0 })), ...facet];
  const isSelected = (value: string): boolean => selected.includes(value);
  const values = [
    ...all.filter(({ value }) => isSelected(value)),
    ...all.filter(({ value }) => !isSelected(value)),
  ].filter(({ value }) => labelOf(value).toLowerCase().includes(searched));
  const { group, rover } = useRoving<HTMLUListElement>(
    values.map(({ value }) => (extra ? [`+${value}`, `-${value}`] : [`+${value}`])),
  );
  const hasSearch = onType !== undefined || all.length > maxWithoutSearch;
  if (all.length === 0 && !hasSearch) return null;
  const submit = (): void => {
    const exact = all.find(({ value }) => labelOf(value).toLowerCase() === searched);
    const target = exact ?? (onType ? undefined : values[0]);
    if (target) props.onToggle(target.value);
    else if (searched !== '') onType?.(text.trim());
    setText('');
  };
  return (
    <fieldset class="field-group browse-facet">
      <legend>{title}</legend>
      {hasSearch && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <input
            class="input"
            type="search"
            aria-label={`Search ${title.toLowerCase()}`}
            placeholder="Search"
            autocomplete="off"
            maxLength={100}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </form>
      )}
      {props.mode}
      <ul {...group}>
        {values.map(({ value, count }) => (
          <li key={value} class={extra ? 'browse-line' : undefined}>
            <button
              type="button"
              class="browse-choice"
              aria-pressed={isSelected(value)}
              {...rover(`+${value}`)}
              onClick={() => props.onToggle(value)}
            >
              <span class="browse-tick" aria-hidden="true">
                {isSelected(value) && <Icon name="check" size={14} />}
              </span>
              <span class="browse-label" dir="auto">
                {labelOf(value)}
              </span>
              <span class="count">{formatCount(count)}</span>
            </button>
            {extra?.(value, rover)}
          </li>
        ))}
      </ul>
      {values.length === 0 && searched !== '' && (
        <p class="soft">
          {onType
            ? `Press Enter to filter by “${text.trim()}”.`
            : `No matching ${title.toLowerCase()}`}
        </p>
      )}
    </fieldset>
  );
}
