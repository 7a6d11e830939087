import { limits } from '@scriptorium/contracts/limits';
import {
  ExpiredObjectList,
  RetentionRuleCreate,
  RetentionRuleList,
  RetentionRulePatch,
  RetentionRuleRecord,
} from '@scriptorium/contracts/wire/retention';
import { listQuery, strictObject } from '@scriptorium/contracts/wire/shapes';
import { findExpired, presentExpired } from '../../erasure/retention/expired.ts';
import {
  changeRule,
  countRules,
  createRule,
  deleteRule,
  findRule,
  listRules,
  lockRule,
  presentRule,
} from '../../erasure/retention/rules.ts';
import { created, noContent, ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';
import { idPageStart, page, pageStart } from '../requests/cursor.ts';

const tag = 'Retention rules';
const path = '/v1/retention-rules';

const list = route({
  method: 'GET',
  path,
  operationId: 'listRetentionRules',
  tag,
  summary: 'List the retention rules of the project, newest first.',
  scopes: ['retention:read'],
  query: strictObject(listQuery()),
  responses: { 200: RetentionRuleList },
  handler: async (call) => {
    const { projectId } = call.key;
    const rows = await listRules(call.tx, projectId, idPageStart(call));
    return page(call, rows, {
      present: presentRule,
      position: ({ id }) => [id],
      count: () => countRules(call.tx, projectId),
    });
  },
});

const create = route({
  method: 'POST',
  path,
  operationId: 'createRetentionRule',
  tag,
  summary: 'Create a retention rule.',
  description: `Takes effect within an hour. Rules delete objects for good, with the objects made from them. Policies with \`legal_hold\` or \`retention\` override rules, and so does \`keep_until\`: such objects are skipped. The maximum is ${limits.retention_rules_per_project} rules per project.`,
  scopes: ['retention:write'],
  body: RetentionRuleCreate,
  responses: { 201: RetentionRuleRecord },
  problems: ['state_conflict', 'reference_not_found'],
  handler: async ({ tx, origin, body }) => {
    const rule = presentRule(await createRule(tx, origin, body));
    return created(rule, `${path}/${rule.id}`, { version: rule.version });
  },
});

const preview = route({
  method: 'GET',
  path: `${path}/preview`,
  operationId: 'previewRetention',
  tag,
  summary: 'List the objects that retention rules delete now.',
  description:
    'By identifier. An object with `kept_by` is skipped, because a policy or another rule keeps it or an object made from it.',
  scopes: ['retention:read', 'objects:read'],
  work: 'search',
  query: strictObject({ limit: listQuery().limit, cursor: listQuery().cursor }),
  responses: { 200: ExpiredObjectList },
  handler: async (call) => {
    const { after, limit } = pageStart(call);
    const from = String(after?.[0] ?? '');
    const found = await findExpired(call.tx, call.key.projectId, from, limit);
    return page(call, found, {
      present: presentExpired,
      position: ({ id }) => [id],
      count: () => null,
    });
  },
});

const get = route({
  method: 'GET',
  path: `${path}/{id}`,
  operationId: 'getRetentionRule',
  tag,
  summary: 'Get a retention rule.',
  scopes: ['retention:read'],
  params: { id: 'retention_rule' },
  responses: { 200: RetentionRuleRecord },
  load: (call) => findRule(call.tx, call.key.projectId, call.params.id),
  handler: async ({ resource }) => ok(presentRule(resource), { version: resource.version }),
});

const update = route({
  method: 'PATCH',
  path: `${path}/{id}`,
  operationId: 'updateRetentionRule',
  tag,
  summary: 'Change what a retention rule does.',
  description: '`rule` is replaced.',
  scopes: ['retention:write'],
  params: { id: 'retention_rule' },
  body: RetentionRulePatch,
  responses: { 200: RetentionRuleRecord },
  precondition: 'required',
  load: (call) => lockRule(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, body, resource }) => {
    const rule = await changeRule(tx, origin, resource, body.rule);
    return ok(presentRule(rule), { version: rule.version });
  },
});

const remove = route({
  method: 'DELETE',
  path: `${path}/{id}`,
  operationId: 'deleteRetentionRule',
  tag,
  summary: 'Delete a retention rule.',
  scopes: ['retention:write'],
  params: { id: 'retention_rule' },
  responses: { 204: null },
  precondition: 'required',
  load: (call) => lockRule(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, resource }) => {
    await deleteRule(tx, origin, resource);
    return noContent();
  },
});

export const retentionRoutes = [list, create, preview, get, update, remove];
