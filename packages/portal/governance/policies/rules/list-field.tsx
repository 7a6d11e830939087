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
  const addValues = (input: string): void => {
    const newValues = input
      .split(/[,\n]/)
      .map((one) => one.trim())
      .filter((one) => one !== '' && !values.includes(one));
    if (newValues.length > 0) onChange([...values, ...new Set(newValues)]);
    setText('');
  };
  const removeValue = (value: string): void => onChange(values.filter((one) => one !== value));
  const optionNames = new Map(options);
  const customValues = values.filter((value) => !optionNames.has(value));
  return (
    <div class="field policy-list-field">
      <label for={id}>{label}</label>
      {options.length > 0 && (
        <div class="row">
          {options.map(([value, name]) => {
            const isSelected = values.includes(value);
            return (
              <Button
                key={value}
                small
                class="policy-option"
                pressed={isSelected}
                title={value}
                onClick={() => (isSelected ? removeValue(value) : onChange([...values, value]))}
              >
                {name}
              </Button>
            );
          })}
        </div>
      )}
      {/* In the same box as the input, so that adding a value on blur does not move the button being pressed. */}
      <div class="policy-tokens">
        {customValues.length > 0 && (
          <ul class="policy-chips">
            {customValues.map((value) => (
              <li key={value} class="chip">
                <bdi>{value}</bdi>
                <Button quiet small label={`Remove ${value}`} onClick={() => removeValue(value)}>
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
            value.includes(',') ? addValues(value) : setText(value)
          }
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || text.trim() === '') return;
            // Enter would submit the form.
            event.preventDefault();
            addValues(text);
          }}
          onBlur={() => addValues(text)}
        />
      </div>
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
}
