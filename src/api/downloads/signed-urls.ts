import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from 'koa';
import { clientAddress, networkOf } from '../../access/addresses.ts';
import { authenticateSigned } from '../../access/authenticate.ts';
import type { NoteDenial } from '../../access/denials.ts';
import type { Shares } from '../../access/shares.ts';
import type { Signer } from '../../access/signer.ts';
import { Problem } from '../../contracts/problems.ts';
import { grants } from '../../contracts/scopes.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { findDeliverable } from '../../library/objects/signed.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { departure, requirePresence, whenOver } from '../connections/presence.ts';
import type { ApiSettings, Deps } from '../deps.ts';
import { occupy } from '../frame/admit.ts';
import { sendReply } from '../frame/send.ts';
import { deliver } from './deliver.ts';

/**
 * URLs that carry their own right to one object's bytes: `/s/<token>`, outside `/v1` and without its
 * headers. The token names what it is good for under a MAC; nothing is stored about it.
 */

const prefix = '/s/';
const purpose = 'signed_url';
/**
 * At most so many at once: of one URL, from one network, and for all URLs of one key. Nobody who has
 * a single URL, or sits at a single address, can use up what the key has.
 */
const most = { URL: 32, address: 64, key: 256 };
/** What a browser may show in place: nothing of it runs, and the answer's policy sees to that, too. */
const shown =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff)|application\/pdf|text\/plain|audio\/.*|video\/.*)$/;

/** What a token is good for. */
interface SignedRight {
  projectId: string;
  objectId: string;
  keyId: string;
  /** Which bytes: the object's own. */
  variant: 'original';
  disposition: 'attachment' | 'inline';
  /** Seconds since 1970. */
  until: number;
  /** For how long it was made, which policies may limit after that, too. */
  ttlSeconds: number;
}

/** The path of a signed URL. */
export function signedPath(signer: Signer, right: SignedRight): string {
  const { projectId, objectId, keyId, variant, disposition, until, ttlSeconds } = right;
  const parts = [projectId, objectId, keyId, variant, disposition, until, ttlSeconds];
  const payload = JSON.stringify(parts);
  return prefix + signer.sign(purpose, payload);
}

/** Where this service is reached: its setting, else what the request says; empty when neither does. */
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

/** Answers `/s/…`. No token is ever logged: the logs have operations, not paths. */
export function createSignedUrls(deps: Deps, shares: Shares, noteDenial: NoteDenial): Middleware {
  const places = () => new Map<string, number>();
  const open = { URL: places(), address: places(), key: places() };
  return async (ctx, next) => {
    if (!ctx.path.startsWith(prefix)) return next();
    ctx.state.operation = 'useSignedUrl';
    ctx.set('Referrer-Policy', 'no-referrer');
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw new Problem('method_not_allowed', 'This path answers GET, HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    }
    const token = ctx.path.slice(prefix.length);
    const right = readRight(deps.signer, token);
    ctx.state.keyId = right.keyId;
    const address = clientAddress(
      ctx.req.socket.remoteAddress,
      ctx.get('X-Forwarded-For'),
      deps.settings.trustProxy,
    );
    const ids = { address: networkOf(address), URL: token, key: right.keyId };
    for (const holder of ['address', 'URL', 'key'] as const) {
      const inAll = Number.POSITIVE_INFINITY;
      whenOver(ctx.res, occupy(open[holder], ids[holder], most[holder], inAll, holder));
    }
    const origin = {
      projectId: right.projectId,
      actor: { type: 'api_key' as const, id: right.keyId },
      address,
      requestId: String(ctx.state.requestId),
    };
    const party = { project: right.projectId, key: right.keyId };
    const inProject = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      shares.during(party, 'quick', () =>
        inTransaction(deps.database, async (tx) => {
          const scopes = await authenticateSigned(tx, right.projectId, right.keyId);
          if (!scopes || !grants(scopes, 'objects:download')) throw invalidUrl();
          return work(tx);
        }),
      );
    const delivery = await inProject((tx) =>
      findDeliverable(tx, origin, right.objectId, right.ttlSeconds),
    ).catch(async (error: unknown) => {
      if (error instanceof PolicyDenied) {
        await noteDenial(origin, error, 'useSignedUrl').catch((reason: unknown) => {
          deps.logger.error({ err: reason }, 'a refusal could not be recorded');
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
    // Pages of others are who such a URL is made for.
    const headers = { ...reply.headers, 'Cross-Origin-Resource-Policy': 'cross-origin' };
    sendReply(ctx, { ...reply, headers });
  };
}

/** @throws Problem 403, the same for all that we did not sign; another for what is over */
function readRight(signer: Signer, token: string): SignedRight {
  const payload = signer.verify(purpose, token);
  if (payload === null) throw invalidUrl();
  // Only what we signed comes so far.
  const [projectId, objectId, keyId, variant, disposition, until, ttlSeconds] = JSON.parse(
    payload,
  ) as [string, string, string, SignedRight['variant'], SignedRight['disposition'], number, number];
  if (until * 1_000 <= Date.now()) {
    throw new Problem('signed_url_expired', 'This URL has expired. Ask for a new one.');
  }
  return { projectId, objectId, keyId, variant, disposition, until, ttlSeconds };
}

function invalidUrl(): Problem {
  return new Problem('signed_url_invalid', 'This URL is not valid, or no longer valid.');
}

const problemAnswer = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** The path in the OpenAPI document. */
export const signedUrlPaths = {
  '/s/{token}': {
    get: {
      operationId: 'useSignedUrl',
      tags: ['Objects'],
      summary: 'Download the bytes of an object by a URL that was signed for it.',
      description:
        'Needs neither of the two headers. Whole, or one range. The URL ends with its time, with the key that signed it, and with the object.',
      security: [],
      parameters: [{ name: 'token', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: { description: 'OK' },
        206: { description: 'Partial Content' },
        304: { description: 'The client has these bytes already.' },
        403: problemAnswer(
          'Forbidden: `signed_url_invalid`, `signed_url_expired`, `policy_denied`.',
        ),
        409: problemAnswer('Conflict: `state_conflict`; `retryable` while it is made ready.'),
        416: problemAnswer('Range Not Satisfiable: `range_not_satisfiable`.'),
        429: problemAnswer(
          `Too Many Requests: \`rate_limited\`. A URL may have ${most.URL} downloads open at once, an address ${most.address}, all URLs of a key ${most.key}.`,
        ),
      },
    },
  },
};
