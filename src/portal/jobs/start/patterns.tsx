import { Button } from '../../kit/button.tsx';
import { CheckField, TextField } from '../../kit/field.tsx';

export interface Pattern {
  name: string;
  pattern: string;
  case_sensitive: boolean;
}

/** Expressions of one's own for what else is to go. */
export function PatternsField(props: {
  value: readonly Pattern[];
  hint: string;
  /** What is wrong with a field of a pattern, by its place below the list: `/0/pattern`. */
  faultAt: (place: string) => string | undefined;
  onChange: (value: Pattern[]) => void;
}) {
  const { value, onChange, faultAt, hint } = props;
  const change = (at: number, fields: Partial<Pattern>): void =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...fields } : one)));
  return (
    <fieldset class="jobs-fieldset">
      <legend>Custom patterns</legend>
      <span class="hint soft">{hint}</span>
      {value.map((one, at) => (
        <div key={at} class="jobs-pattern">
          <TextField
            label={`Name of pattern ${at + 1}`}
            value={one.name}
            placeholder="CUSTOMER_NUMBER"
            hint="Capitals, digits and underscores."
            fault={faultAt(`/${at}/name`)}
            onInput={(name) => change(at, { name })}
          />
          <TextField
            label={`Expression of pattern ${at + 1}`}
            value={one.pattern}
            placeholder="KD-\d{6}"
            hint="RE2 syntax: no look-around, no back references."
            fault={faultAt(`/${at}/pattern`)}
            onInput={(pattern) => change(at, { pattern })}
          />
          <CheckField
            label="Case matters"
            checked={one.case_sensitive}
            onChange={(case_sensitive) => change(at, { case_sensitive })}
          />
          <Button
            small
            label={`Remove pattern ${at + 1}`}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button
          small
          disabled={value.length >= 20}
          onClick={() => onChange([...value, { name: '', pattern: '', case_sensitive: false }])}
        >
          Add a pattern
        </Button>
      </div>
    </fieldset>
  );
}
