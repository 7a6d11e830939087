import type { PolicyAction, PolicyRule, RuleName } from '@scriptorium/contracts/rules';
import type { ComponentChildren } from 'preact';
import { TextField } from '../../../kit/fields/field.tsx';
import { actionNames } from './descriptions.ts';
import { accessRules } from './forms/access-rules.tsx';
import { deliveryRules } from './forms/delivery-rules.tsx';
import { fileRules } from './forms/file-rules.tsx';
import type { RuleForms } from './forms/rule-form.ts';
import { NumberField } from './number-field.tsx';

/** The forms of rules about retention. */
const holdRules: RuleForms<'retention' | 'legal_hold'> = {
  retention: {
    hint: 'Prevents deletion for a number of days after creation, even if tags or collections change.',
    actions: ['delete'],
    initialRule: { type: 'retention', min_days: 365 },
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
    initialRule: { type: 'legal_hold', reason: '' },
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

/** The form of each type of rule. A missing one does not compile. */
const ruleForms: RuleForms<RuleName> = {
  ...fileRules,
  ...accessRules,
  ...deliveryRules,
  ...holdRules,
};

/** A rule form without its type parameter. */
interface AnyRuleForm {
  hint: string;
  initialRule: PolicyRule;
  Fields: (props: {
    rule: PolicyRule;
    onChange: (rule: PolicyRule) => void;
    fault: (parameter: string) => string | undefined;
  }) => ComponentChildren;
}

/**
 * Returns the form of a type of rule. It accepts only rules of that type, and returns such rules.
 */
export function ruleFormOf(type: RuleName): AnyRuleForm {
  return ruleForms[type] as unknown as AnyRuleForm;
}

/** Returns the actions that a type of rule applies to, in display order. */
export function actionsOf(type: RuleName): readonly PolicyAction[] {
  const supportedActions: readonly PolicyAction[] = ruleForms[type].actions;
  return actionNames.filter((action) => supportedActions.includes(action));
}
