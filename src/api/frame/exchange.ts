import type { Origin } from '@scriptorium/contracts/origin';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import type { Context } from 'koa';
import type { Admission, ClaimedKey, Credentials, Identity } from '../../access/authenticate.ts';
import type { NoteDenial } from '../../access/denials.ts';
import type { RateStanding } from '../../access/rate-limits.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Cause } from '../../outbox/record.ts';
import type { ClientLimits } from '../connections/limits.ts';
import type { Deps } from '../deps.ts';
import type { Room } from './call.ts';
import type { Reply } from './reply.ts';
import type { Ahead, ReplayedReply, Route } from './route.ts';
import type { Checks } from './route-facts.ts';

/** The dependencies of serving routes. */
export interface Frame {
  deps: Deps;
  noteDenial: NoteDenial;
  transactions: RequestTransactions;
  batches: RequestBatches;
  clientLimits: ClientLimits;
  /** The memory budgets of JSON bodies. */
  bodies: { ofStrangers: Room; ofKeys: Room };
  /** Reads the credentials of a request: the two headers, or the session of the portal. */
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

/** The origin of changes that a request makes. */
export function requestOrigin(exchange: Omit<Exchange, 'credentials'>, identity: Identity): Origin {
  return {
    projectId: identity.projectId,
    actor: identity.caller,
    address: exchange.address,
    requestId: exchange.requestId,
  };
}

/** The cause of what a request changes. */
export function causeOfRequest(ctx: Context): Cause {
  const { requestId, traceParent } = ctx.state;
  return {
    requestId: String(requestId),
    traceParent: typeof traceParent === 'string' ? traceParent : null,
  };
}

/** Opens the transactions of requests, each at the turn of its project. */
export interface RequestTransactions {
  /** Runs `work` in a transaction; retries if it loses a race. */
  transact<T>(exchange: Exchange, kind: WorkClass, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for work that only reads, without an explicit transaction (`inReadTransaction`). */
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
