import { useId, useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { FieldNotes } from '../../../kit/fields/field.tsx';

interface ListFieldProps {
  label: string;
  hint?: string;
  fault?: string | undefined;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** The values offered as buttons, with their display names. */
  options?: readonly (readonly [value: string, name: string])[];
  placeholder?: string;
}

/** Edits a list of strings: selected from options, or typed and added with Enter or a comma. */
export function ListField(props: ListFieldProps) {
  const { label, hint, fault, values, onChange, options = [], placeholder } = props;
  const id = useId();
  const [text, setText] = useState('');
  const take = (given: string): void => {
    const fresh = given
      .split(/[,\n]/)
      .map((one) => one.trim())
      .filter((one) => one !== '' && !values.includes(one));
    if (fresh.length > 0) onChange([...values, ...new Set(fresh)]);
    setText('');
  };
  const drop = (value: string): void => onChange(values.filter((one) => one !== value));
  const named = new Map(options);
  const others = values.filter((value) => !named.has(value));
  return (
    <div class="field policy-list-field">
      <label for={id}>{label}</label>
      {options.length > 0 && (
        <div class="row">
          {options.map(([value, name]) => {
            const chosen = values.includes(value);
            return (
              <Button
                key={value}
                small
                class="policy-option"
                pressed={chosen}
                title={value}
                onClick={() => (chosen ? drop(value) : onChange([...values, value]))}
              >
                {name}
              </Button>
            );
          })}
        </div>
      )}
      {/* In the same box as the input, so that adding a value on blur does not move the button being pressed. */}
      <div class="policy-tokens">
        {others.length > 0 && (
          <ul class="policy-chips">
            {others.map((value) => (
              <li key={value} class="chip">
                <bdi>{value}</bdi>
                <Button quiet small label={`Remove ${value}`} onClick={() => drop(value)}>
                  ×
                </Button>
              </li>
            ))}
          </ul>
        )}
        <input
          id={id}
          value={text}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={[hint && `${id}-hint`, fault && `${id}-fault`]
            .filter(Boolean)
            .join(' ')}
          aria-invalid={fault ? true : undefined}
          onInput={({ currentTarget: { value } }) =>
            value.includes(',') ? take(value) : setText(value)
          }
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || text.trim() === '') return;
            // Enter would submit the form.
            event.preventDefault();
            take(text);
          }}
          onBlur={() => take(text)}
        />
      </div>
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
}
