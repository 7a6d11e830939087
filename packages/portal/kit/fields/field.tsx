import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';
import type { ApiProblem } from '../../api/request.ts';
import { Prose } from '../prose.tsx';

interface FieldProps {
  label: string;
  hint?: string;
  /** The validation error. */
  fault?: string | undefined;
  children: (id: string, describedBy: string | undefined) => ComponentChildren;
}

/** A label, its control, a hint and an error, linked for screen readers. */
function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, describedBy || undefined)}
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
}

/** A field's hint and error, with the identifiers that describe its control. */
export function FieldNotes(props: {
  id: string;
  hint: string | undefined;
  fault: string | undefined;
}) {
  const { id, hint, fault } = props;
  return (
    <>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          <Prose text={hint} />
        </span>
      )}
      {fault && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string;
  onInput: (value: string) => void;
  type?: 'text' | 'password' | 'search' | 'number' | 'url' | 'datetime-local' | 'date';
  required?: boolean;
  rows?: number;
  placeholder?: string;
  autocomplete?: string;
  /** Receives focus when its dialog opens. */
  autofocus?: boolean;
  list?: string;
  min?: number;
  max?: number;
  step?: number;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, fault, value, onInput, rows, type = 'text' } = props;
  return (
    <Field label={label} {...(hint ? { hint } : {})} fault={fault}>
      {(id, describedBy) => {
        const inputProps = {
          id,
          class: 'input',
          value,
          required: props.required ?? false,
          autofocus: props.autofocus ?? false,
          placeholder: props.placeholder,
          'aria-describedby': describedBy,
          'aria-invalid': fault ? true : undefined,
          onInput: (event: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            onInput(event.currentTarget.value),
        };
        return rows ? (
          <textarea {...inputProps} rows={rows} spellcheck={false} />
        ) : (
          <input
            {...inputProps}
            // The attribute types expect a literal.
            type={type as 'text'}
            autocomplete={props.autocomplete ?? 'off'}
            list={props.list}
            min={props.min}
            max={props.max}
            step={props.step}
          />
        );
      }}
    </Field>
  );
}

interface SelectFieldProps extends Omit<FieldProps, 'children'> {
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, label: string])[];
}

export function SelectField({ label, hint, fault, value, onChange, options }: SelectFieldProps) {
  return (
    <Field label={label} {...(hint ? { hint } : {})} fault={fault}>
      {(id, describedBy) => (
        <select
          id={id}
          class="input"
          value={value}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckFieldProps {
  label: ComponentChildren;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function CheckField({ label, hint, checked, onChange, disabled = false }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div class="field">
        <label for={id}>{label}</label>
        {hint && (
          <span class="hint" id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </div>
    </div>
  );
}

/** Returns the API's error about a field of the body, by its JSON pointer (`/name`). */
export function faultAt(problem: ApiProblem | undefined, pointer: string): string | undefined {
  return problem?.document.errors?.find((fault) => fault.pointer === pointer)?.detail;
}

/** Returns the API's errors about a field and everything below it (`/scopes`, `/scopes/3`), joined. */
export function faultsIn(problem: ApiProblem | undefined, pointer: string): string | undefined {
  const faults = problem?.document.errors?.filter(
    (fault) => fault.pointer === pointer || fault.pointer?.startsWith(`${pointer}/`),
  );
  return faults?.length ? faults.map(({ detail }) => detail).join(' ') : undefined;
}
