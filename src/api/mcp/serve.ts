import { Problem } from '@scriptorium/contracts/problems';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import type { Deps } from '../deps.ts';
import type { Route } from '../frame/route.ts';
import { apiDocument } from '../openapi/api-document.ts';
import { createIncomingBody, requireJson } from '../requests/body.ts';
import { createRouteCaller, type RouteResponse } from './call-route.ts';
import { RpcError, type RpcMessage, readMessage, rpcError, rpcResult } from './json-rpc.ts';
import { type McpCaller, protocolVersions, runMethod } from './methods.ts';
import { type Tool, toolsOf } from './tool-schemas.ts';
import type { ToolName } from './tools.ts';

const path = '/mcp';
/** The time limits of a body, as of the routes. */
const bodyTimes = { bodyMs: 30_000, bodyIdleMs: 10_000 };

/**
 * `POST /mcp`: the Model Context Protocol over Streamable HTTP, without sessions and streams. Every
 * message carries the credentials of the API, and tools call its routes with them.
 */
export function createMcp(app: Koa, deps: Deps, routes: readonly Route[]): Middleware {
  const callerOf = createRouteCaller(app);
  // Read on the first request.
  let tools: ReadonlyMap<ToolName, Tool> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== path) return next();
    ctx.state.operation = 'mcp';
    rejectOtherOrigin(ctx, deps.settings);
    if (ctx.method !== 'POST') {
      throw new Problem('method_not_allowed', 'The method must be POST: there are no sessions.', {
        headers: { Allow: 'POST' },
      });
    }
    requireVersion(ctx);
    const callRoute = callerOf(ctx.req, String(ctx.state.requestId));
    // Before the body is read.
    const own = await callRoute({ method: 'GET', url: '/v1/keys/self' });
    if (own.status !== 200) return passOn(ctx, own);
    const { scopes } = JSON.parse(own.bytes.toString('utf8')) as { scopes: McpCaller['scopes'] };
    requireJson(ctx.req, ctx.method);
    const raw = await createIncomingBody(ctx.req, ctx.res).readRest(bodyTimes);
    if (raw.tooLarge) throw new Problem('payload_too_large', 'The message is too large.');
    ctx.set('Content-Type', 'application/json');
    let message: RpcMessage;
    try {
      message = readMessage(raw.bytes.toString('utf8'));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      ctx.status = 400;
      ctx.body = rpcError(null, error);
      return;
    }
    const { id, method, params } = message;
    // A notification, or a response: nothing is waiting for either.
    if (id === null || method === null) {
      ctx.body = null;
      ctx.status = 202;
      return;
    }
    tools ??= toolsOf(apiDocument(routes));
    try {
      ctx.body = rpcResult(id, await runMethod(method, params, { scopes, callRoute }, tools));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      ctx.body = rpcError(id, error);
    }
    ctx.status = 200;
  };
}

/**
 * Rejects pages of other origins. The Host header proves nothing: a page can make its own name
 * resolve to this service (DNS rebinding).
 * @throws Problem 403
 */
function rejectOtherOrigin(
  ctx: Context,
  { publicUrl, corsOrigins }: Pick<Deps['settings'], 'publicUrl' | 'corsOrigins'>,
): void {
  const origin = ctx.get('Origin');
  if (origin === '' || corsOrigins.includes(origin)) return;
  if (publicUrl !== null ? origin === new URL(publicUrl).origin : isLoopback(origin)) return;
  throw new Problem('origin_not_allowed', 'Requests from pages of this origin are not allowed.');
}

const isLoopback = (origin: string): boolean =>
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(origin);

/** @throws Problem 400 for a revision that is not spoken */
function requireVersion(ctx: Context): void {
  const version = ctx.get('MCP-Protocol-Version');
  if (version === '' || protocolVersions.some((one) => one === version)) return;
  const detail = `MCP-Protocol-Version must be one of: ${protocolVersions.join(', ')}.`;
  throw new Problem('malformed_request', detail, {
    errors: [{ header: 'MCP-Protocol-Version', code: 'malformed_request', detail }],
  });
}

/** Returns the problem of a route as that of this request. */
function passOn(ctx: Context, { status, headers, bytes }: RouteResponse): void {
  for (const name of [
    'content-type',
    'www-authenticate',
    'retry-after',
    'ratelimit',
    'ratelimit-policy',
  ]) {
    const value = headers[name];
    if (value !== undefined) ctx.set(name, value);
  }
  ctx.body = bytes;
  ctx.status = status;
}
