import { newId } from '@scriptorium/contracts/ids';
import { Problem } from '@scriptorium/contracts/problems';
import Koa, { type Context } from 'koa';
import { createDenialRecorder } from '../access/denials.ts';
import { createFairQueue } from '../access/fair-queue.ts';
import { connectionsOf, type Database } from '../db/database.ts';
import { type Span, type Tracing, traceFields } from '../tracing.ts';
import { basePathOf, createBasePathMiddleware } from './base-path.ts';
import {
  bodyMemoryAfterLogin,
  bodyMemoryBeforeLogin,
  type ClientLimits,
  clientLimits,
} from './connections/limits.ts';
import type { Deps } from './deps.ts';
import { createDocs } from './docs/mount.ts';
import { createSignedUrls } from './downloads/signed-urls.ts';
import { createMemoryBudget } from './frame/exchange.ts';
import { createRequestBatches } from './frame/request-batching/batches.ts';
import { createRequestTransactions } from './frame/request-transactions.ts';
import { toProblem, writeProblem } from './frame/responses/problem.ts';
import { compressResponse } from './frame/responses/send.ts';
import type { Route } from './frame/route.ts';
import { createRateHeaders, createRouter, createUnknownPathHandler } from './frame/router.ts';
import { createMcp } from './mcp/serve.ts';
import { createHealth } from './operator/health.ts';
import { countRequests, registerPipelineGauges } from './operator/metrics.ts';
import { mountOperator } from './operator/operator.ts';
import { serveRoot } from './operator/root.ts';
import { createCredentialsReader, rewritePortalPaths, servePortal } from './portal/mount.ts';
import { portalRoutes } from './portal/routes.ts';
import { createPortalSessions } from './portal/session.ts';
import { createSignIn } from './portal/sign-in/sign-in.ts';
import { rejectAmbiguousRequest } from './requests/headers.ts';
import { allowOrigins } from './requests/origins.ts';
import { routes } from './routes/index.ts';
import { createShareLinks } from './shares/serve.ts';
import { addTusVersion, overrideMethod } from './uploads/tus-middleware.ts';
import { createVerifyPage } from './verify/serve.ts';

/** The API as a Koa application. `listen` binds it to a port. */
export function createApp(
  deps: Deps,
  servedRoutes: readonly Route[] = routes,
  connectionLimits: ClientLimits = clientLimits,
): Koa {
  const app = new Koa({ proxy: deps.settings.trustProxy });
  // Errors after the headers were sent: the connection can only be aborted.
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return;
    if (error instanceof Problem) {
      deps.logger.info({ code: error.code }, 'response aborted');
      return;
    }
    // A failed source reports its error separately, so the client disconnected.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') {
      deps.logger.info('client disconnected before the response was complete');
      return;
    }
    deps.logger.error({ err: error }, 'response failed');
  });
  app.use(async (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    const requestId = /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : newId('request');
    ctx.state.requestId = requestId;
    ctx.res.setHeader('X-Request-Id', requestId);
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    ctx.res.setHeader('Cache-Control', 'no-store');
    const started = performance.now();
    const span = startRequestSpan(deps.tracing, ctx);
    try {
      rejectAmbiguousRequest(ctx.req);
      await next();
    } catch (error) {
      let problem = toProblem(error);
      if (problem === null) {
        deps.logger.error({ err: error, request_id: requestId }, 'request failed');
        problem = new Problem(
          'internal_error',
          'An internal error occurred. Report the `request_id` to the operator.',
        );
      } else if (problem.status >= 500) {
        deps.logger.warn(
          { err: error, request_id: requestId },
          'request failed: service unavailable',
        );
      }
      if (ctx.res.headersSent) ctx.res.destroy();
      else writeProblem(ctx, problem, requestId);
    }
    const compression = compressResponse(ctx);
    if (compression) await compression;
    endRequestSpan(ctx, span);
    deps.logger.info(
      {
        method: ctx.method,
        operation: ctx.state.operation,
        status: ctx.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        request_id: requestId,
        key_id: ctx.state.keyId,
        user_id: ctx.state.userId,
        project_id: ctx.state.projectId,
        ...traceFields(span),
      },
      'request',
    );
  });
  const basePath = basePathOf(deps.settings.publicUrl);
  if (basePath !== '') app.use(createBasePathMiddleware(basePath));
  app.use(countRequests(deps));
  registerPipelineGauges(deps);
  if (deps.settings.corsOrigins.length > 0) app.use(allowOrigins(deps.settings.corsOrigins));
  app.use(rewritePortalPaths);
  app.use(addTusVersion);
  app.use(overrideMethod);
  const fairQueue = createFairQueue(countRequestConnections(deps.database));
  const transactions = createRequestTransactions(fairQueue);
  const noteDenial = createDenialRecorder(deps.database, fairQueue);
  const sessions = createPortalSessions(deps.seal, deps.signer);
  const allRoutes = [...servedRoutes, ...portalRoutes(sessions)];
  const frame = {
    deps,
    noteDenial,
    transactions,
    batches: createRequestBatches(transactions),
    credentialsOf: createCredentialsReader(sessions),
    clientLimits: connectionLimits,
    bodyMemory: {
      beforeLogin: createMemoryBudget(bodyMemoryBeforeLogin),
      afterLogin: createMemoryBudget(bodyMemoryAfterLogin),
    },
  };
  const route = createRouter(allRoutes, frame);
  const rejectUnknownPath = createUnknownPathHandler(allRoutes);
  const addRateHeaders = createRateHeaders(frame);
  // The middleware below is skipped for speed: only routes handle `/v1`.
  app.use((ctx, next) =>
    ctx.path.startsWith('/v1/')
      ? addRateHeaders(ctx, () => route(ctx, () => rejectUnknownPath(ctx)))
      : next(),
  );
  app.use(createMcp(app, deps, fairQueue, servedRoutes));
  app.use(createHealth(deps));
  app.use(serveRoot);
  app.use(createDocs(servedRoutes, basePath));
  mountOperator(app, deps);
  app.use(createSignedUrls(deps, fairQueue, noteDenial));
  app.use(createShareLinks(deps, fairQueue, noteDenial));
  app.use(createVerifyPage(deps, fairQueue));
  app.use(createSignIn(deps, sessions));
  app.use(servePortal(basePath));
  app.use(route);
  app.use(rejectUnknownPath);
  return app;
}

/** The number of connections for requests. The others are reserved for health and metrics. */
function countRequestConnections(database: Database): number {
  const all = connectionsOf(database);
  return all - (all >= 4 ? 2 : Math.min(1, all - 1));
}

/** Traced paths. Health checks, metrics and pages are not traced. */
const tracedPaths = /^\/(mcp(\/|$)|(v1|s|portal\/api)\/)/;

/** Starts the span of a request in the trace of its `traceparent`. Null if it is not traced. */
function startRequestSpan(tracing: Tracing, ctx: Context): Span | null {
  if (!tracing.isEnabled || !tracedPaths.test(ctx.path)) return null;
  const span = tracing.start(ctx.method, {
    kind: 'server',
    parent: ctx.get('traceparent') || null,
    attributes: {
      'http.request.method': ctx.method,
      'url.scheme': ctx.protocol,
      'scriptorium.request_id': String(ctx.state.requestId),
    },
  });
  ctx.state.traceParent = span.traceParent;
  return span;
}

/** Ends the span with the outcome. The path is that of the route, without identifiers. */
function endRequestSpan(ctx: Context, span: Span | null): void {
  if (!span) return;
  const { route, operation, keyId, userId, projectId } = ctx.state;
  if (typeof route === 'string') span.rename(`${ctx.method} ${route}`);
  span.set({
    'http.route': route,
    'http.response.status_code': ctx.status,
    'scriptorium.operation': operation,
    'scriptorium.key_id': keyId,
    'scriptorium.user_id': userId,
    'scriptorium.project_id': projectId,
  });
  if (ctx.status >= 500) span.fail(String(ctx.status));
  span.end();
}
