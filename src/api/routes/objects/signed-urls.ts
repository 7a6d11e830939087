import { SignedUrl, SignedUrlRequest } from '@scriptorium/contracts/wire/library/objects';
import { findKey, keyEndsAt } from '../../../access/keys/read.ts';
import { postgresTime } from '../../../db/postgres-time.ts';
import { findObject } from '../../../library/objects/load.ts';
import { chooseSigningTarget } from '../../../library/objects/signed-urls.ts';
import { record } from '../../../outbox/record.ts';
import { publicOrigin, signedPath } from '../../downloads/signed-urls.ts';
import { route } from '../../frame/route.ts';

export const createSignedUrl = route({
  method: 'POST',
  path: '/v1/objects/{id}/signed-urls',
  operationId: 'createSignedUrl',
  tag: 'Objects',
  summary: 'Create a temporary URL that downloads an object without an API key.',
  description:
    'For browsers and other clients without a key. The URL stops working when it expires, when the key that created it is revoked, expires or loses the scope, when the person who created it is no longer a member, and when the object is trashed. If a policy allows a shorter lifetime, or the key expires earlier, the lifetime is shortened: see `expires_at` and `warnings`. If a policy on `sign` requires a redaction and serves it instead, the URL downloads the redaction. A URL that policies would always deny is not created.',
  scopes: ['objects:download'],
  params: { id: 'object' },
  body: SignedUrlRequest,
  responses: { 201: SignedUrl },
  problems: ['policy_denied', 'state_conflict'],
  secretResponse: true,
  load: (call) => findObject(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, deps, key, headers, resource: object, body }) => {
    const now = Math.floor(postgresTime() / 1_000);
    const callerKey = key.role ? null : await findKey(tx, key.caller.id);
    const keyEnd = callerKey && keyEndsAt(callerKey);
    const remainingSeconds = keyEnd
      ? Math.max(1, Math.floor(keyEnd.getTime() / 1_000) - now)
      : Infinity;
    const requestedSeconds = Math.min(body.ttl_seconds, remainingSeconds);
    const signable = await chooseSigningTarget(tx, origin, object, requestedSeconds);
    const { ttlSeconds } = signable;
    const expiresAtSeconds = now + ttlSeconds;
    const path = signedPath(deps.signer, {
      projectId: key.projectId,
      objectId: signable.object.id,
      callerId: key.caller.id,
      variant: 'original',
      disposition: body.disposition,
      expiresAt: expiresAtSeconds,
      ttlSeconds,
    });
    const expiresAt = new Date(expiresAtSeconds * 1_000).toISOString();
    await record(tx, origin, {
      type: 'dam.object.url_signed',
      resourceId: object.id,
      data: {
        delivered_object_id: signable.object.id,
        ttl_seconds: ttlSeconds,
        expires_at: expiresAt,
      },
    });
    const responseBody = {
      url: publicOrigin(deps.settings, headers) + path,
      expires_at: expiresAt,
      ttl_seconds: ttlSeconds,
      warnings:
        ttlSeconds < body.ttl_seconds ? (['ttl_shortened'] satisfies SignedUrl['warnings']) : [],
    };
    // No Location header: headers are stored in plain text, but the body is stored encrypted.
    return { status: 201 as const, body: responseBody, headers: {} };
  },
});
