import { Problem } from '@scriptorium/contracts/problems';
import { workBounds } from '@scriptorium/contracts/work/work';
import {
  authenticateAndClaim,
  type Credentials,
  credentialsKey,
} from '../../../access/authenticate.ts';
import { projectBusy } from '../../../access/fair-queue.ts';
import { isRolledBack } from '../../../db/errors.ts';
import { type SharedOutcome, shareTransaction, type Tx } from '../../../db/transaction.ts';
import { setCause } from '../../../outbox/record.ts';
import { type BatchedCall, batchCalls } from '../../../outbox/rounds.ts';
import type {
  LoginQueries,
  RequestBatches,
  RequestTransactions,
  SharedRequest,
} from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { ReplayedReply } from '../route.ts';
import { workOf } from '../route-properties.ts';

/**
 * The maximum number of requests that share a transaction. Each route of a project has one shared
 * transaction at a time: with two, each would be shared by half as many requests, which costs a
 * quarter more.
 */
const maxBatch = 32;
/**
 * The maximum number of requests of a project that wait for a shared transaction. Further requests
 * wait in `access/fair-queue`, which is bounded.
 */
const maxWaiting = 128;
/**
 * The maximum number of waiting requests per key, so that other keys of the project do not wait for
 * many batches.
 */
const maxWaitingOfKey = maxBatch;
/** How long batching is paused after a shared transaction failed. */
const batchingPauseMs = 1_000;
/** The maximum number of pairs of a project and a route whose state is kept. */
const maxRoutes = 1_000;

/** Returns the reply of a request after its batch, or throws its error. */
type Completion = () => Promise<Reply | ReplayedReply>;

interface RouteState {
  wait: BatchWait;
  batchingPausedUntil: number;
  join: BatchedCall<WaitingRequest, Completion>;
}

/** A request that waits for its batch. */
interface WaitingRequest extends SharedRequest {
  waitingSince: number;
  /** Identifies the credentials. */
  credentialId: string;
}

/**
 * Lets requests for one route of a project share a transaction: while one transaction is in
 * progress, the requests that arrive wait and share the next. That takes one login per key, one
 * commit and one connection. Each request has separate reads, a separate cause and a separate
 * reply. A rejected request has written nothing, so the others continue. If the transaction cannot
 * commit, each request runs again separately.
 */
export function createRequestBatches(transactions: RequestTransactions): RequestBatches {
  const routes = new Map<string, RouteState>();
  /** The number of waiting requests by project and by key. */
  const waitingCounts = new Map<string, number>();
  const countWaiting = (name: string): number => waitingCounts.get(name) ?? 0;
  const count = (name: string, by: 1 | -1): void => {
    const newCount = countWaiting(name) + by;
    if (newCount > 0) waitingCounts.set(name, newCount);
    else waitingCounts.delete(name);
  };
  const stateOf = (name: string): RouteState => {
    let state = routes.get(name);
    if (!state) {
      const [oldest] = routes.keys();
      if (routes.size >= maxRoutes && oldest !== undefined) routes.delete(oldest);
      const wait = createBatchWait(() => performance.now());
      const newState: RouteState = {
        wait,
        batchingPausedUntil: 0,
        join: batchCalls(
          { max: maxBatch, lingerMs: wait.lingerMs, fullAt: wait.expectedMembers },
          async (members) => {
            wait.begin(members.length);
            const completions = await runBatch(transactions, newState, members);
            wait.end();
            return completions;
          },
        ),
      };
      routes.set(name, newState);
      state = newState;
    }
    return state;
  };
  return {
    async run(member) {
      const { credentials, route } = member.exchange;
      // The key must belong to the project in the header to share its transaction.
      const project = await transactions.projectOf(member.exchange);
      if (project !== credentials.projectId) return member.runAlone();
      const credentialId = credentialIdOf(credentials);
      if (countWaiting(project) >= maxWaiting || countWaiting(credentialId) >= maxWaitingOfKey)
        return member.runAlone();
      const name = `${project} ${route.operationId}`;
      const state = stateOf(name);
      if (performance.now() < state.batchingPausedUntil) return member.runAlone();
      state.wait.join();
      count(project, 1);
      count(credentialId, 1);
      let complete: Completion;
      try {
        complete = await state.join({
          ...member,
          waitingSince: performance.now(),
          credentialId,
        });
      } finally {
        state.wait.leave();
        count(project, -1);
        count(credentialId, -1);
      }
      return complete();
    },
  };
}

function credentialIdOf(credentials: Credentials): string {
  const keySession = 'keySession' in credentials ? credentials.keySession : undefined;
  return [credentialsKey(credentials), keySession].join(' ');
}

async function runBatch(
  transactions: RequestTransactions,
  state: RouteState,
  requests: readonly WaitingRequest[],
): Promise<Completion[]> {
  const [first] = requests;
  // A single request runs alone. Requests that arrive in the meantime share the next transaction.
  if (requests.length === 1) return [await first!.runAlone().then(resolveWith, rejectWith)];
  const { exchange } = first!;
  const kind = workOf(exchange.route);
  const earliestArrival = performance.now() - workBounds[kind].waitSeconds * 1_000;
  const claims = new Set<string>();
  const completions = new Map<SharedRequest, Completion>();
  const members = requests.filter((member) => {
    if (member.waitingSince < earliestArrival) {
      completions.set(member, rejectWith(projectBusy(kind)));
      return false;
    }
    // Locks do not exclude each other within a transaction: of the requests with equal keys, only
    // the first is included, and the others run afterwards.
    if (member.idempotencyKey === null) return true;
    const claim = `${member.credentialId} ${member.idempotencyKey}`;
    if (claims.has(claim)) {
      completions.set(member, member.runAlone);
      return false;
    }
    claims.add(claim);
    return true;
  });
  try {
    const outcomes = await transactions.transact(exchange, kind, (tx) => runMembers(tx, members));
    for (const [at, outcome] of outcomes.entries()) {
      const completion = outcome.failed ? rejectWith(outcome.error) : resolveWith(outcome.result);
      completions.set(members[at]!, completion);
    }
  } catch (error) {
    state.batchingPausedUntil = performance.now() + batchingPauseMs;
    for (const member of members) {
      // If the connection broke, the commit may have succeeded: a retry could take effect twice.
      completions.set(member, provesRollback(error) ? member.runAlone : rejectWith(error));
    }
  }
  return requests.map((member) => completions.get(member)!);
}

const resolveWith =
  (reply: Reply | ReplayedReply): Completion =>
  async () =>
    reply;
const rejectWith =
  (error: unknown): Completion =>
  async () => {
    throw error;
  };

/** Runs all members in one transaction: one packet for the reads, one for the writes. */
async function runMembers(
  tx: Tx,
  members: readonly WaitingRequest[],
): Promise<SharedOutcome<Reply | ReplayedReply>[]> {
  const logins = sendLogins(tx, members);
  const earlyReads = members.map((member) => member.sendEarlyReads(tx));
  const outcomes = await Promise.all(
    members.map((member, at) =>
      shareTransaction(tx, (ownTx) => {
        setCause(ownTx, member.exchange.cause);
        return member.run(ownTx, { admission: logins.get(member)!, earlyReads: earlyReads[at]! });
      }),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.failed && outcome.mustRollBack);
  if (failed?.failed) throw new BatchFailed(failed.error);
  return outcomes;
}

/** Authenticates each key once, with the Idempotency-Keys of all its requests. */
function sendLogins(
  tx: Tx,
  members: readonly WaitingRequest[],
): Map<SharedRequest, LoginQueries['admission']> {
  const byKey = new Map<string, WaitingRequest[]>();
  for (const member of members) {
    const membersOfKey = byKey.get(member.credentialId);
    if (membersOfKey) membersOfKey.push(member);
    else byKey.set(member.credentialId, [member]);
  }
  const admissions = new Map<SharedRequest, LoginQueries['admission']>();
  for (const membersOfKey of byKey.values()) {
    const { credentials, route } = membersOfKey[0]!.exchange;
    const idempotencyKeys = membersOfKey.flatMap(({ idempotencyKey }) =>
      idempotencyKey === null ? [] : [idempotencyKey],
    );
    const claim =
      idempotencyKeys.length > 0 ? { route: route.operationId, values: idempotencyKeys } : null;
    const admissionOfKey = authenticateAndClaim(tx, credentials, workOf(route), claim);
    for (const member of membersOfKey) {
      const at =
        member.idempotencyKey === null ? -1 : idempotencyKeys.indexOf(member.idempotencyKey);
      const admission = admissionOfKey.then(({ identity, idempotencyKeys: keys }) => ({
        identity,
        key: keys[at] ?? null,
      }));
      admissions.set(member, admission);
    }
  }
  return admissions;
}

/** A request failed after writing, so the shared transaction is not committed. */
class BatchFailed extends Error {
  constructor(cause: unknown) {
    super('Shared work failed after writing.', { cause });
    this.name = 'BatchFailed';
  }
}

/** Whether an error proves that the transaction was rolled back or never started. */
function provesRollback(error: unknown): boolean {
  if (error instanceof BatchFailed) return true;
  // No connection was available, so retrying each request separately would not help.
  if (error instanceof Problem) return error.status !== 429 && error.status !== 503;
  return isRolledBack(error);
}

/** How long a batch waits for clients of the previous batch to return. */
const lingerMs = 1;
/** How long after a batch its clients are expected to return. */
const returnWindowMs = 5;
/** The number of batches that skip the wait after a wait without success. */
const skippedBatches = 8;

/** Decides how long batches wait for the clients of the previous batch. */
export interface BatchWait {
  join(): void;
  leave(): void;
  /** How long the next batch should wait, if `waiting` members are present. */
  lingerMs(waiting: number): number;
  /** The number of expected members. Once they are present, the batch can start. */
  expectedMembers(): number;
  /** Starts a batch with `memberCount` members. */
  begin(memberCount: number): void;
  /** Ends the batch; its members may return soon. */
  end(): void;
}

/**
 * Groups clients that send the next request as soon as they receive a response. The members of a
 * batch return at about the same time: without a short wait, the first of them would always start
 * the next batch alone.
 * @param now a clock, in milliseconds
 */
export function createBatchWait(now: () => number): BatchWait {
  let members = 0;
  /** The largest number of members present at once since the last batch began. */
  let peak = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let remainingSkips = 0;
  /** The number of members when the current wait began; null outside a wait. */
  let waitingAtStart: number | null = null;
  return {
    join() {
      members += 1;
      peak = Math.max(peak, members);
    },
    leave() {
      members -= 1;
    },
    lingerMs(waiting) {
      waitingAtStart = null;
      if (remainingSkips > 0) remainingSkips -= 1;
      else if (waiting < peak && now() - endedAt < returnWindowMs) waitingAtStart = waiting;
      return waitingAtStart === null ? 0 : lingerMs;
    },
    expectedMembers: () => peak,
    begin(taken) {
      if (waitingAtStart !== null && taken <= waitingAtStart) remainingSkips = skippedBatches;
      waitingAtStart = null;
      peak = members;
    },
    end() {
      endedAt = now();
    },
  };
}
