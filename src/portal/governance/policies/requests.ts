import type { Static } from 'typebox';
import type { PolicyRule } from '../../../contracts/rules.ts';
import type { CollectionRecord } from '../../../contracts/wire/collections.ts';
import type { ObjectList } from '../../../contracts/wire/objects.ts';
import type {
  EvaluateRequest,
  Evaluation,
  ImpactRecord,
  PolicyCreate,
  PolicyRecord,
} from '../../../contracts/wire/policies.ts';
import type { Page } from '../../api/hooks.ts';
import type { ApiRequest } from '../../api/request.ts';

const path = '/v1/dam/security/policies';

/** A policy as the form has it: every field there. */
export interface Draft extends PolicyCreate {
  when: NonNullable<PolicyCreate['when']>;
  rules: PolicyRule[];
}

/** A project has at most 200: all of them. */
export const listPolicies = (): ApiRequest<Page<PolicyRecord> & { has_more: boolean }> => ({
  method: 'GET',
  path,
  query: { limit: 200 },
});

export const getPolicy = (id: string): ApiRequest<PolicyRecord> => ({
  method: 'GET',
  path: `${path}/${id}`,
});

export const createPolicy = (draft: Draft): ApiRequest<PolicyRecord> => ({
  method: 'POST',
  path,
  body: bodyOf(draft),
});

export const updatePolicy = (id: string, draft: Draft, etag: string): ApiRequest<PolicyRecord> => {
  const { mime, labels } = draft.when;
  // Merged into what is there: what is not said is taken away.
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

/** What a policy would refuse: as it is saved, or as a draft says. */
export const policyImpact = (id: string | null, draft: Draft | null): ApiRequest<ImpactRecord> => ({
  method: 'POST',
  path: id === null ? `${path}/impact` : `${path}/${id}/impact`,
  body: draft ? { with: bodyOf(draft) } : {},
});

export const listCollections = (): ApiRequest<Page<CollectionRecord>> => ({
  method: 'GET',
  path: '/v1/collections',
  query: { kind: 'manual', sort: 'name', limit: 200 },
});

export const searchObjects = (q: string): ApiRequest<Static<typeof ObjectList>> => ({
  method: 'GET',
  path: '/v1/objects',
  query: { q, limit: 8 },
});

export function bodyOf(draft: Draft): PolicyCreate {
  const { mime, labels } = draft.when;
  return { ...draft, when: mime || labels ? draft.when : null };
}

export const emptyDraft: Draft = {
  name: '',
  mode: 'audit',
  scope: { type: 'project' },
  actions: [],
  when: {},
  rules: [],
};

export function draftOf({ name, mode, scope, actions, when, rules }: PolicyRecord): Draft {
  return { name, mode, scope, actions, when: when ?? {}, rules };
}
