import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { Problem } from '../../contracts/problems.ts';
import { whenOver } from '../connections/presence.ts';
import type { Exchange } from './exchange.ts';
import { isKnown } from './preconditions.ts';
import type { Reply } from './reply.ts';
import { type Route, rateOf } from './route.ts';

/** Whether the client takes what the route gives (RFC 9110 §12.5.1). */
export function negotiate(ctx: Context, route: Route): void {
  const offers = route.produces ?? ['application/json', 'application/problem+json'];
  const accepted = ctx.req.headers.accept;
  // What nearly all send, which needs no reading.
  if (accepted === undefined || accepted === '*/*' || offers.includes(accepted)) return;
  if (offers.length === 0 || accepted === '' || ctx.accepts([...offers])) return;
  const given = (route.produces ?? offers.slice(0, 1)).join(' or ');
  throw new Problem('not_acceptable', `This answers with ${given}; Accept does not allow it.`);
}

/** A reply with its body as text; streams and no body stay what they are. */
export function render(exchange: Exchange, reply: Reply): Reply {
  if (reply.body === null || reply.body instanceof Readable) return reply;
  const text = JSON.stringify(reply.body);
  const { checks, route } = exchange;
  const wrong = checks.answers.get(reply.status)?.(JSON.parse(text));
  if (wrong) throw new Error(`${route.operationId} answers ${reply.status} wrongly: ${wrong}`);
  return { ...reply, body: text };
}

/**
 * Sends a reply, and discounts a read that told the client nothing new. `*` is no sign of that: it
 * says nothing of what the client has.
 */
export function send(exchange: Exchange, reply: Reply): void {
  const { ctx, frame, identity, route, standing } = exchange;
  const sent = sendReply(ctx, reply, { mayBeKnown: !route.volatile });
  if (sent !== 'known' || ctx.get('If-None-Match').trim() === '*') return;
  if (identity && standing && rateOf(route) === 'read') {
    frame.deps.rateLimits.discount(identity.keyId, 'read');
  }
}

/** Sends a reply whose body is text, a stream or nothing: `known` when it became a 304. */
export function sendReply(
  ctx: Context,
  reply: Reply,
  { mayBeKnown = true } = {},
): 'sent' | 'known' {
  for (const [name, value] of Object.entries(reply.headers)) setHeader(ctx, name, value);
  const reads = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (reads && mayBeKnown && isKnown(ctx.get('If-None-Match') || undefined, reply.headers.ETag)) {
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
    whenOver(ctx.res, () => body.destroy());
    // Half a body must look broken, not finished.
    body.once('error', () => ctx.res.destroy());
    const type = ctx.response.get('Content-Type');
    ctx.body = body;
    if (type) ctx.set('Content-Type', type);
    return 'sent';
  }
  // Said first, or Koa would look into the text to guess it.
  setHeader(ctx, 'Content-Type', 'application/json');
  ctx.body = reply.body;
  return 'sent';
}

/** As `ctx.set`, for one header with one value: what is already out stays as it is. */
function setHeader(ctx: Context, name: string, value: string): void {
  if (!ctx.res.headersSent) ctx.res.setHeader(name, value);
}
