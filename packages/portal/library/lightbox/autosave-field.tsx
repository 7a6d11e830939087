import { useEffect, useRef, useState } from 'preact/hooks';
import { TextField } from '../../kit/fields/field.tsx';

/** A field that is saved when it loses the focus, or on Enter. Escape restores the saved value. */
export function AutosaveField(props: {
  label: string;
  value: string;
  rows?: number;
  required?: boolean;
  onSave: (value: string) => void;
}) {
  const { label, value, rows, required = false, onSave } = props;
  const [text, setText] = useState(value);
  const latest = useRef({ text, value, onSave });
  latest.current = { text, value, onSave };
  useEffect(() => setText(value), [value]);
  const save = (): void => {
    const { text: typed, value: savedValue, onSave: saveValue } = latest.current;
    if (typed === savedValue) return;
    if (required && typed.trim() === '') setText(savedValue);
    else saveValue(typed);
  };
  // Also saves when the next item is shown while the field has the focus.
  useEffect(() => save, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the field inside
    <div
      onFocusOut={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !rows) save();
        if (event.key !== 'Escape' || text === value) return;
        // Without this, Escape would close the dialog.
        event.preventDefault();
        event.stopPropagation();
        setText(value);
      }}
    >
      <TextField
        label={label}
        value={text}
        required={required}
        onInput={setText}
        {...(rows ? { rows } : {})}
      />
    </div>
  );
}
