import type { ComponentChildren } from 'preact';
import type { PolicyAction, PolicyRule, RuleName } from '../../../../contracts/rules.ts';
import { accessRules } from './forms/access-rules.tsx';
import { deliveryRules } from './forms/delivery-rules.tsx';
import { fileRules } from './forms/file-rules.tsx';
import { holdRules } from './forms/hold-rules.tsx';
import type { RuleForms } from './forms/rule-form.ts';
import { actionNames } from './words.ts';

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
  start: PolicyRule;
  Fields: (props: {
    rule: PolicyRule;
    onChange: (rule: PolicyRule) => void;
    fault: (parameter: string) => string | undefined;
  }) => ComponentChildren;
}

/** The form of a type of rule. It must be given rules of that type only, and returns such rules. */
export function formOf(type: RuleName): AnyRuleForm {
  return ruleForms[type] as unknown as AnyRuleForm;
}

/** The actions that a type of rule applies to, in display order. */
export function actionsOf(type: RuleName): readonly PolicyAction[] {
  const speaks: readonly PolicyAction[] = ruleForms[type].actions;
  return actionNames.filter((action) => speaks.includes(action));
}
