import type { IncomingHttpHeaders } from 'node:http';
import { isId } from '@scriptorium/contracts/ids';
import { Problem } from '@scriptorium/contracts/problems';
import { grants } from '@scriptorium/contracts/scopes';
import type { Middleware } from 'koa';
import { authenticateSigned, type Caller } from '../../access/authenticate.ts';
import type { RecordDenial } from '../../access/denials.ts';
import type { FairQueue } from '../../access/fair-queue.ts';
import { networkOf } from '../../access/ip-addresses.ts';
import type { Signer } from '../../access/signer.ts';
import { postgresTime } from '../../db/postgres-time.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { downloadOf } from '../../library/downloads/download-of.ts';
import { findDeliverable } from '../../library/objects/signed-urls.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { disconnectSignal, onceClosed, requireConnected } from '../connections/responses.ts';
import type { ApiSettings, Deps } from '../deps.ts';
import { setCaller, takeSlot } from '../frame/admit.ts';
import { sendReply } from '../frame/responses/send.ts';
import { pathParameter, problemResponse } from '../openapi/public-paths.ts';
import { addressOf } from '../requests/headers.ts';
import { countDownload } from './count.ts';
import { deliver } from './deliver.ts';

/**
 * Signed URLs, `/s/<token>`, which download one object without credential headers. The token
 * contains the permission and a MAC; nothing is stored.
 */

const prefix = '/s/';
const purpose = 'signed_url';
/**
 * The maximum number of concurrent downloads per URL, per network and per key, so that one URL or
 * one network cannot use up the limit of the key.
 */
const maxDownloads = { URL: 32, address: 64, key: 256 };
/**
 * The types that browsers may display inline. None of them executes, which the
 * Content-Security-Policy also enforces.
 */
const inlineTypes =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff)|application\/pdf|text\/plain|audio\/.*|video\/.*)$/;

/** The permission in a token. */
interface SignedPermission {
  projectId: string;
  objectId: string;
  /** The key or the person that created the URL. */
  callerId: string;
  /** The content to deliver: always the object's bytes. */
  variant: 'original';
  disposition: 'attachment' | 'inline';
  /** Seconds since 1970. */
  expiresAt: number;
  /** The lifetime at creation, which policies may limit later. */
  ttlSeconds: number;
}

/** The path of a signed URL. */
export function signedPath(signer: Signer, permission: SignedPermission): string {
  const { projectId, objectId, callerId, variant, disposition, expiresAt, ttlSeconds } = permission;
  const parts = [projectId, objectId, callerId, variant, disposition, expiresAt, ttlSeconds];
  const payload = JSON.stringify(parts);
  return prefix + signer.sign(purpose, payload);
}

/**
 * The public origin of the service: from the settings, otherwise from the request; empty if
 * unknown.
 */
export function publicOrigin(settings: ApiSettings, headers: IncomingHttpHeaders): string {
  if (settings.publicUrl !== null) return settings.publicUrl;
  const forwarded = (name: string): string | undefined => {
    const value = settings.trustProxy ? headers[name] : undefined;
    return typeof value === 'string' ? value.split(',')[0]!.trim() : undefined;
  };
  const host = forwarded('x-forwarded-host') ?? headers.host ?? '';
  if (!/^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i.test(host)) return '';
  return `${forwarded('x-forwarded-proto') === 'https' ? 'https' : 'http'}://${host}`;
}

/** Serves `/s/…`. Tokens are never logged: logs contain operations, not paths. */
export function createSignedUrls(
  deps: Deps,
  fairQueue: FairQueue,
  noteDenial: RecordDenial,
): Middleware {
  const createCounts = () => new Map<string, number>();
  const runningDownloads = { URL: createCounts(), address: createCounts(), key: createCounts() };
  return async (ctx, next) => {
    if (!ctx.path.startsWith(prefix)) return next();
    ctx.state.operation = 'useSignedUrl';
    ctx.set('Referrer-Policy', 'no-referrer');
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw new Problem('method_not_allowed', 'The method must be one of: GET, HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    }
    const token = ctx.path.slice(prefix.length);
    const permission = readPermission(deps.signer, token);
    const caller = callerOf(permission);
    setCaller(ctx, caller);
    const address = addressOf(deps, ctx);
    const holderIds = { address: networkOf(address), URL: token, key: permission.callerId };
    for (const holderKind of ['address', 'URL', 'key'] as const) {
      onceClosed(
        ctx.res,
        takeSlot(
          runningDownloads[holderKind],
          holderIds[holderKind],
          maxDownloads[holderKind],
          holderKind,
        ),
      );
    }
    const origin = {
      projectId: permission.projectId,
      actor: caller,
      address,
      requestId: String(ctx.state.requestId),
    };
    const party = { project: permission.projectId, key: permission.callerId };
    const inProject = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      fairQueue.run(party, 'quick', () =>
        inTransaction(deps.database, async (tx) => {
          const scopes = await authenticateSigned(tx, permission.projectId, caller, address);
          if (!scopes || !grants(scopes, 'objects:download')) throw invalidUrl();
          return work(tx);
        }),
      );
    const delivery = await inProject((tx) =>
      findDeliverable(tx, origin, permission.objectId, permission.ttlSeconds),
    ).catch(async (error: unknown) => {
      if (error instanceof PolicyDenied) {
        await noteDenial(origin, error, 'useSignedUrl').catch((reason: unknown) => {
          deps.logger.error({ err: reason }, 'denial could not be recorded');
        });
      }
      throw error;
    });
    if (!delivery) throw invalidUrl();
    requireConnected(ctx.res);
    const signal = disconnectSignal(ctx.res);
    const reply = await deliver(
      { deps, signal, inProject, method: ctx.method, headers: ctx.req.headers },
      delivery,
      inlineTypes.test(delivery.object.mime) ? permission.disposition : 'attachment',
    );
    const download = downloadOf(permission.objectId, delivery, 'signed_url');
    countDownload({ deps, origin, ctx }, reply, download);
    // Signed URLs are meant for pages of other origins.
    const headers = { ...reply.headers, 'Cross-Origin-Resource-Policy': 'cross-origin' };
    sendReply(ctx, { ...reply, headers });
  };
}

/** The caller without its name, which the token does not contain. */
function callerOf({ callerId: id }: SignedPermission): Caller {
  return { type: isId('user', id) ? 'user' : 'api_key', id };
}

/** @throws Problem 403 `signed_url_invalid` or `signed_url_expired` */
function readPermission(signer: Signer, token: string): SignedPermission {
  const payload = signer.verify(purpose, token);
  if (payload === null) throw invalidUrl();
  // The signature proves that this service wrote the payload.
  const [projectId, objectId, callerId, variant, disposition, expiresAt, ttlSeconds] = JSON.parse(
    payload,
  ) as [
    string,
    string,
    string,
    SignedPermission['variant'],
    SignedPermission['disposition'],
    number,
    number,
  ];
  if (expiresAt * 1_000 <= postgresTime()) {
    throw new Problem('signed_url_expired', 'The signed URL has expired. Create a new one.');
  }
  return { projectId, objectId, callerId, variant, disposition, expiresAt, ttlSeconds };
}

function invalidUrl(): Problem {
  return new Problem('signed_url_invalid', 'The signed URL is invalid or no longer valid.');
}

/** The path in the OpenAPI document. */
export const signedUrlPaths = {
  '/s/{token}': {
    get: {
      operationId: 'useSignedUrl',
      tags: ['Objects'],
      summary: 'Download the bytes of an object with a signed URL.',
      description:
        'Requires no credential headers. Returns all bytes or a single range. The URL stops working when it expires, when the key that created it is revoked, when the person who created it is no longer a member, or when the object is trashed.',
      security: [],
      parameters: [pathParameter('token', 'The last part of the `url` that was created.')],
      responses: {
        200: { description: 'OK' },
        206: { description: 'Partial Content' },
        304: { description: 'Not modified: the client has the current bytes.' },
        403: problemResponse(
          'Forbidden: `signed_url_invalid`, `signed_url_expired`, `policy_denied`.',
        ),
        409: problemResponse(
          'Conflict: `state_conflict`. `retryable` is true while the delivery is being prepared.',
        ),
        416: problemResponse('Range Not Satisfiable: `range_not_satisfiable`.'),
        429: problemResponse(
          `Too Many Requests: \`rate_limited\`. The maximum number of concurrent downloads is ${maxDownloads.URL} per URL, ${maxDownloads.address} per IP address and ${maxDownloads.key} per key.`,
        ),
      },
    },
  },
};
