import type { Context } from 'koa';
import type { Cause } from '../../outbox/cause.ts';
import type { Span, Tracing } from '../../tracing.ts';

/** The paths that get a span, unlike health checks, metrics and pages. */
const traced = /^\/(v1|s|portal\/api)\//;

/** Starts the span of a request in the trace of its `traceparent`. Null if it is not traced. */
export function startRequestSpan(tracing: Tracing, ctx: Context): Span | null {
  if (!tracing.on || !traced.test(ctx.path)) return null;
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
export function endRequestSpan(ctx: Context, span: Span | null): void {
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

/** The cause of what a request changes. */
export function causeOfRequest(ctx: Context): Cause {
  const { requestId, traceParent } = ctx.state;
  return {
    requestId: String(requestId),
    traceParent: typeof traceParent === 'string' ? traceParent : null,
  };
}
