import { Problem } from '@scriptorium/contracts/problems';
import { grants, type Scope, scopes } from '@scriptorium/contracts/scopes';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import type { FairQueue } from '../../access/fair-queue.ts';
import type { Deps } from '../deps.ts';
import type { Route } from '../frame/route.ts';
import { apiDocument } from '../openapi/api-document.ts';
import { createIncomingBody, requireJson } from '../requests/body.ts';
import { createRouteCaller, type RouteResponse } from './call-route.ts';
import { RpcError, type RpcMessage, readMessage, rpcError, rpcResult } from './json-rpc.ts';
import { type McpCaller, protocolVersions, runMethod } from './methods.ts';
import { createTokenAdmission } from './oauth/admit-token.ts';
import {
  challenge,
  type McpResource,
  resourceAt,
  resourceMetadata,
  resourceOfMetadata,
  resourceUrl,
} from './oauth/resource.ts';
import { type Tool, toolsOf } from './tool-schemas.ts';
import { isToolName, type ToolName } from './tools.ts';

/** The time limits of a body, as of the routes. */
const bodyTimes = { bodyMs: 30_000, bodyIdleMs: 10_000 };

/**
 * `POST /mcp` and `POST /mcp/{project}`: the Model Context Protocol over Streamable HTTP, without
 * sessions and streams. Every message carries the credentials of the API, or an access token of the
 * identity provider, and tools call its routes with them.
 */
export function createMcp(
  app: Koa,
  deps: Deps,
  fairQueue: FairQueue,
  routes: readonly Route[],
): Middleware {
  const callerOf = createRouteCaller(app);
  const { signIn } = deps.settings;
  const admitToken = signIn ? createTokenAdmission(deps, signIn, fairQueue) : null;
  // Read on the first request.
  let tools: ReadonlyMap<ToolName, Tool> | undefined;
  return async (ctx, next) => {
    const described = signIn && resourceOfMetadata(ctx.path);
    if (described) return serveMetadata(deps, ctx, described, signIn.issuer);
    const resource = resourceAt(ctx.path);
    if (!resource) return next();
    ctx.state.operation = 'mcp';
    rejectOtherOrigin(ctx, deps.settings);
    if (ctx.method !== 'POST') {
      throw new Problem('method_not_allowed', 'The method must be POST: there are no sessions.', {
        headers: { Allow: 'POST' },
      });
    }
    requireVersion(ctx);
    const projectId = resource.projectId ?? undefined;
    // Before the body is read.
    const person = admitToken ? await admitToken(ctx, resource) : null;
    const given = person ? { credentials: person.credentials } : {};
    const callRoute = callerOf(ctx.req, String(ctx.state.requestId), { ...given, projectId });
    let held = person?.scopes;
    if (!held) {
      const own = await callRoute({ method: 'GET', url: '/v1/keys/self' });
      if (own.status === 401 && signIn) {
        own.headers['www-authenticate'] = challenge(deps.settings, ctx, resource);
      }
      if (own.status !== 200) return passOn(ctx, own);
      held = (JSON.parse(own.bytes.toString('utf8')) as Pick<McpCaller, 'scopes'>).scopes;
    }
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
    const called = method === 'tools/call' && isToolName(params.name) && tools.get(params.name);
    if (person && called) requireToolScopes(deps, ctx, resource, called, held);
    try {
      ctx.body = rpcResult(id, await runMethod(method, params, { scopes: held, callRoute }, tools));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      ctx.body = rpcError(id, error);
    }
    ctx.status = 200;
  };
}

/**
 * Tells the client of a person which scopes to ask for.
 * @throws Problem 403 if the access token does not grant the scopes of a tool
 */
function requireToolScopes(
  { settings }: Pick<Deps, 'settings'>,
  ctx: Context,
  resource: McpResource,
  { name, scopes: required }: Tool,
  held: readonly Scope[],
): void {
  const wanted = scopes.filter((scope) => required.includes(scope));
  if (wanted.every((scope) => grants(held, scope))) return;
  const description = `${name} requires the scopes ${wanted.join(', ')}, which the access token or your role does not grant.`;
  const error = {
    code: 'insufficient_scope' as const,
    description,
    scopes: [...new Set([...held, ...wanted])],
  };
  throw new Problem('insufficient_scope', description, {
    headers: { 'WWW-Authenticate': challenge(settings, ctx, resource, error) },
    extra: { required_scopes: wanted },
  });
}

/** Serves the public metadata of an endpoint, also to pages of any origin. */
function serveMetadata(
  { settings }: Pick<Deps, 'settings'>,
  ctx: Context,
  resource: McpResource,
  issuer: string,
): void {
  ctx.state.operation = 'mcpMetadata';
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    throw new Problem('method_not_allowed', 'The method must be one of: GET, HEAD.', {
      headers: { Allow: 'GET, HEAD' },
    });
  }
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(resourceMetadata(resourceUrl(settings, ctx, resource), issuer));
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
