import {
  type Entities,
  type PolicyAction,
  type PolicyMode,
  type PolicyRule,
  type RuleParameters,
  rules,
} from '@scriptorium/contracts/rules';
import type { StripFields } from '@scriptorium/contracts/variants';
import type { PolicyWhen } from '@scriptorium/contracts/wire/policies';
import type { Decision, Obligation, Violation } from '@scriptorium/contracts/wire/policy-decisions';
import {
  type Fact,
  type FactName,
  type Facts,
  factTable,
  type Hold,
  notApplicable,
} from './fact-table.ts';
import { anyFileMatches, matchesAny } from './mime-pattern.ts';
import {
  type FactView,
  judges,
  type Remedy,
  type RuleVerdict,
  satisfiesRule,
  uniteEntities,
} from './rules.ts';
import { type Truth, truth } from './truth.ts';

type Scope =
  | { type: 'project' }
  | { type: 'tag'; tags: readonly string[] }
  | { type: 'collection'; ids: readonly string[] };

/** A policy in the form that decisions use. */
export interface Policy {
  id: string;
  mode: PolicyMode;
  scope: Scope;
  actions: readonly PolicyAction[];
  when: PolicyWhen | null;
  rules: readonly PolicyRule[];
}

/** The question to decide. */
export interface Question {
  action: PolicyAction;
  facts: Facts;
  holds: readonly Hold[];
  /** The stored object; null if the file is not stored. */
  objectId: string | null;
  /** For `read`: whether the object's redaction can be shown instead. Downloads always can. */
  replaceable?: boolean;
}

/** The outcome of one rule of one policy. */
type RuleOutcome =
  | { kind: 'violation'; violation: Violation }
  | { kind: 'pending' }
  | { kind: 'strip'; fields: readonly StripFields[] }
  | { kind: 'external'; rule: RuleParameters<'external'> }
  | {
      kind: 'serve_redacted';
      rule: RuleParameters<'require_redaction'>;
      otherwise: Violation;
    };

/**
 * Decides an action by policies: a pure function of the facts and the policies. Every rule must pass.
 * Therefore one denial overrides everything else, allow-lists intersect, the smallest maximum and the
 * longest retention apply, and order and repetition do not matter. Policies in audit mode are evaluated
 * but only reported; disabled policies are skipped.
 */
export function decide(policies: readonly Policy[], question: Question): Decision {
  const relevantPolicies = policies.filter(({ actions }) => actions.includes(question.action));
  const outcomesIn = (mode: PolicyMode): RuleOutcome[] =>
    relevantPolicies
      .filter((policy) => policy.mode === mode)
      .flatMap((policy) => outcomesOf(policy, question));
  const enforced = outcomesIn('enforce');
  const { violations, obligations } = combine(enforced, question);
  const observed = outcomesIn('audit').flatMap(
    (finding) => combine([finding], question).violations,
  );
  const isDenied = violations.length > 0;
  const isPending = enforced.some(({ kind }) => kind === 'pending');
  return {
    decision: isDenied ? 'deny' : isPending ? 'pending' : 'allow',
    violations: sortViolations(violations),
    // Denied content is not delivered, so it has no obligations.
    obligations: isDenied ? [] : obligations,
    denials_observed: sortViolations(observed),
  };
}

function outcomesOf(policy: Policy, question: Question): RuleOutcome[] {
  const scope = evaluateCondition(question, (view) => scopeApplies(policy.scope, view));
  const conditions = evaluateCondition(question, (view) => whenApplies(policy.when, view));
  return policy.rules.flatMap((rule) => {
    const ruleActions: readonly PolicyAction[] = rules[rule.type].actions;
    if (!ruleActions.includes(question.action)) return [];
    const isHeld = question.holds.some(
      ({ policyId, ruleType }) => policyId === policy.id && ruleType === rule.type,
    );
    const evaluated = isHeld ? [conditions] : [scope, conditions];
    const applies = truth.and(...evaluated.map(({ answer }) => answer));
    if (applies === false) return [];
    const verdict = judgeRule(rule, viewOf(question));
    const missing = evaluated.flatMap(({ missing }) => missing);
    if (verdict.kind === 'unknown') missing.push(verdict.fact);
    return outcomesOfVerdict(policy, rule, verdict, { concerns: applies, missing, question });
  });
}

/** The facts of the action. */
function viewOf(question: Question, missing: FactName[] = []): FactView {
  return {
    action: question.action,
    objectId: question.objectId,
    replaceable: question.replaceable === true || question.action !== 'read',
    get: (name) => {
      // A fact that does not apply has the same shape under every name.
      if (factTable[question.action][name] === 'never') return notApplicable as Facts[typeof name];
      const fact = question.facts[name];
      if (fact.state === 'unknown') missing.push(name);
      return fact;
    },
  };
}

/** The truth of a condition and, if it is unknown, the missing facts. */
function evaluateCondition(
  question: Question,
  condition: (view: FactView) => Truth,
): { answer: Truth; missing: FactName[] } {
  const missing: FactName[] = [];
  const answer = condition(viewOf(question, missing));
  return { answer, missing: answer === 'unknown' ? missing : [] };
}

function judgeRule(rule: PolicyRule, view: FactView): RuleVerdict {
  // The compiler cannot infer that the judge looked up by a rule's type accepts that rule.
  const judge = judges[rule.type] as (parameters: PolicyRule, view: FactView) => RuleVerdict;
  return judge(rule, view);
}

interface RuleContext {
  concerns: true | 'unknown';
  /** The facts that a decision lacks. */
  missing: readonly FactName[];
  question: Question;
}

/**
 * The outcomes of a verdict, if it may be unknown whether the policy applies. An action that could be
 * denied because of a missing fact never passes: it is pending if the fact will become known, and denied
 * otherwise.
 */
function outcomesOfVerdict(
  policy: Policy,
  rule: PolicyRule,
  verdict: RuleVerdict,
  { concerns, missing, question }: RuleContext,
): RuleOutcome[] {
  if (verdict.kind === 'pass') return [];
  const requirements = factTable[question.action];
  const isUnknown = verdict.kind === 'unknown' || concerns === 'unknown';
  const isPending = isUnknown && missing.every((name) => requirements[name] === 'later');
  if (verdict.kind === 'strip') {
    return isPending ? [] : [{ kind: 'strip', fields: verdict.fields }];
  }
  if (verdict.kind === 'external') {
    // Text leaves the service only if it is certain that the rule applies.
    const isAllowed = verdict.rule.text === 'allowed';
    return isAllowed && isUnknown ? [] : [verdict];
  }
  if (isPending) return [{ kind: 'pending' }];
  const toViolation = (code: string, detail: string, remedy: Remedy): Violation => {
    const { type, ...parameters } = rule;
    return { policy_id: policy.id, rule_type: type, code, detail, parameters, remedy };
  };
  switch (verdict.kind) {
    case 'deny':
      return [
        { kind: 'violation', violation: toViolation(verdict.code, verdict.detail, verdict.remedy) },
      ];
    case 'unknown': {
      const detail = `${factNames[verdict.fact]} is required but unknown.`;
      return [
        { kind: 'violation', violation: toViolation('fact_unknown', detail, verdict.remedy) },
      ];
    }
    case 'serve_redacted': {
      const { code, detail, remedy } = verdict.otherwise;
      const otherwise = toViolation(code, detail, remedy);
      return [{ kind: 'serve_redacted', rule: verdict.rule, otherwise }];
    }
  }
}

const factNames: Record<FactName, string> = {
  mime: 'The file type',
  traits: 'Whether the file is executable or scripted',
  sourceTypes: 'The file types of the sources',
  bytes: 'The size',
  pixels: 'The number of pixels',
  pages: 'The number of pages',
  labels: 'The classification',
  tags: 'The set of tags',
  collections: 'The set of collections',
  ageDays: 'The age',
  redactions: 'The redaction status',
  unreviewed: 'The review status',
  address: 'The client address',
  time: 'The time',
  signing: 'The kind of URL',
};

function scopeApplies(scope: Scope, view: FactView): Truth {
  switch (scope.type) {
    case 'project':
      return true;
    case 'tag':
      return includesAny(scope.tags, view.get('tags'));
    case 'collection':
      return includesAny(scope.ids, view.get('collections'));
  }
}

function whenApplies(when: PolicyWhen | null, view: FactView): Truth {
  return truth.and(
    when?.mime
      ? truth.or(
          matchesAny(when.mime, view.get('mime'), view.get('traits')),
          anyFileMatches(when.mime, view.get('sourceTypes')),
        )
      : true,
    when?.labels ? includesAny(when.labels, view.get('labels')) : true,
  );
}

function includesAny(values: readonly string[], fact: Fact<readonly string[]>): Truth {
  const isWanted = (one: string): boolean => values.includes(one);
  if (fact.state === 'known') return fact.value.some(isWanted);
  return fact.state === 'unknown' && (fact.atLeast?.some(isWanted) || 'unknown');
}

/**
 * Combines the obligations of all rules: a single delivery meets all of them, or nothing is delivered.
 */
function combine(
  outcomes: readonly RuleOutcome[],
  question: Question,
): { violations: Violation[]; obligations: Obligation[] } {
  const violations: Violation[] = [];
  const obligations: Obligation[] = [];
  const fields = new Set<StripFields>();
  const externals: RuleParameters<'external'>[] = [];
  const redactions: (RuleOutcome & { kind: 'serve_redacted' })[] = [];
  for (const finding of outcomes) {
    if (finding.kind === 'violation') violations.push(finding.violation);
    else if (finding.kind === 'serve_redacted') redactions.push(finding);
    else if (finding.kind === 'external') externals.push(finding.rule);
    else if (finding.kind === 'strip') for (const field of finding.fields) fields.add(field);
  }
  if (fields.size > 0) {
    obligations.push({
      type: 'strip_metadata',
      fields: fields.has('all') ? ['all'] : [...fields].sort(),
    });
  }
  if (externals.length > 0 && externals.every(({ text }) => text === 'allowed')) {
    const warns = externals.every((rule) => rule.if_unavailable === 'warn');
    obligations.push({
      type: 'external',
      text: 'allowed',
      if_unavailable: warns ? 'warn' : 'fail',
    });
  }
  if (redactions.length > 0) {
    const entities = redactions
      .map(({ rule }) => rule.entities)
      .reduce<Entities>(uniteEntities, []);
    const redactionsFact = question.facts.redactions;
    const outputs = redactionsFact.state === 'known' ? redactionsFact.value.outputs : [];
    const output = outputs.find(
      (one) => one.allPages && redactions.every(({ rule }) => satisfiesRule(one, rule)),
    );
    if (output) obligations.push({ type: 'serve_redacted', entities, object_id: output.objectId });
    else violations.push(...redactions.map(({ otherwise }) => otherwise));
  }
  return { violations, obligations };
}

/** Removes duplicates, and sorts independently of the order of the policies. */
function sortViolations(violations: readonly Violation[]): Violation[] {
  const byKey = new Map(
    violations.map((one) => [
      JSON.stringify([one.policy_id, one.rule_type, one.code, sortedEntries(one.parameters)]),
      one,
    ]),
  );
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, one]) => one);
}

function sortedEntries(parameters: Record<string, unknown>): [string, unknown][] {
  return Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
}
