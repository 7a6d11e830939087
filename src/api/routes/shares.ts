import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import {
  ShareCreate,
  ShareList,
  SharePatch,
  ShareQuery,
  ShareRecord,
} from '@scriptorium/contracts/wire/library/shares';
import type { Identity } from '../../access/authenticate.ts';
import { networkOf } from '../../access/ip-addresses.ts';
import type { Share } from '../../entities/library/share.ts';
import { revokeShare, updateShare } from '../../library/shares/change.ts';
import { createShare } from '../../library/shares/create.ts';
import {
  countShares,
  coversShare,
  findShare,
  listShares,
  lockShare,
  presentShare,
  type ShareFilters,
  scopesOfShare,
} from '../../library/shares/load.ts';
import { hashPassword } from '../../library/shares/password.ts';
import type { PasswordParty } from '../../library/shares/password-turns.ts';
import { publicOrigin } from '../downloads/signed-urls.ts';
import { requireAdditionalScopes } from '../frame/admit.ts';
import type { createHandlerCall } from '../frame/exchange.ts';
import { created, noContent, ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';
import { idPageStart, page } from '../requests/cursor.ts';
import { sharePath } from '../shares/link.ts';

const tag = 'Shares';
const path = '/v1/shares';

type ShareCall = Pick<ReturnType<typeof createHandlerCall>, 'deps' | 'key' | 'headers'>;

/**
 * Presents a share: with its link, if the caller has all scopes that the link grants.
 */
function present({ deps, key, headers }: ShareCall, share: Share): ShareRecord {
  const url = publicOrigin(deps.settings, headers) + sharePath(deps.signer, share);
  return presentShare(share, coversShare(key.scopes, share) ? url : null);
}

/** The party that sets a password. */
function partyOf(call: { key: Identity; origin: Origin; signal: AbortSignal }): PasswordParty {
  const { key, origin, signal } = call;
  const network = networkOf(origin.address);
  return { projectId: key.projectId, holder: key.caller.id, network, signal };
}

const list = route({
  method: 'GET',
  path,
  operationId: 'listShares',
  tag,
  summary: 'List the shares of the project, newest first.',
  description: `Revoked and expired shares stay in the list for ${limits.event_retention_days} days.`,
  scopes: ['shares:read'],
  query: ShareQuery,
  responses: { 200: ShareList },
  secretResponse: true,
  handler: async (call) => {
    const { state, kind, object_id: objectId, collection_id: collectionId } = call.query;
    const filters: ShareFilters = { state, kind, objectId, collectionId };
    const rows = await listShares(call.tx, { ...filters, ...idPageStart(call) });
    return page(call, rows, {
      present: (share) => present(call, share),
      position: ({ id }) => [id],
      count: () => countShares(call.tx, filters),
    });
  },
});

const create = route({
  method: 'POST',
  path,
  operationId: 'createShare',
  tag,
  summary: 'Create a link that shares an object or a collection, or accepts uploads.',
  description: `The link works without a key, in any browser. It shows content that is available and allowed by policies at the time of the visit. For a collection, this includes its members, nested collections and previews. It stops working when it expires, when one of its limits is reached, when it is revoked, and when the key that created it is revoked, expires or loses a scope or the person who created it loses access. The creator needs the scopes that the link grants: \`objects:read\` and \`images:read\`, for a collection \`collections:read\`, for downloads \`objects:download\`; for uploads \`objects:write\` and, with a target collection, \`collections:write\`. The maximum is ${limits.shares_per_project} shares per project.`,
  scopes: ['shares:write'],
  body: ShareCreate,
  responses: { 201: ShareRecord },
  problems: ['policy_denied', 'state_conflict', 'reference_not_found'],
  secretResponse: true,
  secretBody: true,
  prepare: async (call) =>
    call.body.password ? hashPassword(call.body.password, partyOf(call)) : null,
  handler: async (call) => {
    const { tx, origin, key, body, prepared: passwordHash } = call;
    const granted = scopesOfShare({
      kind: body.kind,
      collectionId: body.collection_id ?? null,
      allowDownload: body.allow_download ?? true,
    });
    requireAdditionalScopes(key, 'this share', granted);
    const share = await createShare(tx, origin, body, passwordHash);
    return created(present(call, share), `${path}/${share.id}`, { version: share.version });
  },
});

const get = route({
  method: 'GET',
  path: `${path}/{id}`,
  operationId: 'getShare',
  tag,
  summary: 'Get a share, with its link and its counters.',
  scopes: ['shares:read'],
  params: { id: 'share' },
  responses: { 200: ShareRecord },
  secretResponse: true,
  // The state and counters of a share change without a change of its version.
  volatile: true,
  load: (call) => findShare(call.tx, call.params.id),
  handler: async (call) => ok(present(call, call.resource), { version: call.resource.version }),
});

const patch = route({
  method: 'PATCH',
  path: `${path}/{id}`,
  operationId: 'updateShare',
  tag,
  summary: 'Change a share. Its link stays the same.',
  description:
    'Takes effect immediately, also for visitors who have opened the link. They must also enter a new `password`. A share that has expired or reached a limit works again with a later expiry or a higher limit.',
  scopes: ['shares:write'],
  params: { id: 'share' },
  body: SharePatch,
  responses: { 200: ShareRecord },
  problems: ['policy_denied', 'state_conflict'],
  secretResponse: true,
  load: (call) => lockShare(call.tx, call.params.id),
  prepare: async (call) =>
    call.body.password ? hashPassword(call.body.password, partyOf(call)) : call.body.password,
  handler: async (call) => {
    const { tx, origin, key, resource: share, body, prepared: passwordHash } = call;
    const { kind, collectionId } = share;
    const allowDownload = body.allow_download ?? share.allowDownload;
    requireAdditionalScopes(
      key,
      'this share',
      scopesOfShare({ kind, collectionId, allowDownload }),
    );
    const changed = await updateShare(tx, origin, share, body, passwordHash);
    return ok(present(call, changed), { version: changed.version });
  },
});

const revoke = route({
  method: 'DELETE',
  path: `${path}/{id}`,
  operationId: 'revokeShare',
  tag,
  summary: 'Revoke a share. Its link stops working immediately.',
  scopes: ['shares:write'],
  params: { id: 'share' },
  responses: { 204: null },
  load: (call) => lockShare(call.tx, call.params.id),
  handler: async (call) => {
    await revokeShare(call.tx, call.origin, call.resource);
    return noContent();
  },
});

export const shareRoutes = [list, create, get, patch, revoke];
