import type { Middleware } from 'koa';
import { Histogram, type Registry } from 'prom-client';

/** Counts and times requests by operation and status; both have few values. */
export function countRequests(registry: Registry): Middleware {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return async (ctx, next) => {
    const stop = seconds.startTimer();
    ctx.res.once('close', () => {
      stop({ operation: ctx.state.operation ?? 'none', status: ctx.res.statusCode });
    });
    await next();
  };
}
