import { Problem } from '@scriptorium/contracts/problems';
import {
  KeyCreate,
  KeyList,
  KeyPatch,
  KeyRecord,
  keySorts,
  keyStates,
  NewKeyRecord,
  RolledKeyRecord,
} from '@scriptorium/contracts/wire/keys';
import {
  commaList,
  idFilter,
  listQuery,
  sortQuery,
  strictObject,
} from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import {
  createKey,
  grantorOf,
  loadManagedKey,
  revokeKey,
  rollKey,
  updateKey,
} from '../../access/keys/keys.ts';
import { countKeys, findKey, listKeys, presentKey } from '../../access/keys/read.ts';
import { claimQuota } from '../../policies/quotas.ts';
import { created, noContent, ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';
import { page, pageStart } from '../requests/cursor.ts';

const tag = 'API keys';

const list = route({
  method: 'GET',
  path: '/v1/keys',
  operationId: 'listKeys',
  tag,
  summary: 'List the API keys of the project, by default newest first.',
  scopes: ['keys:read'],
  query: strictObject({
    ...listQuery(),
    id: idFilter('key', 'keys'),
    state: Type.Optional(commaList(Type.Enum([...keyStates]))),
    sort: sortQuery(keySorts, '-created_at'),
  }),
  responses: { 200: KeyList },
  handler: async (call) => {
    const { id: ids, sort, state } = call.query;
    const rows = await listKeys(call.tx, { ids, state, sort, ...pageStart(call) });
    return page(call, rows, {
      present: ({ key }) => presentKey(key),
      position: ({ position }) => position,
      count: () => countKeys(call.tx, { ids, state }),
    });
  },
});

const create = route({
  method: 'POST',
  path: '/v1/keys',
  operationId: 'createKey',
  tag,
  summary: 'Create an API key.',
  description:
    'A key can grant at most its own permissions: its scopes or fewer, IP ranges within its IP ranges, an expiry no later than its expiry, and its rate limits. Omitted fields are inherited. The secret is returned only in this response.',
  scopes: ['keys:write'],
  body: KeyCreate,
  responses: { 201: NewKeyRecord },
  problems: ['quota_exceeded', 'key_limits_exceeded'],
  secretResponse: true,
  load: async (call) => ({ grantor: await grantorOf(call.tx, call.key) }),
  handler: async (call) => {
    const { grantor } = call.resource;
    claimQuota(call.tx, call.key.projectId, 'api_keys', 1);
    const { key, secret } = await createKey(call.tx, call.origin, grantor, call.body);
    const body = { ...presentKey(key), api_key: secret };
    return created(body, `/v1/keys/${key.id}`, { version: key.version });
  },
});

const self = route({
  method: 'GET',
  path: '/v1/keys/self',
  operationId: 'getOwnKey',
  tag,
  summary: 'Get the API key of the request.',
  scopes: [],
  responses: { 200: KeyRecord },
  load: async ({ tx, key }) => {
    if (key.role)
      throw new Problem('not_found', 'The request is made by a person, not with a key.');
    return findKey(tx, key.caller.id);
  },
  handler: async ({ resource }) => ok(presentKey(resource), { version: resource.version }),
});

const get = route({
  method: 'GET',
  path: '/v1/keys/{id}',
  operationId: 'getKey',
  tag,
  summary: 'Get an API key.',
  scopes: ['keys:read'],
  params: { id: 'key' },
  responses: { 200: KeyRecord },
  load: (call) => findKey(call.tx, call.params.id),
  handler: async ({ resource }) => ok(presentKey(resource), { version: resource.version }),
});

const patch = route({
  method: 'PATCH',
  path: '/v1/keys/{id}',
  operationId: 'updateKey',
  tag,
  summary: 'Update an API key.',
  description:
    'A key can change itself and keys within its own limits, and cannot widen a key beyond them.',
  scopes: ['keys:write'],
  params: { id: 'key' },
  body: KeyPatch,
  responses: { 200: KeyRecord },
  problems: ['state_conflict', 'key_limits_exceeded'],
  load: (call) => loadManagedKey(call.tx, call.params.id, call.key),
  handler: async (call) => {
    const { resource } = call;
    const key = await updateKey(call.tx, call.origin, resource.grantor, resource, call.body);
    return ok(presentKey(key), { version: key.version });
  },
});

const revoke = route({
  method: 'DELETE',
  path: '/v1/keys/{id}',
  operationId: 'revokeKey',
  tag,
  summary: 'Revoke an API key. It stops working immediately.',
  description:
    'A key can revoke itself and keys within its own limits. Open invitations that were created with the key become invalid.',
  scopes: ['keys:write'],
  params: { id: 'key' },
  responses: { 204: null },
  problems: ['key_limits_exceeded'],
  load: (call) => loadManagedKey(call.tx, call.params.id, call.key),
  handler: async (call) => {
    await revokeKey(call.tx, call.origin, call.resource.grantor, call.resource);
    return noContent();
  },
});

const roll = route({
  method: 'POST',
  path: '/v1/keys/{id}/roll',
  operationId: 'rollKey',
  tag,
  summary: 'Replace an API key by a new one with the same permissions.',
  description:
    'The old key keeps working for `overlap_seconds`, until `replaces.ends_at`. A key can roll itself and keys within its own limits. A key that rolls itself keeps working for at least a minute, so that it can repeat the request with its Idempotency-Key if the response is lost; revoke it to end it at once.',
  scopes: ['keys:write'],
  params: { id: 'key' },
  body: strictObject({
    overlap_seconds: Type.Integer({ minimum: 0, maximum: 604_800, default: 0 }),
  }),
  responses: { 201: RolledKeyRecord },
  problems: ['state_conflict', 'key_limits_exceeded'],
  secretResponse: true,
  load: (call) => loadManagedKey(call.tx, call.params.id, call.key),
  handler: async (call) => {
    const { overlap_seconds: overlap } = call.body;
    const { resource } = call;
    const rolled = await rollKey(call.tx, call.origin, resource.grantor, resource, overlap);
    const body = {
      ...presentKey(rolled.key),
      api_key: rolled.secret,
      replaces: { id: resource.key.id, ends_at: rolled.oldEndsAt.toISOString() },
    };
    return created(body, `/v1/keys/${rolled.key.id}`, { version: rolled.key.version });
  },
});

export const keyRoutes = [list, create, self, get, patch, revoke, roll];
