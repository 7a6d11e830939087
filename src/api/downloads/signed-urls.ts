import type { IncomingHttpHeaders } from 'node:http';
import { isId } from '@scriptorium/contracts/ids';
import { Problem } from '@scriptorium/contracts/problems';
import { grants } from '@scriptorium/contracts/scopes';
import type { Middleware } from 'koa';
import { networkOf } from '../../access/addresses.ts';
import { authenticateSigned, type Caller } from '../../access/authenticate.ts';
import type { NoteDenial } from '../../access/denials.ts';
import type { FairQueue } from '../../access/fair-queue.ts';
import type { Signer } from '../../access/signer.ts';
import { postgresTime } from '../../db/postgres-time.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { downloadOf } from '../../library/downloads/delivered.ts';
import { findDeliverable } from '../../library/objects/signed.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { departure, requirePresence, whenOver } from '../connections/responses.ts';
import type { ApiSettings, Deps } from '../deps.ts';
import { noteCaller, occupy } from '../frame/admit.ts';
import { sendReply } from '../frame/answers/send.ts';
import { inPath, problemAnswer } from '../openapi/open-paths.ts';
import { addressOf } from '../requests/headers.ts';
import { countDownload } from './count.ts';
import { deliver } from './deliver.ts';

/**
 * Signed URLs, `/s/<token>`, which download one object without credential headers. The token
 * carries its permission under a MAC; nothing is stored.
 */

const prefix = '/s/';
const purpose = 'signed_url';
/**
 * The maximum number of concurrent downloads per URL, per network and per key, so that one URL or
 * one network cannot use up the limit of the key.
 */
const max = { URL: 32, address: 64, key: 256 };
/**
 * The types that browsers may display inline. None of them executes, which the
 * Content-Security-Policy also enforces.
 */
const shown =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff)|application\/pdf|text\/plain|audio\/.*|video\/.*)$/;

/** What a token permits. */
interface SignedRight {
  projectId: string;
  objectId: string;
  /** The key or the person that created the URL. */
  callerId: string;
  /** The content to deliver: always the object's own bytes. */
  variant: 'original';
  disposition: 'attachment' | 'inline';
  /** Seconds since 1970. */
  until: number;
  /** The lifetime at creation, which policies may limit later. */
  ttlSeconds: number;
}

/** The path of a signed URL. */
export function signedPath(signer: Signer, right: SignedRight): string {
  const { projectId, objectId, callerId, variant, disposition, until, ttlSeconds } = right;
  const parts = [projectId, objectId, callerId, variant, disposition, until, ttlSeconds];
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
  noteDenial: NoteDenial,
): Middleware {
  const places = () => new Map<string, number>();
  const open = { URL: places(), address: places(), key: places() };
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
    const right = readRight(deps.signer, token);
    const caller = callerOf(right);
    noteCaller(ctx, caller);
    const address = addressOf(deps, ctx);
    const ids = { address: networkOf(address), URL: token, key: right.callerId };
    for (const holder of ['address', 'URL', 'key'] as const) {
      whenOver(ctx.res, occupy(open[holder], ids[holder], max[holder], holder));
    }
    const origin = {
      projectId: right.projectId,
      actor: caller,
      address,
      requestId: String(ctx.state.requestId),
    };
    const party = { project: right.projectId, key: right.callerId };
    const inProject = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      fairQueue.run(party, 'quick', () =>
        inTransaction(deps.database, async (tx) => {
          const scopes = await authenticateSigned(tx, right.projectId, caller, address);
          if (!scopes || !grants(scopes, 'objects:download')) throw invalidUrl();
          return work(tx);
        }),
      );
    const delivery = await inProject((tx) =>
      findDeliverable(tx, origin, right.objectId, right.ttlSeconds),
    ).catch(async (error: unknown) => {
      if (error instanceof PolicyDenied) {
        await noteDenial(origin, error, 'useSignedUrl').catch((reason: unknown) => {
          deps.logger.error({ err: reason }, 'denial could not be recorded');
        });
      }
      throw error;
    });
    if (!delivery) throw invalidUrl();
    requirePresence(ctx.res);
    const signal = departure(ctx.res);
    const reply = await deliver(
      { deps, signal, inProject, method: ctx.method, headers: ctx.req.headers },
      delivery,
      shown.test(delivery.object.mime) ? right.disposition : 'attachment',
    );
    const download = downloadOf(right.objectId, delivery, 'signed_url');
    countDownload({ deps, origin, ctx }, reply, download);
    // Signed URLs are meant for pages of other origins.
    const headers = { ...reply.headers, 'Cross-Origin-Resource-Policy': 'cross-origin' };
    sendReply(ctx, { ...reply, headers });
  };
}

/** Without the name, which the token does not contain. */
function callerOf({ callerId: id }: SignedRight): Caller {
  return { type: isId('user', id) ? 'user' : 'api_key', id };
}

/** @throws Problem 403 `signed_url_invalid` or `signed_url_expired` */
function readRight(signer: Signer, token: string): SignedRight {
  const payload = signer.verify(purpose, token);
  if (payload === null) throw invalidUrl();
  // The signature proves that this service wrote the payload.
  const [projectId, objectId, callerId, variant, disposition, until, ttlSeconds] = JSON.parse(
    payload,
  ) as [string, string, string, SignedRight['variant'], SignedRight['disposition'], number, number];
  if (until * 1_000 <= postgresTime()) {
    throw new Problem('signed_url_expired', 'The signed URL has expired. Create a new one.');
  }
  return { projectId, objectId, callerId, variant, disposition, until, ttlSeconds };
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
        'Needs no credential headers. Returns all bytes or a single range. The URL is valid until it expires, the key that created it is revoked or the person who created it is no longer a member, or the object is trashed.',
      security: [],
      parameters: [inPath('token', 'The last part of the `url` that was created.')],
      responses: {
        200: { description: 'OK' },
        206: { description: 'Partial Content' },
        304: { description: 'Not modified: the client has the current bytes.' },
        403: problemAnswer(
          'Forbidden: `signed_url_invalid`, `signed_url_expired`, `policy_denied`.',
        ),
        409: problemAnswer(
          'Conflict: `state_conflict`. `retryable` is true while the delivery is being prepared.',
        ),
        416: problemAnswer('Range Not Satisfiable: `range_not_satisfiable`.'),
        429: problemAnswer(
          `Too Many Requests: \`rate_limited\`. The maximum number of concurrent downloads is ${max.URL} per URL, ${max.address} per IP address and ${max.key} per key.`,
        ),
      },
    },
  },
};
