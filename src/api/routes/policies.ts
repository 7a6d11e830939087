import { limits } from '@scriptorium/contracts/limits';
import {
  PolicyCreate,
  PolicyPatch,
  PolicyRecord,
  policySorts,
} from '@scriptorium/contracts/wire/policies';
import {
  EvaluateRequest,
  Evaluation,
  ImpactContext,
  ImpactRecord,
} from '@scriptorium/contracts/wire/policy-decisions';
import { listQuery, listSchema, sortQuery, strictObject } from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import { scheduleWalk } from '../../library/embeddings/state.ts';
import { evaluate } from '../../policies/evaluate.ts';
import { computeImpact } from '../../policies/impact.ts';
import {
  countPolicies,
  createPolicy,
  deletePolicy,
  findPolicy,
  listPolicies,
  lockPolicy,
  presentPolicy,
  toPolicy,
  updatePolicy,
} from '../../policies/store.ts';
import { checkDraft } from '../../policies/validate.ts';
import { requireAdditionalScopes } from '../frame/admit.ts';
import { created, noContent, ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';
import { page, pageStart } from '../requests/cursor.ts';

const tag = 'Security policies';
const path = '/v1/dam/security/policies';

const list = route({
  method: 'GET',
  path,
  operationId: 'listPolicies',
  tag,
  summary: 'List the security policies of the project, by default newest first.',
  scopes: ['policies:read'],
  query: strictObject({ ...listQuery(), sort: sortQuery(policySorts, '-created_at') }),
  responses: { 200: listSchema(PolicyRecord) },
  handler: async (call) => {
    const { projectId } = call.key;
    const { sort } = call.query;
    const from = { sort, ...pageStart(call) };
    const rows = await listPolicies(call.tx, projectId, from);
    return page(call, rows, {
      present: ({ row }) => presentPolicy(row),
      position: ({ position }) => position,
      count: () => countPolicies(call.tx, projectId),
    });
  },
});

const create = route({
  method: 'POST',
  path,
  operationId: 'createPolicy',
  tag,
  summary: 'Create a security policy.',
  description: `The policy takes effect with this response. Every rule of every policy must pass: any denial overrides everything else, the lowest maximum and the longest retention apply, allow lists intersect, and order does not matter. If a rule depends on unknown facts about a file, showing and delivering the file is denied. \`legal_hold\` and \`retention\` continue to apply to resources that have left the scope. The maximum is ${limits.policies_per_project} policies per project.`,
  scopes: ['policies:write'],
  body: PolicyCreate,
  responses: { 201: PolicyRecord },
  problems: ['reference_not_found', 'state_conflict'],
  handler: async (call) => {
    const policy = await createPolicy(call.tx, call.origin, call.body);
    await scheduleWalk(call.tx, call.key.projectId);
    return created(presentPolicy(policy), `${path}/${policy.id}`, { version: policy.version });
  },
});

const get = route({
  method: 'GET',
  path: `${path}/{id}`,
  operationId: 'getPolicy',
  tag,
  summary: 'Get a security policy.',
  scopes: ['policies:read'],
  params: { id: 'policy' },
  responses: { 200: PolicyRecord },
  load: (call) => findPolicy(call.tx, call.key.projectId, call.params.id),
  handler: async ({ resource }) => ok(presentPolicy(resource), { version: resource.version }),
});

const patch = route({
  method: 'PATCH',
  path: `${path}/{id}`,
  operationId: 'updatePolicy',
  tag,
  summary: 'Update a security policy.',
  description:
    '`scope` and `rules` are replaced, `when` is merged. Holds end when the policy is disabled or the rule is removed.',
  scopes: ['policies:write'],
  params: { id: 'policy' },
  body: PolicyPatch,
  responses: { 200: PolicyRecord },
  problems: ['reference_not_found'],
  precondition: 'required',
  load: (call) => lockPolicy(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const policy = await updatePolicy(call.tx, call.origin, call.resource, call.body);
    await scheduleWalk(call.tx, call.key.projectId);
    return ok(presentPolicy(policy), { version: policy.version });
  },
});

const remove = route({
  method: 'DELETE',
  path: `${path}/{id}`,
  operationId: 'deletePolicy',
  tag,
  summary: 'Delete a security policy and its holds.',
  scopes: ['policies:write'],
  params: { id: 'policy' },
  responses: { 204: null },
  precondition: 'required',
  load: (call) => lockPolicy(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    await deletePolicy(call.tx, call.origin, call.resource);
    await scheduleWalk(call.tx, call.key.projectId);
    return noContent();
  },
});

const evaluateRoute = route({
  method: 'POST',
  path: `${path}/evaluate`,
  operationId: 'evaluatePolicies',
  tag,
  summary: 'Evaluate the policies for an action without performing it.',
  description:
    'Evaluates a stored resource or a hypothetical file, optionally with unsaved drafts. Always returns 200 with a decision. `resource` requires the `objects:read` scope, or `images:read` for an image. A resource that does not exist is denied with the violation `resource_not_found`.',
  scopes: ['policies:read'],
  work: 'search',
  rate: 'read',
  idempotent: false,
  body: EvaluateRequest,
  responses: { 200: Evaluation },
  problems: ['reference_not_found'],
  handler: async (call) => {
    const { resource } = call.body;
    if (resource) {
      requireAdditionalScopes(call.key, '`resource`', [
        resource.type === 'image' ? 'images:read' : 'objects:read',
      ]);
    }
    return ok(await evaluate(call.tx, call.origin, call.body));
  },
});

const impact = route({
  method: 'POST',
  path: `${path}/{id}/impact`,
  operationId: 'getPolicyImpact',
  tag,
  summary: 'Count the objects that a policy alone would deny.',
  description:
    'Examines the newest available objects for each action of the policy. `with` evaluates a changed version of the policy, and requires the `objects:read` scope.',
  scopes: ['policies:read'],
  work: 'heavy',
  concurrency: 4,
  rate: 'read',
  params: { id: 'policy' },
  body: strictObject({
    with: Type.Optional(PolicyCreate),
    context: Type.Optional(ImpactContext),
  }),
  responses: { 200: ImpactRecord },
  problems: ['reference_not_found'],
  load: (call) => findPolicy(call.tx, call.key.projectId, call.params.id),
  prepare: async ({ inProject, key, body, resource }) => {
    const { with: replacement } = body;
    // The number of objects to which a caller's condition applies reveals facts about them.
    if (replacement) requireAdditionalScopes(key, '`with`', ['objects:read']);
    const draft =
      replacement &&
      (await inProject((tx) => checkDraft(tx, key.projectId, replacement, { at: '/with' })));
    const policy = draft ? { ...draft, id: resource.id } : toPolicy(resource);
    return computeImpact(inProject, key.projectId, policy, body.context);
  },
  handler: async ({ prepared }) => ok(prepared),
});

const draftImpact = route({
  method: 'POST',
  path: `${path}/impact`,
  operationId: 'getDraftImpact',
  tag,
  summary: 'Count the objects that an unsaved policy alone would deny.',
  description:
    'Examines the newest available objects for each action of the policy. Nothing is saved. Also requires the `objects:read` scope.',
  scopes: ['policies:read'],
  work: 'heavy',
  concurrency: 4,
  rate: 'read',
  body: strictObject({ with: PolicyCreate, context: Type.Optional(ImpactContext) }),
  responses: { 200: ImpactRecord },
  problems: ['reference_not_found'],
  prepare: async ({ inProject, key, body }) => {
    requireAdditionalScopes(key, '`with`', ['objects:read']);
    const draft = await inProject((tx) =>
      checkDraft(tx, key.projectId, body.with, { at: '/with' }),
    );
    return computeImpact(inProject, key.projectId, { ...draft, id: 'draft_1' }, body.context);
  },
  handler: async ({ prepared }) => ok(prepared),
});

export const policyRoutes = [list, create, evaluateRoute, draftImpact, get, patch, remove, impact];
