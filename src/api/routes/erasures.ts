import { limits } from '@scriptorium/contracts/limits';
import {
  ErasureConfirm,
  ErasureCreate,
  ErasureList,
  ErasureRecord,
  ErasureResourceList,
} from '@scriptorium/contracts/wire/erasures';
import { listQuery, strictObject } from '@scriptorium/contracts/wire/shapes';
import {
  cancelErasure,
  confirmErasure,
  countErasures,
  countResources,
  createErasure,
  findErasure,
  listErasures,
  listResources,
  lockErasure,
  presentErasure,
} from '../../erasure/values/store.ts';
import { accepted, noContent, ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';
import { idPageStart, page, pageStart } from '../requests/cursor.ts';

const tag = 'Erasures';
const path = '/v1/erasures';

const list = route({
  method: 'GET',
  path,
  operationId: 'listErasures',
  tag,
  summary: 'List the erasures of the project, newest first.',
  scopes: ['erasures:read'],
  query: strictObject(listQuery()),
  responses: { 200: ErasureList },
  handler: async (call) => {
    const { projectId } = call.key;
    const rows = await listErasures(call.tx, projectId, idPageStart(call));
    const records = await Promise.all(rows.map((row) => presentErasure(call.tx, row)));
    return page(call, records, {
      present: (record) => record,
      position: ({ id }) => [id],
      count: () => countErasures(call.tx, projectId),
    });
  },
});

const create = route({
  method: 'POST',
  path,
  operationId: 'createErasure',
  tag,
  summary: 'Search the project for values to erase.',
  description: `Nothing is erased before \`POST /v1/erasures/{id}/confirm\`. The search covers details, text, findings, events, jobs, packs, shares and webhooks. The values are stored encrypted until the erasure has finished, and at most ${limits.erasure_confirmation_days} days without confirmation; responses, events and logs never contain them. The maximum is ${limits.erasures_in_progress} erasures in progress.`,
  scopes: ['erasures:write'],
  body: ErasureCreate,
  // The fingerprint of the body must not reveal the values.
  secretBody: true,
  responses: { 202: ErasureRecord },
  problems: ['state_conflict'],
  handler: async ({ tx, origin, deps, body }) => {
    const erasure = await createErasure(tx, origin, { seal: deps.seal.seal }, body);
    const { id, version } = erasure;
    return accepted(await presentErasure(tx, erasure), `${path}/${id}`, { version });
  },
});

const get = route({
  method: 'GET',
  path: `${path}/{id}`,
  operationId: 'getErasure',
  tag,
  summary: 'Get an erasure, with its progress and report.',
  scopes: ['erasures:read'],
  params: { id: 'erasure' },
  responses: { 200: ErasureRecord },
  volatile: true,
  load: (call) => findErasure(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, resource }) =>
    ok(await presentErasure(tx, resource), { version: resource.version }),
});

const resources = route({
  method: 'GET',
  path: `${path}/{id}/resources`,
  operationId: 'listErasureResources',
  tag,
  summary: 'List the resources that contain a value.',
  description:
    'By type and identifier, without the values. `kept` resources are kept by a policy, and unchanged.',
  scopes: ['erasures:read'],
  params: { id: 'erasure' },
  query: strictObject(listQuery()),
  responses: { 200: ErasureResourceList },
  load: (call) => findErasure(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { after, limit } = pageStart(call);
    const from = [String(after?.[0] ?? ''), String(after?.[1] ?? '')] as const;
    const rows = await listResources(call.tx, call.resource, from, limit);
    return page(call, rows, {
      present: (row) => row,
      position: ({ resource_type, resource_id }) => [resource_type, resource_id],
      count: () => countResources(call.tx, call.resource),
    });
  },
});

const confirm = route({
  method: 'POST',
  path: `${path}/{id}/confirm`,
  operationId: 'confirmErasure',
  tag,
  summary: 'Erase the values. Cannot be undone.',
  description:
    'Objects that a policy keeps at that moment stay unchanged, and the report names them.',
  scopes: ['erasures:write'],
  params: { id: 'erasure' },
  body: ErasureConfirm,
  responses: { 202: ErasureRecord },
  problems: ['state_conflict', 'confirmation_required'],
  load: (call) => lockErasure(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, body, resource }) => {
    const erasure = await confirmErasure(tx, origin, resource, {
      wholeValues: body.whole_values ?? false,
    });
    const { id, version } = erasure;
    return accepted(await presentErasure(tx, erasure), `${path}/${id}`, { version });
  },
});

const cancel = route({
  method: 'POST',
  path: `${path}/{id}/cancel`,
  operationId: 'cancelErasure',
  tag,
  summary: 'Cancel an erasure before its confirmation, and drop its values.',
  scopes: ['erasures:write'],
  params: { id: 'erasure' },
  responses: { 204: null },
  problems: ['state_conflict'],
  load: (call) => lockErasure(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, resource }) => {
    await cancelErasure(tx, origin, resource);
    return noContent();
  },
});

export const erasureRoutes = [list, create, get, resources, confirm, cancel];
