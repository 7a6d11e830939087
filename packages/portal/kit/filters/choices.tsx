import { useState } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';

/** Maximum length of a list without a search field. */
const longest = 8;

/** A list to choose one item from, also with the arrow keys; long lists have a search field. */
export function Choices(props: {
  label: string;
  options: readonly (readonly [value: string, label: string])[];
  value: string;
  /** Allows any typed text as a value; contains an example. */
  free?: string;
  onChoose: (value: string) => void;
}) {
  const { options, value, free, onChoose } = props;
  const [typed, setTyped] = useState('');
  const searches = free !== undefined || options.length > longest;
  const wanted = typed.trim().toLowerCase();
  const shown = options.filter(
    ([one, label]) => label.toLowerCase().includes(wanted) || one.toLowerCase().includes(wanted),
  );
  const isOther =
    free !== undefined && wanted !== '' && !options.some(([one]) => one === typed.trim());
  return (
    <form
      class="choices"
      onSubmit={(event) => {
        event.preventDefault();
        if (isOther) onChoose(typed.trim());
        else if (shown[0]) onChoose(shown[0][0]);
      }}
      onKeyDown={moveFocus}
    >
      {searches && (
        <input
          class="input"
          type="search"
          aria-label={props.label}
          placeholder={free ?? 'Search'}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <ul>
        {isOther && (
          <li>
            <button type="button" onClick={() => onChoose(typed.trim())}>
              <span>{typed.trim()}</span>
            </button>
          </li>
        )}
        {shown.map(([one, label]) => (
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

/** Arrow keys move between the controls of an element. */
export function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button, a')];
  const at = controls.findIndex((one) => one.matches(':focus'));
  event.preventDefault();
  controls[(at + step + controls.length) % controls.length]?.focus();
}
