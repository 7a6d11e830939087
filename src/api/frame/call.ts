import { invalidParameter, notFound } from '@scriptorium/contracts/problems';
import { authenticate, type Identity } from '../../access/authenticate.ts';
import type { Tx } from '../../db/transaction.ts';
import { requireAddress, requireScopes } from './admit.ts';
import { nounOf } from './checks.ts';
import { type Exchange, requestOrigin } from './exchange.ts';
import { prefetch } from './login-prefetch/prefetch.ts';
import type { InProject } from './route.ts';
import { onlyReads, paramNames, workOf } from './route-facts.ts';

/** The default maximum of concurrent long requests per key and route. */
export const maxPerKey = 16;

/** The parts of a call that all handlers get. */
export function handlerCall(
  exchange: Exchange,
  identity: Identity,
  query: Record<string, unknown>,
) {
  const { ctx, frame } = exchange;
  return {
    deps: frame.deps,
    origin: requestOrigin(exchange, identity),
    key: identity,
    params: exchange.params,
    query,
    path: ctx.path,
    search: ctx.querystring,
    headers: ctx.req.headers,
    requestId: exchange.requestId,
  };
}

/** Parses and validates the query. @throws Problem 400 with all faults */
export function readQuery(exchange: Exchange): Record<string, unknown> {
  const { query, faults } = exchange.checks.query(exchange.ctx.querystring);
  if (!faults) return query;
  throw invalidParameter(...faults);
}

/** Checks the path parameters and loads the resource. @throws Problem 404 */
export async function loadResource(
  exchange: Exchange,
  load: (() => Promise<unknown>) | undefined,
): Promise<unknown> {
  exchange.checks.params(exchange.params);
  if (!load) return undefined;
  const resource = await load();
  if (resource !== null && resource !== undefined) return resource;
  const last = paramNames(exchange.route.path).at(-1) ?? '';
  throw notFound(nounOf(exchange.route, last), exchange.params[last] ?? '');
}

/** Opens several transactions, one after the other, for one request. */
export function inProjectOf(exchange: Exchange): InProject {
  const { route, frame, credentials } = exchange;
  return (work) =>
    frame.transactions[onlyReads(route) ? 'read' : 'transact'](
      exchange,
      workOf(route),
      async (tx) => {
        const admission = authenticate(tx, credentials, workOf(route));
        const begin = (identity: Identity, own: Tx) => work(own, identity);
        const early = onlyReads(route) ? prefetch(exchange, tx, begin) : null;
        try {
          const identity = await admission;
          requireAddress(exchange, identity);
          requireScopes(route, identity);
          return await (early?.resume(identity) ?? work(tx, identity));
        } finally {
          early?.cancel();
        }
      },
    );
}
