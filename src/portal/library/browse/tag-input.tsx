import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';

/**
 * Tags as chips: Enter or a comma adds what is typed, Backspace in an empty field takes the last
 * away, and those there are already in the library are suggested.
 */
export function TagInput(props: {
  label: string;
  hint?: string;
  tags: readonly string[];
  suggestions: readonly string[];
  onChange: (tags: string[]) => void;
  /** What is typed and not yet a tag. */
  onText?: (text: string) => void;
  autofocus?: boolean;
}) {
  const { tags, onChange } = props;
  const [text, setText] = useState('');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const say = (typed: string): void => {
    setText(typed);
    props.onText?.(typed);
  };
  const add = (typed: string): void => {
    const tag = typed.normalize('NFKC').trim();
    say('');
    if (tag && !tags.includes(tag)) onChange([...tags, tag]);
  };
  const remove = (tag: string): void => {
    onChange(tags.filter((one) => one !== tag));
    input.current?.focus();
  };
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <ul class="browse-chips" aria-label={`${props.label}: chosen`} hidden={tags.length === 0}>
        {tags.map((tag) => (
          <li key={tag} class="chip">
            <span dir="auto">{tag}</span>
            <Button quiet small label={`Remove the tag ${tag}`} onClick={() => remove(tag)}>
              ×
            </Button>
          </li>
        ))}
      </ul>
      <input
        ref={input}
        id={id}
        class="input"
        list={`${id}-known`}
        maxLength={100}
        autofocus={props.autofocus ?? false}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        value={text}
        onInput={(event) => {
          const typed = event.currentTarget.value;
          if (typed.endsWith(',')) add(typed.slice(0, -1));
          else say(typed);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && text.trim()) {
            event.preventDefault();
            add(text);
          } else if (event.key === 'Backspace' && text === '' && tags.length > 0) {
            onChange(tags.slice(0, -1));
          }
        }}
      />
      <datalist id={`${id}-known`}>
        {props.suggestions
          .filter((tag) => !tags.includes(tag))
          .slice(0, 100)
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      <span class="hint" id={`${id}-hint`}>
        {props.hint ?? 'Enter or a comma adds a tag; Backspace takes the last one away.'}
      </span>
    </div>
  );
}
