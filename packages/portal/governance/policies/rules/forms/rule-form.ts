import type { RuleName, RuleParameters, rules } from '@scriptorium/contracts/rules';
import type { ComponentChildren } from 'preact';

type RuleOf<R extends RuleName> = { type: R } & RuleParameters<R>;

interface FieldsProps<R extends RuleName> {
  rule: RuleOf<R>;
  onChange: (rule: RuleOf<R>) => void;
  /** The error about a parameter. */
  fault: (parameter: string) => string | undefined;
}

interface RuleForm<R extends RuleName> {
  hint: string;
  /** The actions it applies to, exactly as in the registry of rules. */
  actions: (typeof rules)[R]['actions'];
  initialRule: RuleOf<R>;
  Fields: (props: FieldsProps<R>) => ComponentChildren;
}

/** The forms of some types of rules. */
export type RuleForms<R extends RuleName> = { [Name in R]: RuleForm<Name> };
