import { limits } from '@scriptorium/contracts/limits';
import { invalidParameter, notFound, Problem } from '@scriptorium/contracts/problems';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import type { Context } from 'koa';
import {
  type Admission,
  authenticate,
  type ClaimedKey,
  type Credentials,
  type Identity,
} from '../../access/authenticate.ts';
import type { NoteDenial } from '../../access/denials.ts';
import type { RateStanding } from '../../access/rate-limits.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Cause } from '../../outbox/record.ts';
import { type ClientLimits, smallBodyBytes } from '../connections/limits.ts';
import { requirePresence, whenOver } from '../connections/responses.ts';
import type { Deps } from '../deps.ts';
import { announcedBytes, incomingBody, type RawBody } from '../requests/body.ts';
import { requestOrigin, requireAddress, requireScopes } from './admit.ts';
import { prefetch } from './login-prefetch/prefetch.ts';
import type { Reply } from './reply.ts';
import type { Ahead, InProject, ReplayedReply, Route } from './route.ts';
import { type Checks, nounOf, onlyReads, paramNames, workOf } from './route-facts.ts';

/** The dependencies of serving routes. */
export interface Frame {
  deps: Deps;
  noteDenial: NoteDenial;
  transactions: RequestTransactions;
  batches: RequestBatches;
  clientLimits: ClientLimits;
  /** The memory budgets of JSON bodies. */
  bodies: { ofStrangers: Room; ofKeys: Room };
  /** Reads the credentials of a request: the two headers, or the portal session. */
  credentialsOf: (ctx: Context) => Credentials;
}

/** One request and its state. */
export interface Exchange {
  ctx: Context;
  route: Route;
  frame: Frame;
  checks: Checks;
  params: Record<string, string>;
  credentials: Credentials;
  address: string | null;
  requestId: string;
  /** The cause of the changes in its transactions. */
  cause: Cause;
  identity?: Identity;
  standing?: RateStanding;
}

/** The cause of the changes made by a request. */
export function causeOfRequest(ctx: Context): Cause {
  const { requestId, traceParent } = ctx.state;
  return {
    requestId: String(requestId),
    traceParent: typeof traceParent === 'string' ? traceParent : null,
  };
}

/** Opens the transactions of requests, each at its project's turn. */
export interface RequestTransactions {
  /** Runs `work` in a transaction, and retries it if it loses a race. */
  transact<T>(exchange: Exchange, kind: WorkClass, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for read-only work, without an explicit transaction (`inReadTransaction`). */
  read<T>(exchange: Exchange, kind: WorkClass, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The project of the key of a request. Logs in if the key is new to this process. */
  projectOf(exchange: Exchange): Promise<string>;
  /** A key as of its last login. It may have changed since. */
  lastSeen(credentials: Credentials): Identity | undefined;
}

/** The queries that were sent with the login. */
export interface Asked {
  admission: Promise<{ identity: Admission['identity']; key: ClaimedKey | null }>;
  ahead: Ahead | null;
}

/** A request that may share its transaction. */
export interface SharedRequest {
  exchange: Exchange;
  /** Its Idempotency-Key. */
  value: string | null;
  ahead(tx: Tx): Ahead | null;
  /** The work in the transaction, after the queries of `asked`. */
  answer(tx: Tx, asked: Asked): Promise<Reply | ReplayedReply>;
  /** The same in a separate transaction. */
  alone(): Promise<Reply | ReplayedReply>;
}

export interface RequestBatches {
  answer(member: SharedRequest): Promise<Reply | ReplayedReply>;
}

/** The default maximum of concurrent long requests per key and route. */
export const maxPerKey = 16;

/** The parts of a call that all handlers receive. */
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

/**
 * Reads the body of a request. A small body that arrives with the headers is read before login, so
 * that one transaction suffices for login and work; its memory is limited per IP address. For other
 * bodies `login` runs first. No transaction is open while waiting for bytes.
 * @throws Problem from `login`, 400 or 408 for an incomplete body, 429 without memory
 */
export async function receiveBody(
  exchange: Exchange,
  login: () => Promise<Identity>,
): Promise<RawBody> {
  const { ctx, frame, address } = exchange;
  const announced = announcedBytes(ctx.req);
  if (announced === 0) return { bytes: Buffer.alloc(0), tooLarge: false };
  const body = incomingBody(ctx.req, ctx.res);
  const isSmall = announced !== null && announced <= smallBodyBytes;
  if (isSmall && ctx.req.headers.expect === undefined) {
    const release = frame.bodies.ofStrangers.take(address ?? '', announced);
    const early = release && (await body.within(frame.clientLimits.smallBodyMs));
    if (release && early) {
      whenOver(ctx.res, release);
      return early;
    }
    release?.();
  }
  try {
    const { caller } = await login();
    requirePresence(ctx.res);
    const max = limits.json_body_bytes;
    const release = frame.bodies.ofKeys.take(caller.id, Math.min(announced ?? max, max));
    if (!release) {
      const detail = 'Too many request bodies are in progress. Retry in a moment.';
      throw new Problem('rate_limited', detail, { headers: { 'Retry-After': '1' } });
    }
    whenOver(ctx.res, release);
    return await body.rest(frame.clientLimits);
  } finally {
    body.drop();
  }
}

/** A memory budget with a total limit and a limit per owner. */
export interface Room {
  /** Reserves memory; returns the function that releases it, or null if there is not enough. */
  take(owner: string, bytes: number): (() => void) | null;
  /** The total reserved memory. */
  taken(): number;
}

export function createRoom({ inAll, forEach }: { inAll: number; forEach: number }): Room {
  const takenBy = new Map<string, number>();
  let total = 0;
  return {
    taken: () => total,
    take(owner, bytes) {
      const own = takenBy.get(owner) ?? 0;
      if (own + bytes > forEach || total + bytes > inAll) return null;
      takenBy.set(owner, own + bytes);
      total += bytes;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        total -= bytes;
        const left = (takenBy.get(owner) ?? bytes) - bytes;
        if (left > 0) takenBy.set(owner, left);
        else takenBy.delete(owner);
      };
    },
  };
}
