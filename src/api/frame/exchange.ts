import { limits } from '@scriptorium/contracts/limits';
import { invalidParameter, notFound, Problem } from '@scriptorium/contracts/problems';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import type { Context } from 'koa';
import {
  type Authentication,
  authenticate,
  type Credentials,
  type IdempotencyKeyState,
  type Identity,
} from '../../access/authenticate.ts';
import type { RecordDenial } from '../../access/denials.ts';
import type { RateLimitStatus } from '../../access/rate-limits.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Cause } from '../../outbox/record.ts';
import { type ClientLimits, smallBodyBytes } from '../connections/limits.ts';
import { onceClosed, requireConnected } from '../connections/responses.ts';
import type { Deps } from '../deps.ts';
import { createIncomingBody, declaredLength, type RawBody } from '../requests/body.ts';
import { requestOrigin, requireAddress, requireScopes } from './admit.ts';
import { prefetch } from './login-prefetch/prefetch.ts';
import type { Reply } from './reply.ts';
import type { EarlyReads, InProject, ReplayedReply, Route } from './route.ts';
import { type Checks, isReadOnlyRoute, nounOf, paramNames, workOf } from './route-properties.ts';

/** The dependencies of the code that serves routes. */
export interface Frame {
  deps: Deps;
  noteDenial: RecordDenial;
  transactions: RequestTransactions;
  batches: RequestBatches;
  clientLimits: ClientLimits;
  /** The memory budgets of JSON bodies. */
  bodyMemory: { beforeLogin: MemoryBudget; afterLogin: MemoryBudget };
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
  standing?: RateLimitStatus;
}

/** The cause of the changes made by a request. */
export function causeOfRequest(ctx: Context): Cause {
  const { requestId, traceParent } = ctx.state;
  return {
    requestId: String(requestId),
    traceParent: typeof traceParent === 'string' ? traceParent : null,
  };
}

/** Opens the transactions of requests, when it is their project's turn. */
export interface RequestTransactions {
  /** Runs `work` in a transaction, and retries it after a conflict with another transaction. */
  transact<T>(exchange: Exchange, kind: WorkClass, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for read-only work, without an explicit transaction (`inReadTransaction`). */
  read<T>(exchange: Exchange, kind: WorkClass, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The project of the key of a request. Logs in if the key is new to this process. */
  projectOf(exchange: Exchange): Promise<string>;
  /** The identity of a key at its last login. It may have changed since. */
  lastIdentity(credentials: Credentials): Identity | undefined;
}

/** The queries that were sent with the login. */
export interface LoginQueries {
  admission: Promise<{ identity: Authentication['identity']; key: IdempotencyKeyState | null }>;
  earlyReads: EarlyReads | null;
}

/** A request that may share its transaction. */
export interface SharedRequest {
  exchange: Exchange;
  /** The Idempotency-Key; null without one. */
  idempotencyKey: string | null;
  sendEarlyReads(tx: Tx): EarlyReads | null;
  /** The work in the transaction, after the queries that were sent with the login. */
  run(tx: Tx, loginQueries: LoginQueries): Promise<Reply | ReplayedReply>;
  /** The same in a separate transaction. */
  runAlone(): Promise<Reply | ReplayedReply>;
}

export interface RequestBatches {
  run(member: SharedRequest): Promise<Reply | ReplayedReply>;
}

/** The default maximum of concurrent long requests per key and route. */
export const defaultConcurrency = 16;

/** Returns the parts of a call that all handlers receive. */
export function createHandlerCall(
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

/** Returns a function that opens one transaction at a time for a request. */
export function inProjectOf(exchange: Exchange): InProject {
  const { route, frame, credentials } = exchange;
  return (work) =>
    frame.transactions[isReadOnlyRoute(route) ? 'read' : 'transact'](
      exchange,
      workOf(route),
      async (tx) => {
        const admission = authenticate(tx, credentials, workOf(route));
        const start = (identity: Identity, ownTx: Tx) => work(ownTx, identity);
        const prefetched = isReadOnlyRoute(route) ? prefetch(exchange, tx, start) : null;
        try {
          const identity = await admission;
          requireAddress(exchange, identity);
          requireScopes(route, identity);
          return await (prefetched?.resume(identity) ?? work(tx, identity));
        } finally {
          prefetched?.cancel();
        }
      },
    );
}

/**
 * Reads the body of a request. A small body that arrives with the headers is read before login, so
 * that login and work share a transaction; its memory is limited per IP address. For other bodies,
 * `login` runs first. No transaction is open while waiting for bytes.
 * @throws Problem from `login`, 400 or 408 for an incomplete body, 429 if no memory is left
 */
export async function receiveBody(
  exchange: Exchange,
  login: () => Promise<Identity>,
): Promise<RawBody> {
  const { ctx, frame, address } = exchange;
  const declaredBytes = declaredLength(ctx.req);
  if (declaredBytes === 0) return { bytes: Buffer.alloc(0), tooLarge: false };
  const body = createIncomingBody(ctx.req, ctx.res);
  const isSmall = declaredBytes !== null && declaredBytes <= smallBodyBytes;
  if (isSmall && ctx.req.headers.expect === undefined) {
    const release = frame.bodyMemory.beforeLogin.reserve(address ?? '', declaredBytes);
    const smallBody = release && (await body.readWithin(frame.clientLimits.smallBodyMs));
    if (release && smallBody) {
      onceClosed(ctx.res, release);
      return smallBody;
    }
    release?.();
  }
  try {
    const { caller } = await login();
    requireConnected(ctx.res);
    const max = limits.json_body_bytes;
    const release = frame.bodyMemory.afterLogin.reserve(
      caller.id,
      Math.min(declaredBytes ?? max, max),
    );
    if (!release) {
      const detail = 'Too many request bodies are in progress. Retry in a moment.';
      throw new Problem('rate_limited', detail, { headers: { 'Retry-After': '1' } });
    }
    onceClosed(ctx.res, release);
    return await body.readRest(frame.clientLimits);
  } finally {
    body.discard();
  }
}

/** A memory budget with a total limit and a limit per owner. */
export interface MemoryBudget {
  /** Reserves memory; returns the function that releases it, or null if there is not enough. */
  reserve(owner: string, bytes: number): (() => void) | null;
  /** The total reserved memory. */
  reserved(): number;
}

export function createMemoryBudget({
  inAll,
  forEach,
}: {
  inAll: number;
  forEach: number;
}): MemoryBudget {
  const reservedBy = new Map<string, number>();
  let total = 0;
  return {
    reserved: () => total,
    reserve(owner, bytes) {
      const reservedByOwner = reservedBy.get(owner) ?? 0;
      if (reservedByOwner + bytes > forEach || total + bytes > inAll) return null;
      reservedBy.set(owner, reservedByOwner + bytes);
      total += bytes;
      let isReserved = true;
      return () => {
        if (!isReserved) return;
        isReserved = false;
        total -= bytes;
        const remaining = (reservedBy.get(owner) ?? bytes) - bytes;
        if (remaining > 0) reservedBy.set(owner, remaining);
        else reservedBy.delete(owner);
      };
    },
  };
}
