import type { Context } from 'koa';
import { addressOf } from '../requests/headers.ts';
import { causeOfRequest } from '../requests/trace.ts';
import { settleError } from './admit.ts';
import { planCompression } from './answers/compress.ts';
import { negotiate } from './answers/send.ts';
import { maxPerKey } from './call.ts';
import { compileChecks } from './checks.ts';
import type { Exchange, Frame } from './exchange.ts';
import type { Route } from './route.ts';
import { serveJson } from './serve-json.ts';
import { serveStream } from './serve-stream.ts';
import { createSlots } from './slots.ts';

/** The maximum number of requests per route in `prepare` in this process, which projects share. */
const maxPreparing = 64;

/** Makes the function that serves a route. The order of checks is part of the API (docs/api.md). */
export function serve(
  route: Route,
  frame: Frame,
): (ctx: Context, params: Record<string, string>) => Promise<void> {
  const checks = compileChecks(route, frame.deps.settings.checkAnswers);
  const running = new Map<string, number>();
  const ofOne = (route.kind === 'json' ? route.concurrency : undefined) ?? maxPerKey;
  const preparing = createSlots({ inAll: maxPreparing, ofOne });
  return async (ctx, params) => {
    ctx.state.operation = route.operationId;
    ctx.state.route = route.path;
    planCompression(ctx, route);
    negotiate(ctx, route);
    const address = addressOf(frame.deps, ctx);
    const exchange: Omit<Exchange, 'credentials'> = {
      ctx,
      route,
      frame,
      checks,
      params,
      address,
      requestId: String(ctx.state.requestId),
      cause: causeOfRequest(ctx),
    };
    try {
      const credentials = frame.credentialsOf(ctx);
      const full: Exchange = Object.assign(exchange, { credentials });
      if (route.kind === 'json') await serveJson(full, route, preparing);
      else await serveStream(full, route, running);
    } catch (error) {
      throw await settleError(exchange, error);
    }
  };
}
