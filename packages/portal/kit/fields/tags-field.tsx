import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../button.tsx';

const shownSuggestions = 100;

/**
 * Edits tags as chips. Enter, a comma or leaving the field adds a tag; Backspace in an empty field
 * removes the last one. Existing tags are suggested.
 */
export function TagsField(props: {
  label: string;
  hint?: string;
  tags: readonly string[];
  suggestions?: readonly string[];
  autofocus?: boolean;
  onChange: (tags: string[]) => void;
}) {
  const { label, hint, tags, suggestions = [], onChange } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  // Added on blur but shown as chips only later: a new chip would move the button being pressed.
  const [held, setHeld] = useState<readonly string[]>([]);
  const isPressed = usePress(() => {
    if (held.length === 0) return;
    setHeld([]);
    setText('');
  });
  const freshIn = (typed: string): string[] => {
    const found = typed.split(',').map((tag) => tag.normalize('NFKC').trim());
    return [...new Set(found)].filter((tag) => tag && !tags.includes(tag));
  };
  const take = (typed: string): string[] => {
    const fresh = freshIn(typed);
    if (fresh.length > 0) onChange([...tags, ...fresh]);
    setText('');
    return fresh;
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Chips
        label={`${label}: selected`}
        tags={tags.filter((tag) => !held.includes(tag))}
        onRemove={(removed) => {
          onChange(tags.filter((one) => one !== removed));
          input.current?.focus();
        }}
      />
      <input
        ref={input}
        id={id}
        class="input"
        list={suggestions.length > 0 ? `${id}-known` : undefined}
        value={text}
        maxLength={100}
        autofocus={props.autofocus ?? false}
        autocomplete="off"
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={({ currentTarget: { value } }) => {
          if (value.includes(',')) take(value);
          else setText(value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && text.trim() !== '') {
            // Enter would submit the form.
            event.preventDefault();
            take(text);
          } else if (event.key === 'Backspace' && text === '' && tags.length > 0) {
            onChange(tags.slice(0, -1));
          }
        }}
        onBlur={() => {
          const fresh = take(text);
          if (!isPressed() || fresh.length === 0) return;
          setHeld(fresh);
          setText(text);
        }}
      />
      {suggestions.length > 0 && (
        <datalist id={`${id}-known`}>
          {suggestions
            .filter((tag) => !tags.includes(tag))
            .slice(0, shownSuggestions)
            .map((tag) => (
              <option key={tag} value={tag} />
            ))}
        </datalist>
      )}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

function Chips(props: { label: string; tags: readonly string[]; onRemove: (tag: string) => void }) {
  if (props.tags.length === 0) return null;
  return (
    <ul class="row tags-given" aria-label={props.label}>
      {props.tags.map((tag) => (
        <li key={tag} class="chip">
          <bdi>{tag}</bdi>
          <Button quiet small label={`Remove tag ${tag}`} onClick={() => props.onRemove(tag)}>
            ×
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Returns whether a pointer is pressed; `onEnd` runs after the click that follows. */
function usePress(onEnd: () => void): () => boolean {
  const pressed = useRef(false);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  useEffect(() => {
    const begin = (): void => {
      pressed.current = true;
    };
    const end = (): void => {
      pressed.current = false;
      window.setTimeout(() => ended.current());
    };
    window.addEventListener('pointerdown', begin, true);
    window.addEventListener('pointerup', end, true);
    window.addEventListener('pointercancel', end, true);
    return () => {
      window.removeEventListener('pointerdown', begin, true);
      window.removeEventListener('pointerup', end, true);
      window.removeEventListener('pointercancel', end, true);
    };
  }, []);
  return () => pressed.current;
}
