import type { PolicyRule } from '@scriptorium/contracts/rules';
import type { PolicyCreate, PolicyRecord } from '@scriptorium/contracts/wire/policies';
import type { ImpactContext } from '@scriptorium/contracts/wire/policy-decisions';
import { requestFor } from '../../api/request.ts';
import { actionNames, ruleNames } from './rules/descriptions.ts';

/** A policy as edited in the form: no field is optional. */
export interface PolicyDraft extends PolicyCreate {
  when: NonNullable<PolicyCreate['when']>;
  rules: PolicyRule[];
}

export function policyBody(draft: PolicyDraft): PolicyCreate {
  const { mime, labels } = draft.when;
  return { ...draft, when: mime || labels ? draft.when : null };
}

export const emptyDraft: PolicyDraft = {
  name: '',
  mode: 'audit',
  scope: { type: 'project' },
  actions: [],
  when: {},
  rules: [],
};

/** Whether a stored draft can be shown: its rules and actions exist in this version. */
export function isPolicyDraft({ rules, actions }: PolicyDraft): boolean {
  return (
    Array.isArray(rules) &&
    rules.every(({ type }) => ruleNames.includes(type)) &&
    Array.isArray(actions) &&
    actions.every((action) => actionNames.includes(action))
  );
}

export function draftOf({ name, mode, scope, actions, when, rules }: PolicyRecord): PolicyDraft {
  return { name, mode, scope, actions, when: when ?? {}, rules };
}

export function updatePolicyRequest(id: string, draft: PolicyDraft, etag: string) {
  const { mime, labels } = draft.when;
  // A merge patch, in which unset conditions must be removed explicitly.
  const when = mime || labels ? { mime: mime ?? null, labels: labels ?? null } : null;
  return requestFor('updatePolicy', {
    id,
    headers: { 'If-Match': etag },
    body: { ...draft, when },
  });
}

/** Computes what a policy would deny: a saved policy, or a draft. */
export function impactRequest(
  id: string | null,
  draft: PolicyDraft | null,
  context?: ImpactContext,
) {
  const requests = context ? { context } : {};
  const body = { ...(draft ? { with: policyBody(draft) } : {}), ...requests };
  return id === null
    ? requestFor('getDraftImpact', { body: { with: policyBody(draft ?? emptyDraft), ...requests } })
    : requestFor('getPolicyImpact', { id, body });
}
