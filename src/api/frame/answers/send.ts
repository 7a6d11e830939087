import { Readable } from 'node:stream';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import { whenOver } from '../../connections/responses.ts';
import type { Exchange } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { Route } from '../route.ts';
import { rateOf } from '../route-facts.ts';
import { isKnownEtag } from './preconditions.ts';
import { endWithProblem, toProblem } from './problem.ts';

/** Checks that the client accepts what the route produces (RFC 9110 §12.5.1). */
export function negotiate(ctx: Context, route: Route): void {
  const offers = route.produces ?? ['application/json', 'application/problem+json'];
  const accepted = ctx.req.headers.accept;
  // The usual values need no parsing.
  if (accepted === undefined || accepted === '*/*' || offers.includes(accepted)) return;
  if (offers.length === 0 || accepted === '' || ctx.accepts([...offers])) return;
  const given = (route.produces ?? offers.slice(0, 1)).join(' or ');
  throw new Problem('not_acceptable', `The Accept header must allow ${given}.`);
}

/** Serialises the body of a reply; streams and empty bodies stay unchanged. */
export function render(exchange: Exchange, reply: Reply): Reply {
  if (reply.body === null || reply.body instanceof Readable) return reply;
  const text = JSON.stringify(reply.body);
  const { checks, route } = exchange;
  const wrong = checks.answers.get(reply.status)?.(JSON.parse(text));
  if (wrong) throw new Error(`${route.operationId} returned an invalid ${reply.status}: ${wrong}`);
  return { ...reply, body: text };
}

/**
 * Sends a reply, and does not count a read that became a 304, unless If-None-Match is `*`, which
 * says nothing about what the client has.
 */
export function sendAnswer(exchange: Exchange, reply: Reply): void {
  const { ctx, frame, identity, route, standing } = exchange;
  const sent = sendReply(ctx, reply, { mayBeKnown: !route.volatile });
  if (sent !== 'known' || ctx.get('If-None-Match').trim() === '*') return;
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
  const reads = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (
    reads &&
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
    whenOver(ctx.res, () => body.destroy());
    body.once('error', (error: unknown) => {
      const problem = ctx.res.headersSent ? null : toProblem(error);
      // A partial body must not look complete.
      if (problem === null) ctx.res.destroy();
      else endWithProblem(ctx, problem);
    });
    const type = ctx.response.get('Content-Type');
    ctx.body = body;
    if (type) ctx.set('Content-Type', type);
    return 'sent';
  }
  // Set first, or Koa would guess it from the text.
  setHeader(ctx, 'Content-Type', 'application/json');
  ctx.body = reply.body;
  return 'sent';
}

/** A faster `ctx.set` for a single value; does nothing once the headers were sent. */
function setHeader(ctx: Context, name: string, value: string): void {
  if (!ctx.res.headersSent) ctx.res.setHeader(name, value);
}
