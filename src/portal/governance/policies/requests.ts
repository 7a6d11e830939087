import type { PolicyRule } from '../../../contracts/rules.ts';
import type { CollectionRecord } from '../../../contracts/wire/library/collections.ts';
import type { PolicyCreate, PolicyRecord } from '../../../contracts/wire/policies.ts';
import type {
  EvaluateRequest,
  Evaluation,
  ImpactRecord,
} from '../../../contracts/wire/policy-decisions.ts';
import type { Page } from '../../api/hooks.ts';
import type { ApiRequest } from '../../api/request.ts';

const path = '/v1/dam/security/policies';

/** A policy as edited in the form: no field is optional. */
export interface PolicyDraft extends PolicyCreate {
  when: NonNullable<PolicyCreate['when']>;
  rules: PolicyRule[];
}

/** All policies: a project can have at most 200. */
export const listPolicies = (
  sort?: string,
): ApiRequest<Page<PolicyRecord> & { has_more: boolean }> => ({
  method: 'GET',
  path,
  query: { sort, limit: 200 },
});

export const getPolicy = (id: string): ApiRequest<PolicyRecord> => ({
  method: 'GET',
  path: `${path}/${id}`,
});

export const createPolicy = (draft: PolicyDraft): ApiRequest<PolicyRecord> => ({
  method: 'POST',
  path,
  body: policyBody(draft),
});

export const updatePolicy = (
  id: string,
  draft: PolicyDraft,
  etag: string,
): ApiRequest<PolicyRecord> => {
  const { mime, labels } = draft.when;
  // A merge patch: conditions that are not set must be removed explicitly.
  const when = mime || labels ? { mime: mime ?? null, labels: labels ?? null } : null;
  return {
    method: 'PATCH',
    path: `${path}/${id}`,
    headers: { 'If-Match': etag },
    body: { ...draft, when },
  };
};

export const deletePolicy = (id: string, etag: string): ApiRequest<null> => ({
  method: 'DELETE',
  path: `${path}/${id}`,
  headers: { 'If-Match': etag },
});

export const evaluatePolicies = (body: EvaluateRequest): ApiRequest<Evaluation> => ({
  method: 'POST',
  path: `${path}/evaluate`,
  body,
});

/** What a policy would deny: a saved policy, or a draft. */
export const policyImpact = (
  id: string | null,
  draft: PolicyDraft | null,
): ApiRequest<ImpactRecord> => ({
  method: 'POST',
  path: id === null ? `${path}/impact` : `${path}/${id}/impact`,
  body: draft ? { with: policyBody(draft) } : {},
});

export const listManualCollections = (): ApiRequest<Page<CollectionRecord>> => ({
  method: 'GET',
  path: '/v1/collections',
  query: { kind: 'manual', sort: 'name', limit: 200 },
});

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

export function policyDraftOf({
  name,
  mode,
  scope,
  actions,
  when,
  rules,
}: PolicyRecord): PolicyDraft {
  return { name, mode, scope, actions, when: when ?? {}, rules };
}
