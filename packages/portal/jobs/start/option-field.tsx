import { CheckField, SelectField, TextField } from '../../kit/fields/field.tsx';
import { humanise } from '../job-display.ts';
import { EntitiesField } from './entities-field.tsx';
import { type Pattern, PatternsField } from './patterns-field.tsx';
import type { Option } from './schema.ts';

interface OptionFieldProps {
  option: Option;
  value: unknown;
  onChange: (value: unknown) => void;
  /** The error at a pointer within the option: '' for the option, `/0` for an item. */
  faultAt: (pointer: string) => string | undefined;
  /** The installed OCR languages; null if unknown. */
  languages: readonly string[] | null;
}

/** The form field of an option, generated from its schema. */
export function OptionField(props: OptionFieldProps) {
  const { option, onChange, faultAt } = props;
  const { name, hint, kind, values } = option;
  const value = props.value ?? option.defaultValue;
  const label = humanise(name);
  const fault = faultAt('');
  switch (kind) {
    case 'flag':
      return <CheckField label={label} hint={hint} checked={value === true} onChange={onChange} />;
    case 'number':
      return (
        <TextField
          label={label}
          type="number"
          hint={`${hint}${describeRange(option)}`}
          fault={fault ?? numberFault(option, value)}
          value={typeof value === 'number' ? String(value) : ''}
          onInput={(text) => onChange(text === '' ? undefined : Number(text))}
          step={option.isInteger ? 1 : 0.05}
          {...(option.minimum === undefined ? {} : { min: option.minimum })}
          {...(option.maximum === undefined ? {} : { max: option.maximum })}
        />
      );
    case 'choice':
      return (
        <SelectField
          label={label}
          hint={hint}
          fault={fault}
          value={String(value)}
          onChange={onChange}
          options={values.map((one) => [one, choiceTitles[`${name}.${one}`] ?? humanise(one)])}
        />
      );
    case 'entities':
      return (
        <EntitiesField
          profiles={option.profileNames}
          {...{ names: values, value, fault, onChange }}
        />
      );
    case 'patterns':
      return (
        <PatternsField
          hint={hint}
          value={Array.isArray(value) ? (value as Pattern[]) : []}
          faultAt={faultAt}
          onChange={onChange}
        />
      );
    case 'choices':
      return <ChoicesField label={label} {...{ hint, fault, value, onChange }} values={values} />;
    case 'texts':
      return name === 'languages' && props.languages ? (
        <ChoicesField
          label={label}
          hint={`${hint} Installed languages are listed.`}
          values={props.languages}
          fault={fault ?? faultAt('/0')}
          {...{ value, onChange }}
        />
      ) : (
        <TextsField
          label={label}
          hint={hint}
          fault={fault ?? faultAt('/0')}
          {...{ value, onChange }}
        />
      );
  }
}

/** Titles of values whose names are not self-explanatory. */
const choiceTitles: Readonly<Record<string, string>> = {
  'review.required': 'Required: of all findings',
  'review.below': 'Of findings below a score',
  'reviewers.not_requester': 'Four eyes: someone other than who starts the job',
};

function describeRange({ minimum, maximum }: Option): string {
  if (minimum === undefined || maximum === undefined) return '';
  return ` From ${minimum.toLocaleString()} to ${maximum.toLocaleString()}.`;
}

/** Validates a number against its option: returns the error, or undefined. */
function numberFault(option: Option, value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined;
  const { minimum = -Infinity, maximum = Infinity, isInteger } = option;
  if (value < minimum || value > maximum) return `Must be from ${minimum} to ${maximum}.`;
  return isInteger && !Number.isInteger(value) ? 'Must be a whole number.' : undefined;
}

interface ListFieldProps {
  label: string;
  hint: string;
  fault: string | undefined;
  value: unknown;
  onChange: (value: string[]) => void;
}

function ChoicesField({
  label,
  hint,
  fault,
  value,
  onChange,
  values,
}: ListFieldProps & { values: readonly string[] }) {
  const selected = Array.isArray(value) ? value.map(String) : [];
  return (
    <fieldset class="field-group jobs-fieldset">
      <legend>{label}</legend>
      <span class="soft">{hint}</span>
      <div class="row">
        {values.map((one) => (
          <CheckField
            key={one}
            label={one}
            checked={selected.includes(one)}
            onChange={(on) =>
              onChange(values.filter((other) => (other === one ? on : selected.includes(other))))
            }
          />
        ))}
      </div>
      {(fault ?? (selected.length === 0 ? 'Select at least one.' : undefined)) && (
        <span class="fault">{fault ?? 'Select at least one.'}</span>
      )}
    </fieldset>
  );
}

function TextsField({ label, hint, fault, value, onChange }: ListFieldProps) {
  const lines = Array.isArray(value) ? value.map(String) : [];
  return (
    <TextField
      label={label}
      hint={`${hint} One per line.`}
      fault={fault}
      rows={3}
      value={lines.join('\n')}
      onInput={(text) => onChange(text === '' ? [] : text.split('\n'))}
    />
  );
}
