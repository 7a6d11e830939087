import type { Identity } from '../../access/authenticate.ts';
import { claimIdempotencyKey, fingerprintOf } from '../../access/idempotency.ts';
import type { Tx } from '../../db/transaction.ts';
import { disconnectSignal, onceClosed, requireConnected } from '../connections/responses.ts';
import { sendContinue } from '../requests/body.ts';
import { admitRequest, takeSlot } from './admit.ts';
import {
  createHandlerCall,
  defaultConcurrency,
  type Exchange,
  inProjectOf,
  loadResource,
  readQuery,
} from './exchange.ts';
import { prefetch } from './login-prefetch/prefetch.ts';
import { claimOf, findStoredReply, isReplay, storeReply } from './responses/idempotency.ts';
import { sendRouteReply, serialise } from './responses/send.ts';
import type { StreamRoute } from './route.ts';
import { workOf } from './route-properties.ts';

/** Serves a stream route: runs the checks in a transaction, then the handler without one. */
export async function serveStream(
  exchange: Exchange,
  route: StreamRoute,
  runningCounts: Map<string, number>,
): Promise<void> {
  const { ctx, frame } = exchange;
  const checked = await frame.transactions[route.writes ? 'transact' : 'read'](
    exchange,
    workOf(route),
    async (tx) => {
      const loadCall = async (identity: Identity, ownTx: Tx) => {
        const base = createHandlerCall(exchange, identity, readQuery(exchange));
        const load = route.load && (() => route.load!({ ...base, tx: ownTx }));
        return { base, resource: await loadResource(exchange, load) };
      };
      const admission = admitRequest(exchange, tx);
      const prefetched = prefetch(exchange, tx, loadCall);
      try {
        const identity = await admission;
        return await (prefetched?.resume(identity) ?? loadCall(identity, tx));
      } finally {
        prefetched?.cancel();
      }
    },
  );
  const inProject = inProjectOf(exchange);
  requireConnected(ctx.res);
  const release = takeSlot(
    runningCounts,
    checked.base.key.caller.id,
    route.concurrency ?? defaultConcurrency,
  );
  onceClosed(ctx.res, release);
  let signal: AbortSignal | undefined;
  // `Object.assign` below is seven times faster than spreading into a literal.
  const streamCall: Omit<Parameters<StreamRoute['handler']>[0], keyof typeof checked.base> = {
    resource: checked.resource,
    ctx,
    req: ctx.req,
    res: ctx.res,
    // Created lazily: most handlers never use it.
    get signal() {
      signal ??= disconnectSignal(ctx.res);
      return signal;
    },
    readable: () => {
      sendContinue(ctx.req, ctx.res);
      return ctx.req;
    },
    inProject: async (work) => {
      const result = await inProject(work);
      if (route.method !== 'GET') frame.deps.wake();
      return result;
    },
    idempotently: async (tx, fingerprint, effect) => {
      const claim = claimOf(exchange, checked.base.key, () =>
        fingerprintOf(ctx.path, ctx.querystring, fingerprint),
      );
      if (!claim) return effect();
      const stored = findStoredReply(exchange, tx, claim, await claimIdempotencyKey(tx, claim));
      if (stored) return stored;
      const answer = await effect();
      await storeReply(exchange, tx, claim, answer);
      return answer;
    },
  };
  const reply = await route.handler(Object.assign(streamCall, checked.base));
  // The handler has written to the response itself.
  if (ctx.respond === false) return;
  sendRouteReply(exchange, isReplay(reply) ? reply : serialise(exchange, reply));
}
