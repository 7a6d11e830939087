import {
  type Entities,
  type PolicyAction,
  type PolicyMode,
  type PolicyRule,
  rules,
} from '../../contracts/rules.ts';
import type { StripFields } from '../../contracts/variants.ts';
import type { Decision, Obligation, PolicyWhen, Violation } from '../../contracts/wire/policies.ts';
import {
  type Fact,
  type FactName,
  type Facts,
  factTable,
  type Hold,
  notApplicable,
} from './fact-table.ts';
import { matchesAny } from './mime-pattern.ts';
import { coversAll, judges, type Remedy, uniteEntities, type Verdict, type View } from './rules.ts';
import { type Truth, truth } from './truth.ts';

export type Scope =
  | { type: 'project' }
  | { type: 'tag'; tags: readonly string[] }
  | { type: 'collection'; ids: readonly string[] };

/** A policy as it is decided by. */
export interface Policy {
  id: string;
  mode: PolicyMode;
  scope: Scope;
  actions: readonly PolicyAction[];
  when: PolicyWhen | null;
  rules: readonly PolicyRule[];
}

/** What is to be decided. */
export interface Question {
  action: PolicyAction;
  facts: Facts;
  holds: readonly Hold[];
  /** The stored object it is about; null for what is not stored. */
  objectId: string | null;
}

/** What one rule of one policy came to. */
type Finding =
  | { kind: 'violation'; violation: Violation }
  | { kind: 'pending' }
  | { kind: 'strip'; fields: readonly StripFields[] }
  | { kind: 'serve_redacted'; entities: Entities; otherwise: Violation };

/**
 * What policies say of an action: a pure function of both. Every rule must pass, so that one refusal
 * overrides all else, allow-lists intersect, the least maximum and the longest retention hold, and
 * order or repetition change nothing. Policies in audit mode are decided beside the others and only
 * reported; disabled ones are not looked at.
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
    // What is refused is not delivered.
    obligations: denied ? [] : obligations,
    denials_observed: inOrder(observed),
  };
}

function findingsOf(policy: Policy, question: Question): Finding[] {
  const scope = ask(question, (view) => scopeHolds(policy.scope, view));
  const conditions = ask(question, (view) => whenHolds(policy.when, view));
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

/** Facts as the action has them. */
function viewOf(question: Question, missing: FactName[] = []): View {
  return {
    action: question.action,
    objectId: question.objectId,
    see: (name) => {
      // A fact that the action does not have has the same shape for every name.
      if (factTable[question.action][name] === 'never') return notApplicable as Facts[typeof name];
      const fact = question.facts[name];
      if (fact.state === 'unknown') missing.push(name);
      return fact;
    },
  };
}

/** An answer, and the facts it would have needed where it is unknown. */
function ask(
  question: Question,
  put: (view: View) => Truth,
): { answer: Truth; missing: FactName[] } {
  const missing: FactName[] = [];
  const answer = put(viewOf(question, missing));
  return { answer, missing: answer === 'unknown' ? missing : [] };
}

function judgeRule(rule: PolicyRule, view: View): Verdict {
  // The compiler cannot see that the judge found by a rule's type takes that rule.
  const judge = judges[rule.type] as (parameters: PolicyRule, view: View) => Verdict;
  return judge(rule, view);
}

interface Concern {
  concerns: true | 'unknown';
  /** Facts without which it cannot be said. */
  missing: readonly FactName[];
  question: Question;
}

/**
 * What a verdict comes to where it may not be known whether the policy concerns the matter at all.
 * Nothing that is refused when known passes while it is not: it is pending where it will be found
 * out, and else refused.
 */
function findingOf(
  policy: Policy,
  rule: PolicyRule,
  verdict: Verdict,
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
      const detail = `${factNames[verdict.fact]} must be known for this, and nobody knows.`;
      return [{ kind: 'violation', violation: violate('fact_unknown', detail, verdict.remedy) }];
    }
    case 'serve_redacted': {
      const { code, detail, remedy } = verdict.otherwise;
      const otherwise = violate(code, detail, remedy);
      return [{ kind: 'serve_redacted', entities: verdict.entities, otherwise }];
    }
  }
}

const factNames: Record<FactName, string> = {
  mime: 'The type of the file',
  traits: 'Whether it is executable or scripted',
  bytes: 'Its size',
  pixels: 'How many pixels it has',
  pages: 'How many pages it has',
  labels: 'What it is classified as',
  tags: 'What it is tagged with',
  collections: 'Which collections it is in',
  ageDays: 'How old it is',
  redactions: 'What it is redacted of',
  address: 'The address it is asked from',
  time: 'The time',
  signing: 'How it is asked for',
};

function scopeHolds(scope: Scope, view: View): Truth {
  switch (scope.type) {
    case 'project':
      return true;
    case 'tag':
      return meets(scope.tags, view.see('tags'));
    case 'collection':
      return meets(scope.ids, view.see('collections'));
  }
}

function whenHolds(when: PolicyWhen | null, view: View): Truth {
  return truth.and(
    when?.mime ? matchesAny(when.mime, view.see('mime'), view.see('traits')) : true,
    when?.labels ? meets(when.labels, view.see('labels')) : true,
  );
}

function meets(wanted: readonly string[], fact: Fact<readonly string[]>): Truth {
  if (fact.state === 'known') return fact.value.some((one) => wanted.includes(one));
  return fact.state === 'unknown' ? 'unknown' : false;
}

/** Obligations of all rules together: one delivery must meet each of them, or none is made. */
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
    const entities = redactions.map((one) => one.entities).reduce(uniteEntities, []);
    const known = question.facts.redactions;
    const output =
      known.state === 'known'
        ? known.value.outputs.find((one) => one.allPages && coversAll(one.entities, entities))
        : undefined;
    if (output) obligations.push({ type: 'serve_redacted', entities, object_id: output.objectId });
    else violations.push(...redactions.map(({ otherwise }) => otherwise));
  }
  return { violations, obligations };
}

/** Each once, in an order that says nothing about that of the policies. */
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
