import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Suggestions } from './suggestions.tsx';

/** Maximum number of suggestions shown at once. */
const maxSuggestions = 20;

/**
 * Edits tags as chips. Enter, a comma or leaving the field adds a tag; Backspace in an empty field
 * removes the last one. Existing tags that contain the text are suggested; the arrow keys select one.
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
  const [active, setActive] = useState(-1);
  const [isSuggesting, setIsSuggesting] = useState(false);
  const searched = text.trim().toLowerCase();
  const suggested = suggestions
    .filter((tag) => !tags.includes(tag) && tag.toLowerCase().includes(searched))
    .slice(0, maxSuggestions);
  const hasSuggestions = isSuggesting && searched !== '' && suggested.length > 0;
  // Added on blur but shown as chips only later: a new chip would move the button being pressed.
  const [pendingTags, setPendingTags] = useState<readonly string[]>([]);
  const isPressed = usePointerPress(() => {
    if (pendingTags.length === 0) return;
    setPendingTags([]);
    setText('');
  });
  const comboboxProps = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': hasSuggestions,
    'aria-controls': hasSuggestions ? `${id}-known` : undefined,
    'aria-activedescendant': hasSuggestions && active >= 0 ? `${id}-known-${active}` : undefined,
  } as const;
  const newTagsIn = (value: string): string[] => {
    const tagNames = value.split(',').map((tag) => tag.normalize('NFKC').trim());
    return [...new Set(tagNames)].filter((tag) => tag && !tags.includes(tag));
  };
  const addTags = (value: string): string[] => {
    const newTags = newTagsIn(value);
    if (newTags.length > 0) onChange([...tags, ...newTags]);
    setText('');
    setActive(-1);
    return newTags;
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <TagChips
        label={`${label}: selected`}
        tags={tags.filter((tag) => !pendingTags.includes(tag))}
        onRemove={(removed) => {
          onChange(tags.filter((one) => one !== removed));
          input.current?.focus();
        }}
      />
      <input
        ref={input}
        id={id}
        class="input"
        {...(suggestions.length > 0 ? comboboxProps : {})}
        value={text}
        maxLength={100}
        autofocus={props.autofocus ?? false}
        autocomplete="off"
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={({ currentTarget: { value } }) => {
          setActive(-1);
          setIsSuggesting(true);
          if (value.includes(',')) addTags(value);
          else setText(value);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (event.key === 'Enter' && text.trim() !== '') {
            // Enter would submit the form.
            event.preventDefault();
            addTags(suggested[active] ?? text);
          } else if (step && hasSuggestions) {
            event.preventDefault();
            setActive(Math.max(-1, Math.min(suggested.length - 1, active + step)));
          } else if (event.key === 'Escape' && hasSuggestions) {
            // Only closes the suggestions, not the dialog.
            event.preventDefault();
            event.stopPropagation();
            setIsSuggesting(false);
          } else if (event.key === 'Backspace' && text === '' && tags.length > 0) {
            onChange(tags.slice(0, -1));
          }
        }}
        onBlur={() => {
          setIsSuggesting(false);
          const newTags = addTags(text);
          if (!isPressed() || newTags.length === 0) return;
          setPendingTags(newTags);
          setText(text);
        }}
      />
      {hasSuggestions && (
        <Suggestions
          id={`${id}-known`}
          field={input}
          label={`${label}: suggestions`}
          values={suggested}
          active={active}
          onChoose={addTags}
        />
      )}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

function TagChips(props: {
  label: string;
  tags: readonly string[];
  onRemove: (tag: string) => void;
}) {
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
function usePointerPress(onEnd: () => void): () => boolean {
  const isPressed = useRef(false);
  const latestOnEnd = useRef(onEnd);
  latestOnEnd.current = onEnd;
  useEffect(() => {
    const onPointerDown = (): void => {
      isPressed.current = true;
    };
    const onPointerUp = (): void => {
      isPressed.current = false;
      window.setTimeout(() => latestOnEnd.current());
    };
    window.addEventListener('pointerdown', onPointerDown, true);
    window.addEventListener('pointerup', onPointerUp, true);
    window.addEventListener('pointercancel', onPointerUp, true);
    return () => {
      window.removeEventListener('pointerdown', onPointerDown, true);
      window.removeEventListener('pointerup', onPointerUp, true);
      window.removeEventListener('pointercancel', onPointerUp, true);
    };
  }, []);
  return () => isPressed.current;
}
