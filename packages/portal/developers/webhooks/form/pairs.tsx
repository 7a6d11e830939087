import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/fields/field.tsx';
import type { Pair } from './fields.ts';

interface PairsProps {
  legend: string;
  hint: string;
  /** The noun for a row: "header". */
  noun: string;
  names: string;
  values: string;
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  /** The error about the row with this name. */
  faultOf: (name: string) => string | undefined;
  fault?: string | undefined;
}

/** Rows of a name and a value. */
export function Pairs(props: PairsProps) {
  const { legend, hint, noun, names, values, pairs, onChange, faultOf, fault } = props;
  const set = (at: number, pair: Pair) => onChange(pairs.map((one, i) => (i === at ? pair : one)));
  return (
    <fieldset class="dev-fieldset">
      <legend>{legend}</legend>
      <p class="soft">{hint}</p>
      {fault && <p class="dev-fault">{fault}</p>}
      {pairs.map(([name, value], at) => (
        // Rows have no identity while their name is being typed.
        <div key={at} class="webhook-pair">
          <TextField
            label={names}
            value={name}
            onInput={(next) => set(at, [next, value])}
            fault={faultOf(name)}
          />
          <TextField label={values} value={value} onInput={(next) => set(at, [name, next])} />
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
