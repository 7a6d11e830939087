import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../../../kit/fields/field.tsx';

type Unit = readonly [size: number, name: string];

export const byteUnits: readonly Unit[] = [
  [1_000_000_000, 'GB'],
  [1_000_000, 'MB'],
  [1_000, 'kB'],
  [1, 'bytes'],
];
export const timeUnits: readonly Unit[] = [
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
  [1, 'seconds'],
];

interface NumberFieldProps {
  label: string;
  hint?: string;
  fault?: string | undefined;
  /** NaN while empty. */
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  optional?: boolean;
}

/** A whole number. */
export function NumberField({ value, onChange, min = 1, optional, ...rest }: NumberFieldProps) {
  return (
    <TextField
      {...rest}
      type="number"
      min={min}
      required={!optional}
      value={Number.isNaN(value) ? '' : String(value)}
      onInput={(text) => onChange(text.trim() === '' ? Number.NaN : Number(text))}
    />
  );
}

/** A number with a unit; `value` is in the smallest unit. */
export function UnitField(props: NumberFieldProps & { units: readonly Unit[] }) {
  const { units, value, onChange, label, ...rest } = props;
  const [size, setSize] = useState(
    () => (units.find(([size]) => value >= size && value % size === 0) ?? units.at(-1)!)[0],
  );
  return (
    <div class="policy-unit">
      <NumberField
        {...rest}
        label={label}
        min={1}
        value={value / size}
        onChange={(amount) => onChange(amount * size)}
      />
      <SelectField
        label="Unit"
        value={String(size)}
        options={units.map(([size, name]) => [String(size), name] as const)}
        onChange={(text) => {
          onChange((value / size) * Number(text));
          setSize(Number(text));
        }}
      />
    </div>
  );
}
