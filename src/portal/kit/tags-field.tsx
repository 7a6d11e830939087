import { useId, useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** Tags to give: typed one by one, each taken by Enter, by a comma or by going on. */
export function TagsField({
  label,
  hint,
  tags,
  onChange,
}: {
  label: string;
  hint?: string;
  tags: readonly string[];
  onChange: (tags: readonly string[]) => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const take = (given: string): void => {
    const found = given.split(',').map((tag) => tag.trim());
    const fresh = found.filter(
      (tag, at) => tag && !tags.includes(tag) && found.indexOf(tag) === at,
    );
    if (fresh.length > 0) onChange([...tags, ...fresh]);
    setText('');
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {tags.length > 0 && (
        <ul class="row tags-given" aria-label={label}>
          {tags.map((tag) => (
            <li key={tag} class="chip">
              {tag}
              <Button
                quiet
                small
                label={`Remove the tag ${tag}`}
                onClick={() => onChange(tags.filter((one) => one !== tag))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        class="input"
        value={text}
        maxLength={100}
        autocomplete="off"
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={({ currentTarget: { value } }) => {
          if (value.includes(',')) take(value);
          else setText(value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return;
          // Enter would send the form.
          event.preventDefault();
          take(text);
        }}
        onBlur={() => take(text)}
      />
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
