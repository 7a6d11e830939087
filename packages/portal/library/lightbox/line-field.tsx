import { useEffect, useRef, useState } from 'preact/hooks';
import { TextField } from '../../kit/fields/field.tsx';

/** A field that is saved when it loses the focus, or on Enter. Escape undoes the typing. */
export function LineField(props: {
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
    const { text: typed, value: before, onSave: keep } = latest.current;
    if (typed === before) return;
    if (required && typed.trim() === '') setText(before);
    else keep(typed);
  };
  // The next item may be shown while the field has the focus.
  useEffect(() => save, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the field inside
    <div
      onFocusOut={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !rows) save();
        if (event.key !== 'Escape' || text === value) return;
        // Closes only the field, not the dialog.
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
