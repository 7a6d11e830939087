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
import { matchesAny, matchesOne } from './mime-pattern.ts';
import {
  isEnough,
  judges,
  type Remedy,
  type RuleVerdict,
  uniteEntities,
  type View,
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
type Finding =
  | { kind: 'violation'; violation: Violation }
  | { kind: 'pending' }
  | { kind: 'strip'; fields: readonly StripFields[] }
  | {
      kind: 'serve_redacted';
      rule: RuleParameters<'require_redaction'>;
      otherwise: Violation;
    };

/**
 * Decides an action by policies: a pure function of the facts and the policies. Every rule must
 * pass. So one denial overrides everything else, allow-lists intersect, the smallest maximum and
 * the longest retention apply, and order or repetition change nothing. Policies in audit mode are
 * evaluated but only reported; disabled policies are skipped.
 */
export function decide(policies: readonly Policy[], question: Question): Decision {
  const concerned = policies.filter(({ actions }) => actions.includes(question.action));
  const findings = (mode: PolicyMode): Finding[] =>
    concerned
      .filter((policy) => policy.mode === mode)
      .flatMap((policy) => findingsOf(policy, question));
  const enforced = findings('enforce');
  const { violations, obligations } = settle(enforced, question);
  const observed = findings('audit').flatMap((finding) => settle([finding], question).violations);
  const denied = violations.length > 0;
  const pending = enforced.some(({ kind }) => kind === 'pending');
  return {
    decision: denied ? 'deny' : pending ? 'pending' : 'allow',
    violations: inOrder(violations),
    // Denied content is not delivered, so it has no obligations.
    obligations: denied ? [] : obligations,
    denials_observed: inOrder(observed),
  };
}

function findingsOf(policy: Policy, question: Question): Finding[] {
  const scope = ask(question, (view) => scopeApplies(policy.scope, view));
  const conditions = ask(question, (view) => whenApplies(policy.when, view));
  return policy.rules.flatMap((rule) => {
    const speaks: readonly PolicyAction[] = rules[rule.type].actions;
    if (!speaks.includes(question.action)) return [];
    const held = question.holds.some(
      ({ policyId, ruleType }) => policyId === policy.id && ruleType === rule.type,
    );
    const asked = held ? [conditions] : [scope, conditions];
    const concerns = truth.and(...asked.map(({ answer }) => answer));
    if (concerns === false) return [];
    const verdict = judgeRule(rule, viewOf(question));
    const missing = asked.flatMap(({ missing }) => missing);
    if (verdict.kind === 'unknown') missing.push(verdict.fact);
    return findingOf(policy, rule, verdict, { concerns, missing, question });
  });
}

/** The facts of the action. */
function viewOf(question: Question, missing: FactName[] = []): View {
  return {
    action: question.action,
    objectId: question.objectId,
    replaceable: question.replaceable === true || question.action !== 'read',
    see: (name) => {
      // A fact that does not apply has the same shape under every name.
      if (factTable[question.action][name] === 'never') return notApplicable as Facts[typeof name];
      const fact = question.facts[name];
      if (fact.state === 'unknown') missing.push(name);
      return fact;
    },
  };
}

/** An answer, and the facts that are missing if it is unknown. */
function ask(
  question: Question,
  put: (view: View) => Truth,
): { answer: Truth; missing: FactName[] } {
  const missing: FactName[] = [];
  const answer = put(viewOf(question, missing));
  return { answer, missing: answer === 'unknown' ? missing : [] };
}

function judgeRule(rule: PolicyRule, view: View): RuleVerdict {
  // The compiler cannot infer that the judge looked up by a rule's type accepts that rule.
  const judge = judges[rule.type] as (parameters: PolicyRule, view: View) => RuleVerdict;
  return judge(rule, view);
}

interface Concern {
  concerns: true | 'unknown';
  /** The facts that a decision lacks. */
  missing: readonly FactName[];
  question: Question;
}

/**
 * The outcome of a verdict when it may be unknown whether the policy applies. An action that a
 * missing fact could deny never passes: it is pending if the fact will become known, and denied
 * otherwise.
 */
function findingOf(
  policy: Policy,
  rule: PolicyRule,
  verdict: RuleVerdict,
  { concerns, missing, question }: Concern,
): Finding[] {
  if (verdict.kind === 'pass') return [];
  const standing = factTable[question.action];
  const hangs = verdict.kind === 'unknown' || concerns === 'unknown';
  const mayWait = hangs && missing.every((name) => standing[name] === 'later');
  if (verdict.kind === 'strip') {
    return mayWait ? [] : [{ kind: 'strip', fields: verdict.fields }];
  }
  if (mayWait) return [{ kind: 'pending' }];
  const violate = (code: string, detail: string, remedy: Remedy): Violation => {
    const { type, ...parameters } = rule;
    return { policy_id: policy.id, rule_type: type, code, detail, parameters, remedy };
  };
  switch (verdict.kind) {
    case 'deny':
      return [
        { kind: 'violation', violation: violate(verdict.code, verdict.detail, verdict.remedy) },
      ];
    case 'unknown': {
      const detail = `${factNames[verdict.fact]} is required but unknown.`;
      return [{ kind: 'violation', violation: violate('fact_unknown', detail, verdict.remedy) }];
    }
    case 'serve_redacted': {
      const { code, detail, remedy } = verdict.otherwise;
      const otherwise = violate(code, detail, remedy);
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

function scopeApplies(scope: Scope, view: View): Truth {
  switch (scope.type) {
    case 'project':
      return true;
    case 'tag':
      return meets(scope.tags, view.see('tags'));
    case 'collection':
      return meets(scope.ids, view.see('collections'));
  }
}

function whenApplies(when: PolicyWhen | null, view: View): Truth {
  return truth.and(
    when?.mime
      ? truth.or(
          matchesAny(when.mime, view.see('mime'), view.see('traits')),
          matchesOne(when.mime, view.see('sourceTypes')),
        )
      : true,
    when?.labels ? meets(when.labels, view.see('labels')) : true,
  );
}

function meets(wanted: readonly string[], fact: Fact<readonly string[]>): Truth {
  const isWanted = (one: string): boolean => wanted.includes(one);
  if (fact.state === 'known') return fact.value.some(isWanted);
  return fact.state === 'unknown' && (fact.atLeast?.some(isWanted) || 'unknown');
}

/**
 * The combined obligations of all rules: a single delivery meets all of them, or nothing is
 * delivered.
 */
function settle(
  findings: readonly Finding[],
  question: Question,
): { violations: Violation[]; obligations: Obligation[] } {
  const violations: Violation[] = [];
  const obligations: Obligation[] = [];
  const fields = new Set<StripFields>();
  const redactions: (Finding & { kind: 'serve_redacted' })[] = [];
  for (const finding of findings) {
    if (finding.kind === 'violation') violations.push(finding.violation);
    else if (finding.kind === 'serve_redacted') redactions.push(finding);
    else if (finding.kind === 'strip') for (const field of finding.fields) fields.add(field);
  }
  if (fields.size > 0) {
    obligations.push({
      type: 'strip_metadata',
      fields: fields.has('all') ? ['all'] : [...fields].sort(),
    });
  }
  if (redactions.length > 0) {
    const entities = redactions
      .map(({ rule }) => rule.entities)
      .reduce<Entities>(uniteEntities, []);
    const known = question.facts.redactions;
    const outputs = known.state === 'known' ? known.value.outputs : [];
    const output = outputs.find(
      (one) => one.allPages && redactions.every(({ rule }) => isEnough(one, rule)),
    );
    if (output) obligations.push({ type: 'serve_redacted', entities, object_id: output.objectId });
    else violations.push(...redactions.map(({ otherwise }) => otherwise));
  }
  return { violations, obligations };
}

/** Without duplicates, in an order that does not depend on the order of the policies. */
function inOrder(violations: readonly Violation[]): Violation[] {
  const keyed = new Map(
    violations.map((one) => [
      JSON.stringify([one.policy_id, one.rule_type, one.code, canonical(one.parameters)]),
      one,
    ]),
  );
  return [...keyed].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, one]) => one);
}

function canonical(parameters: Record<string, unknown>): [string, unknown][] {
  return Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
}
