import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
} from 'node:zlib';
import { remember } from '@scriptorium/contracts/helpers/remember';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import { onceClosed } from '../../connections/responses.ts';
import type { Exchange } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { Route } from '../route.ts';
import { rateOf } from '../route-properties.ts';
import { isKnownEtag } from './preconditions.ts';
import { endWithProblem, toProblem } from './problem.ts';

/** Checks that the client accepts a media type of the route (RFC 9110 §12.5.1). */
export function negotiate(ctx: Context, route: Route): void {
  const offers = route.produces ?? ['application/json', 'application/problem+json'];
  const accepted = ctx.req.headers.accept;
  // Common values are not parsed.
  if (accepted === undefined || accepted === '*/*' || offers.includes(accepted)) return;
  if (offers.length === 0 || accepted === '' || ctx.accepts([...offers])) return;
  const expected = (route.produces ?? offers.slice(0, 1)).join(' or ');
  throw new Problem('not_acceptable', `The Accept header must allow ${expected}.`);
}

/** Serialises the body of a reply; streams and empty bodies stay unchanged. */
export function serialise(exchange: Exchange, reply: Reply): Reply {
  if (reply.body === null || reply.body instanceof Readable) return reply;
  const text = JSON.stringify(reply.body);
  const { checks, route } = exchange;
  const fault = checks.responses.get(reply.status)?.(JSON.parse(text));
  if (fault) throw new Error(`${route.operationId} returned an invalid ${reply.status}: ${fault}`);
  return { ...reply, body: text };
}

/**
 * Sends a reply. A read that returns 304 is not counted, unless If-None-Match is `*`, which does not
 * prove that the client has the resource.
 */
export function sendRouteReply(exchange: Exchange, reply: Reply): void {
  const { ctx, frame, identity, route, standing } = exchange;
  const outcome = sendReply(ctx, reply, { mayBeKnown: !route.volatile });
  if (outcome !== 'known' || ctx.get('If-None-Match').trim() === '*') return;
  if (identity && standing && rateOf(route) === 'read') {
    frame.deps.rateLimits.discount(identity.caller.id, 'read');
  }
}

/** Sends a serialised reply; returns `known` if it became a 304. */
export function sendReply(
  ctx: Context,
  reply: Reply,
  { mayBeKnown = true } = {},
): 'sent' | 'known' {
  for (const [name, value] of Object.entries(reply.headers)) setHeader(ctx, name, value);
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (
    isRead &&
    mayBeKnown &&
    isKnownEtag(ctx.get('If-None-Match') || undefined, reply.headers.ETag)
  ) {
    if (reply.body instanceof Readable) reply.body.destroy();
    ctx.status = 304;
    return 'known';
  }
  ctx.status = reply.status;
  if (reply.body === null || reply.body === '') {
    ctx.body = null;
    ctx.status = reply.status;
    return 'sent';
  }
  if (reply.body instanceof Readable) {
    const { body } = reply;
    onceClosed(ctx.res, () => body.destroy());
    body.once('error', (error: unknown) => {
      const problem = ctx.res.headersSent ? null : toProblem(error);
      // An incomplete body must not look complete.
      if (problem === null) ctx.res.destroy();
      else endWithProblem(ctx, problem);
    });
    const type = ctx.response.get('Content-Type');
    ctx.body = body;
    if (type) ctx.set('Content-Type', type);
    return 'sent';
  }
  // Set first, because Koa would guess it from the text.
  setHeader(ctx, 'Content-Type', 'application/json');
  ctx.body = reply.body;
  return 'sent';
}

/** A faster `ctx.set` for a single value; does nothing once the headers were sent. */
function setHeader(ctx: Context, name: string, value: string): void {
  if (!ctx.res.headersSent) ctx.res.setHeader(name, value);
}

type Coding = 'br' | 'gzip';

/** The minimum length. Shorter bodies fit into a packet uncompressed. */
const minCompressedBytes = 1_400;
/** Higher qualities take several times the CPU time and save little. */
const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const brotliBuffer = promisify(brotliCompress);
const gzipBuffer = promisify<Buffer, Buffer>(gzip);

/**
 * Sets which bodies `compressResponse` may compress. Responses with a secret are never compressed,
 * because the length would leak information about it (BREACH).
 */
export function planCompression(ctx: Context, route: Route): void {
  if (route.secretResponse) ctx.state.compression = 'never';
  else if (route.compressStream) ctx.state.compression = 'streams';
}

/**
 * Compresses JSON responses, problems included, and streams of routes that declare it, according to
 * `Accept-Encoding`. Bytes of objects, archives and event streams are not compressed. The ETag is
 * the same for every coding, although RFC 9110 §8.8.3 requires strong ETags to differ: it
 * identifies the version of the resource for If-Match. This is harmless, since these responses have
 * no ranges and are not cached.
 */
export function compressResponse(ctx: Context): Promise<void> | undefined {
  const { body, res } = ctx;
  const plan: unknown = ctx.state.compression;
  if (ctx.respond === false || res.headersSent || plan === 'never') return;
  if (res.hasHeader('Content-Encoding')) return;
  if (typeof body === 'string' && isJson(ctx.response.get('Content-Type'))) {
    const isLong = Buffer.byteLength(body) >= minCompressedBytes;
    const { coding, plainAllowed } = chooseCachedCoding(ctx.get('Accept-Encoding'));
    const isPlain = coding === null || (!isLong && plainAllowed);
    if (isLong || !isPlain) ctx.vary('Accept-Encoding');
    return isPlain ? undefined : compressText(ctx, body, coding);
  }
  if (body instanceof Readable && plan === 'streams') {
    ctx.vary('Accept-Encoding');
    const { coding } = chooseCoding(ctx.get('Accept-Encoding'));
    if (coding === null) return;
    ctx.set('Content-Encoding', coding);
    if (ctx.method !== 'HEAD') compressStream(ctx, body, coding);
  }
}

function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/(problem\+)?json\b/.test(type);
}

async function compressText(ctx: Context, text: string, coding: Coding): Promise<void> {
  const bytes = Buffer.from(text);
  ctx.set('Content-Encoding', coding);
  ctx.body = await (coding === 'br' ? brotliBuffer(bytes, brotliOptions) : gzipBuffer(bytes));
}

/**
 * Flushes every write, so that clients receive it immediately. If `body` fails, its owner aborts the
 * connection, so an incomplete body never looks complete.
 */
function compressStream(ctx: Context, body: Readable, coding: Coding): void {
  const compressor =
    coding === 'br'
      ? createBrotliCompress({ ...brotliOptions, flush: constants.BROTLI_OPERATION_FLUSH })
      : createGzip({ flush: constants.Z_SYNC_FLUSH });
  onceClosed(ctx.res, () => compressor.destroy());
  ctx.body = body.pipe(compressor);
}

/** `chooseCoding` with a cache: clients send few different values. */
const chooseCachedCoding = remember(chooseCoding);

/**
 * The preferred coding of an `Accept-Encoding` (RFC 9110 §12.5.3): br in a tie, null for none.
 * `plainAllowed` is true if the uncompressed body is acceptable.
 */
export function chooseCoding(header: string): { coding: Coding | null; plainAllowed: boolean } {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (name === '') continue;
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const weight = q === undefined ? 1 : Number(q.replace(/^q\s*=\s*/, '') || Number.NaN);
    // An invalid weight counts as 0.
    weights.set(name, weight >= 0 && weight <= 1 ? weight : 0);
  }
  const wildcardWeight = weights.get('*');
  const identityWeight = weights.get('identity') ?? (wildcardWeight === 0 ? 0 : undefined);
  const brotliWeight = weights.get('br') ?? wildcardWeight ?? 0;
  const gzipWeight = weights.get('gzip') ?? wildcardWeight ?? 0;
  const bestWeight = Math.max(brotliWeight, gzipWeight);
  const coding =
    bestWeight === 0 || bestWeight < (identityWeight ?? 0)
      ? null
      : brotliWeight === bestWeight
        ? 'br'
        : 'gzip';
  return { coding, plainAllowed: identityWeight !== 0 };
}
