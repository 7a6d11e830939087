import type { Identity } from '../../access/authenticate.ts';
import { claimIdempotency, fingerprintOf } from '../../access/idempotency.ts';
import type { Tx } from '../../db/transaction.ts';
import { departure, requirePresence, whenOver } from '../connections/responses.ts';
import { allowBody } from '../requests/body.ts';
import { admitRequest, occupy } from './admit.ts';
import { claimOf, isReplay, keep, replay } from './answers/idempotent.ts';
import { render, sendAnswer } from './answers/send.ts';
import {
  type Exchange,
  handlerCall,
  inProjectOf,
  loadResource,
  maxPerKey,
  readQuery,
} from './exchange.ts';
import { prefetch } from './login-prefetch/prefetch.ts';
import type { StreamRoute } from './route.ts';
import { workOf } from './route-facts.ts';

/** Serves a stream route: checks in one transaction, then the handler without one. */
export async function serveStream(
  exchange: Exchange,
  route: StreamRoute,
  running: Map<string, number>,
): Promise<void> {
  const { ctx, frame } = exchange;
  const start = await frame.transactions[route.writes ? 'transact' : 'read'](
    exchange,
    workOf(route),
    async (tx) => {
      const go = async (identity: Identity, own: Tx) => {
        const base = handlerCall(exchange, identity, readQuery(exchange));
        const load = route.load && (() => route.load!({ ...base, tx: own }));
        return { base, resource: await loadResource(exchange, load) };
      };
      const admission = admitRequest(exchange, tx);
      const early = prefetch(exchange, tx, go);
      try {
        const identity = await admission;
        return await (early?.resume(identity) ?? go(identity, tx));
      } finally {
        early?.cancel();
      }
    },
  );
  const inProject = inProjectOf(exchange);
  requirePresence(ctx.res);
  const release = occupy(running, start.base.key.caller.id, route.concurrency ?? maxPerKey);
  whenOver(ctx.res, release);
  let signal: AbortSignal | undefined;
  // `Object.assign` below is seven times faster than spreading into a literal.
  const own: Omit<Parameters<StreamRoute['handler']>[0], keyof typeof start.base> = {
    resource: start.resource,
    ctx,
    req: ctx.req,
    res: ctx.res,
    // Created lazily: most handlers never use it.
    get signal() {
      signal ??= departure(ctx.res);
      return signal;
    },
    readable: () => {
      allowBody(ctx.req, ctx.res);
      return ctx.req;
    },
    inProject: async (work) => {
      const result = await inProject(work);
      if (route.method !== 'GET') frame.deps.wake();
      return result;
    },
    idempotently: async (tx, fingerprint, effect) => {
      const claim = claimOf(exchange, start.base.key, () =>
        fingerprintOf(ctx.path, ctx.querystring, fingerprint),
      );
      if (!claim) return effect();
      const stored = replay(exchange, tx, claim, await claimIdempotency(tx, claim));
      if (stored) return stored;
      const answer = await effect();
      await keep(exchange, tx, claim, answer);
      return answer;
    },
  };
  const reply = await route.handler(Object.assign(own, start.base));
  // The handler has written to the response itself.
  if (ctx.respond === false) return;
  sendAnswer(exchange, isReplay(reply) ? reply : render(exchange, reply));
}
