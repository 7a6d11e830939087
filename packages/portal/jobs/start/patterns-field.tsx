import { Button } from '../../kit/button.tsx';
import { CheckField, TextField } from '../../kit/fields/field.tsx';

export interface Pattern {
  name: string;
  pattern: string;
  case_sensitive: boolean;
}

/** Custom regular expressions for other data to redact. */
export function PatternsField(props: {
  value: readonly Pattern[];
  hint: string;
  /** The error about a field of a pattern, by its pointer within the list: `/0/pattern`. */
  faultAt: (pointer: string) => string | undefined;
  onChange: (value: Pattern[]) => void;
}) {
  const { value, onChange, faultAt, hint } = props;
  const updatePattern = (at: number, fields: Partial<Pattern>): void =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...fields } : one)));
  return (
    <fieldset class="field-group jobs-fieldset">
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
            onInput={(name) => updatePattern(at, { name })}
          />
          <TextField
            label={`Regular expression of pattern ${at + 1}`}
            value={one.pattern}
            placeholder="KD-\d{6}"
            hint="RE2 syntax: no lookaround or backreferences."
            fault={faultAt(`/${at}/pattern`)}
            onInput={(pattern) => updatePattern(at, { pattern })}
          />
          <CheckField
            label="Case-sensitive"
            checked={one.case_sensitive}
            onChange={(case_sensitive) => updatePattern(at, { case_sensitive })}
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
          Add pattern
        </Button>
      </div>
    </fieldset>
  );
}
