import { useState } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';

/** Maximum number of options without a search field. */
const maxWithoutSearch = 8;

/** A list to select one option from, also with the arrow keys. Long lists have a search field. */
export function Choices(props: {
  label: string;
  options: readonly (readonly [value: string, label: string])[];
  value: string;
  /** Allows any typed text as a value; contains an example. */
  free?: string;
  onChoose: (value: string) => void;
}) {
  const { options, value, free, onChoose } = props;
  const [text, setText] = useState('');
  const hasSearch = free !== undefined || options.length > maxWithoutSearch;
  const searchText = text.trim().toLowerCase();
  const matches = options.filter(
    ([one, label]) =>
      label.toLowerCase().includes(searchText) || one.toLowerCase().includes(searchText),
  );
  const isFreeText =
    free !== undefined && searchText !== '' && !options.some(([one]) => one === text.trim());
  return (
    <form
      class="choices"
      onSubmit={(event) => {
        event.preventDefault();
        if (isFreeText) onChoose(text.trim());
        else if (matches[0]) onChoose(matches[0][0]);
      }}
      onKeyDown={moveFocus}
    >
      {hasSearch && (
        <input
          class="input"
          type="search"
          aria-label={props.label}
          placeholder={free ?? 'Search'}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <ul>
        {isFreeText && (
          <li>
            <button type="button" onClick={() => onChoose(text.trim())}>
              <span>{text.trim()}</span>
            </button>
          </li>
        )}
        {matches.map(([one, label]) => (
          <li key={one}>
            <button
              type="button"
              aria-current={one === value ? 'true' : undefined}
              onClick={() => onChoose(one)}
            >
              <span>{label}</span>
              {one === value && <Icon name="check" size={14} />}
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}

/** Moves the focus between the controls of an element with the arrow keys. */
export function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button, a')];
  const at = controls.findIndex((one) => one.matches(':focus'));
  event.preventDefault();
  controls[(at + step + controls.length) % controls.length]?.focus();
}
