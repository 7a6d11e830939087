import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/fields/field.tsx';
import type { Pair } from './fields.ts';

interface PairsFieldProps {
  legend: string;
  hint: string;
  /** The noun for a row: "header". */
  noun: string;
  nameLabel: string;
  valueLabel: string;
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  /** The error about the row with this name. */
  faultOf: (name: string) => string | undefined;
  fault?: string | undefined;
}

/** Rows of a name and a value. */
export function PairsField(props: PairsFieldProps) {
  const { legend, hint, noun, nameLabel, valueLabel, pairs, onChange, faultOf, fault } = props;
  const replacePair = (at: number, pair: Pair) =>
    onChange(pairs.map((one, i) => (i === at ? pair : one)));
  return (
    <fieldset class="dev-fieldset">
      <legend>{legend}</legend>
      <p class="soft">{hint}</p>
      {fault && <p class="dev-fault">{fault}</p>}
      {pairs.map(([name, value], at) => (
        // Rows have no identity while their name is being typed.
        <div key={at} class="webhook-pair">
          <TextField
            label={nameLabel}
            value={name}
            onInput={(next) => replacePair(at, [next, value])}
            fault={faultOf(name)}
          />
          <TextField
            label={valueLabel}
            value={value}
            onInput={(next) => replacePair(at, [name, next])}
            required={name !== ''}
          />
          <Button
            label={`Remove ${noun} ${name}`}
            onClick={() => onChange(pairs.filter((_, i) => i !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button small onClick={() => onChange([...pairs, ['', '']])}>
          Add {noun}
        </Button>
      </div>
    </fieldset>
  );
}
