import { SignedUrl, SignedUrlWish } from '../../../contracts/wire/objects.ts';
import { findObject } from '../../../library/objects/load.ts';
import { requireSignable } from '../../../library/objects/signed.ts';
import { publicOrigin, signedPath } from '../../downloads/signed-urls.ts';
import { route } from '../../frame/route.ts';

export const createSignedUrl = route({
  method: 'POST',
  path: '/v1/objects/{id}/signed-urls',
  operationId: 'createSignedUrl',
  tag: 'Objects',
  summary: 'Make a URL that downloads an object without a key, for a while.',
  description:
    'For a browser, or whoever has no key. It ends with its time, and before that when the key that made it is revoked, expires or loses the scope, or when the object goes to the trash.',
  scopes: ['objects:download'],
  params: { id: 'object' },
  body: SignedUrlWish,
  responses: { 201: SignedUrl },
  problems: ['policy_denied', 'state_conflict'],
  secretResponse: true,
  load: (call) => findObject(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, deps, key, headers, resource: object, body }) => {
    await requireSignable(tx, origin, object, body.ttl_seconds);
    const until = Math.floor(Date.now() / 1_000) + body.ttl_seconds;
    const path = signedPath(deps.signer, {
      projectId: key.projectId,
      objectId: object.id,
      keyId: key.keyId,
      variant: 'original',
      disposition: body.disposition,
      until,
      ttlSeconds: body.ttl_seconds,
    });
    const answer = {
      url: publicOrigin(deps.settings, headers) + path,
      expires_at: new Date(until * 1_000).toISOString(),
    };
    // No Location: an answer's headers are stored as they are, its body is sealed.
    return { status: 201 as const, body: answer, headers: {} };
  },
});
