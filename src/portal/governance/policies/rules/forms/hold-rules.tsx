import { TextField } from '../../../../kit/fields/field.tsx';
import { NumberField } from '../number-field.tsx';
import type { RuleForms } from './rule-form.ts';

/** The forms of rules about what must be kept. */
export const holdRules: RuleForms<'retention' | 'legal_hold'> = {
  retention: {
    hint: 'Prevents deletion for a number of days after creation, even if tags or collections change.',
    actions: ['delete'],
    start: { type: 'retention', min_days: 365 },
    Fields: ({ rule, onChange, fault }) => (
      <NumberField
        label="Days"
        value={rule.min_days}
        fault={fault('min_days')}
        onChange={(min_days) => onChange({ ...rule, min_days })}
      />
    ),
  },
  legal_hold: {
    hint: 'Prevents deletion until the hold is released, even if tags or collections change.',
    actions: ['delete'],
    start: { type: 'legal_hold', reason: '' },
    Fields: ({ rule, onChange, fault }) => (
      <TextField
        label="Reason"
        hint="Shown when a deletion is denied."
        required
        value={rule.reason}
        fault={fault('reason')}
        onInput={(reason) => onChange({ ...rule, reason })}
      />
    ),
  },
};
