import { Problem } from '@scriptorium/contracts/problems';
import { workBounds } from '@scriptorium/contracts/work/work';
import { askAdmission, type Credentials, nameOf } from '../../../access/authenticate.ts';
import { queuedBehindItself } from '../../../access/fair-queue.ts';
import { isRolledBack } from '../../../db/faults.ts';
import { type Shared, shareTransaction, type Tx } from '../../../db/transaction.ts';
import { causedBy } from '../../../outbox/record.ts';
import { inRounds, type Rounds } from '../../../outbox/rounds.ts';
import type { Asked, RequestBatches, RequestTransactions, SharedRequest } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { ReplayedReply } from '../route.ts';
import { workOf } from '../route-facts.ts';

/**
 * The maximum number of requests that share a transaction. A project and route has one shared
 * transaction at a time: two would each be shared by half as many requests, and cost a quarter
 * more.
 */
const maxBatch = 32;
/**
 * How many requests of one project may wait for a shared transaction. Further requests wait in
 * `access/fair-queue`, which is bounded.
 */
const maxWaiting = 128;
/**
 * How many of them may use the same key, so that other keys of the project do not wait for many
 * batches.
 */
const maxWaitingOfKey = maxBatch;
/** How long transactions are not shared after a shared one failed. */
const unbatchedMs = 1_000;
/** The number of projects and routes for which the state is kept. */
const maxRoutes = 1_000;

/** What remains to do for a request after its batch. */
type Ending = () => Promise<Reply | ReplayedReply>;

interface RouteState {
  wait: BatchWait;
  unbatchedUntil: number;
  join: Rounds<WaitingRequest, Ending>;
}

/** A request that waits for its batch. */
interface WaitingRequest extends SharedRequest {
  since: number;
  /** Identifies the credentials. */
  credential: string;
}

/**
 * Lets requests for one route of a project share a transaction: while one transaction is in
 * progress, the requests that arrive wait and share the next. That takes one login per key, one
 * commit and one connection. Each request keeps its own reads, cause and answer. A request that is
 * rejected has written nothing, so the others continue. If the transaction cannot commit, each
 * request runs again separately.
 */
export function createRequestBatches(transactions: RequestTransactions): RequestBatches {
  const routes = new Map<string, RouteState>();
  /** By project and by key. */
  const waiting = new Map<string, number>();
  const waits = (name: string): number => waiting.get(name) ?? 0;
  const count = (name: string, by: 1 | -1): void => {
    const now = waits(name) + by;
    if (now > 0) waiting.set(name, now);
    else waiting.delete(name);
  };
  const stateOf = (name: string): RouteState => {
    let state = routes.get(name);
    if (!state) {
      const [oldest] = routes.keys();
      if (routes.size >= maxRoutes && oldest !== undefined) routes.delete(oldest);
      const wait = createBatchWait(() => performance.now());
      const made: RouteState = {
        wait,
        unbatchedUntil: 0,
        join: inRounds(
          { max: maxBatch, lingerMs: wait.lingerMs, enough: wait.expected },
          async (members) => {
            wait.begin(members.length);
            const endings = await runBatch(transactions, made, members);
            wait.end();
            return endings;
          },
        ),
      };
      routes.set(name, made);
      state = made;
    }
    return state;
  };
  return {
    async answer(member) {
      const { credentials, route } = member.exchange;
      // The key must belong to the project in the header to share its transaction.
      const project = await transactions.projectOf(member.exchange);
      if (project !== credentials.projectId) return member.alone();
      const credential = credentialOf(credentials);
      if (waits(project) >= maxWaiting || waits(credential) >= maxWaitingOfKey)
        return member.alone();
      const name = `${project} ${route.operationId}`;
      const state = stateOf(name);
      if (performance.now() < state.unbatchedUntil) return member.alone();
      state.wait.join();
      count(project, 1);
      count(credential, 1);
      let end: Ending;
      try {
        end = await state.join({ ...member, since: performance.now(), credential });
      } finally {
        state.wait.leave();
        count(project, -1);
        count(credential, -1);
      }
      return end();
    },
  };
}

function credentialOf(credentials: Credentials): string {
  const session = 'session' in credentials ? credentials.session : undefined;
  return [nameOf(credentials), session].join(' ');
}

async function runBatch(
  transactions: RequestTransactions,
  state: RouteState,
  arrived: readonly WaitingRequest[],
): Promise<Ending[]> {
  const [first] = arrived;
  // A single request runs alone; those that arrive in the meantime share the next transaction.
  if (arrived.length === 1) return [await first!.alone().then(resolved, rejected)];
  const { exchange } = first!;
  const kind = workOf(exchange.route);
  const late = performance.now() - workBounds[kind].waitSeconds * 1_000;
  const claims = new Set<string>();
  const endings = new Map<SharedRequest, Ending>();
  const members = arrived.filter((member) => {
    if (member.since < late) {
      endings.set(member, rejected(queuedBehindItself(kind)));
      return false;
    }
    // Locks do not exclude each other within one transaction: of requests with equal keys, one is
    // included and the others follow.
    if (member.value === null) return true;
    const claim = `${member.credential} ${member.value}`;
    if (claims.has(claim)) {
      endings.set(member, member.alone);
      return false;
    }
    claims.add(claim);
    return true;
  });
  try {
    const outcomes = await transactions.transact(exchange, kind, (tx) => runAll(tx, members));
    for (const [at, outcome] of outcomes.entries()) {
      const ending = outcome.failed ? rejected(outcome.error) : resolved(outcome.result);
      endings.set(members[at]!, ending);
    }
  } catch (error) {
    state.unbatchedUntil = performance.now() + unbatchedMs;
    for (const member of members) {
      // If the connection broke, the commit may have succeeded, and a retry might run twice.
      endings.set(member, isUndone(error) ? member.alone : rejected(error));
    }
  }
  return arrived.map((member) => endings.get(member)!);
}

const resolved =
  (reply: Reply | ReplayedReply): Ending =>
  async () =>
    reply;
const rejected =
  (error: unknown): Ending =>
  async () => {
    throw error;
  };

/** Runs all members in one transaction: one packet for the reads, one for the writes. */
async function runAll(
  tx: Tx,
  members: readonly WaitingRequest[],
): Promise<Shared<Reply | ReplayedReply>[]> {
  const admissions = askAdmissions(tx, members);
  const aheads = members.map((member) => member.ahead(tx));
  const outcomes = await Promise.all(
    members.map((member, at) =>
      shareTransaction(tx, (own) => {
        causedBy(own, member.exchange.cause);
        return member.answer(own, { admission: admissions.get(member)!, ahead: aheads[at]! });
      }),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.failed && outcome.spoils);
  if (failed?.failed) throw new BatchFailed(failed.error);
  return outcomes;
}

/** Logs in each key once, with the Idempotency-Keys of all its requests. */
function askAdmissions(
  tx: Tx,
  members: readonly WaitingRequest[],
): Map<SharedRequest, Asked['admission']> {
  const byKey = new Map<string, WaitingRequest[]>();
  for (const member of members) {
    const own = byKey.get(member.credential);
    if (own) own.push(member);
    else byKey.set(member.credential, [member]);
  }
  const admissions = new Map<SharedRequest, Asked['admission']>();
  for (const own of byKey.values()) {
    const { credentials, route } = own[0]!.exchange;
    const values = own.flatMap(({ value }) => (value === null ? [] : [value]));
    const wanted = values.length > 0 ? { route: route.operationId, values } : null;
    const asked = askAdmission(tx, credentials, workOf(route), wanted);
    for (const member of own) {
      const at = member.value === null ? -1 : values.indexOf(member.value);
      const admission = asked.then(({ identity, keys }) => ({ identity, key: keys[at] ?? null }));
      admissions.set(member, admission);
    }
  }
  return admissions;
}

/** A member failed after writing, so the shared transaction is not committed. */
class BatchFailed extends Error {
  constructor(cause: unknown) {
    super('Shared work failed after writing.', { cause });
    this.name = 'BatchFailed';
  }
}

/** Whether an error proves that the transaction was rolled back or never started. */
function isUndone(error: unknown): boolean {
  if (error instanceof BatchFailed) return true;
  // No connection was available, so retrying each request separately would not help.
  if (error instanceof Problem) return error.status !== 429 && error.status !== 503;
  return isRolledBack(error);
}

/** How long a batch waits for members of the previous one to return. */
const lingerMs = 1;
/** A member answered longer ago than this is not expected to return. */
const returnMs = 5;
/** How many batches skip the wait after an unsuccessful one. */
const skippedBatches = 8;

/** The members of successive batches, and the number that the next batch can expect. */
export interface BatchWait {
  join(): void;
  leave(): void;
  /** How long the next batch should wait for more members than the `waiting` ones. */
  lingerMs(waiting: number): number;
  /** The number of expected members; once they are here, the batch can start. */
  expected(): number;
  /** Starts a batch with `taken` members. */
  begin(taken: number): void;
  /** Ends the batch; its members may return soon. */
  end(): void;
}

/**
 * Batches clients that send their next request as soon as the last one is answered. The members of
 * a batch return at about the same time; without a short wait, the first of them would always start
 * the next batch alone.
 * @param now a clock, in milliseconds
 */
export function createBatchWait(now: () => number): BatchWait {
  let members = 0;
  /** The largest number of members present at once since the last batch began. */
  let peak = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let skipped = 0;
  /** How many were waiting when the current wait began; null without one. */
  let waited: number | null = null;
  return {
    join() {
      members += 1;
      peak = Math.max(peak, members);
    },
    leave() {
      members -= 1;
    },
    lingerMs(waiting) {
      waited = null;
      if (skipped > 0) skipped -= 1;
      else if (waiting < peak && now() - endedAt < returnMs) waited = waiting;
      return waited === null ? 0 : lingerMs;
    },
    expected: () => peak,
    begin(taken) {
      if (waited !== null && taken <= waited) skipped = skippedBatches;
      waited = null;
      peak = members;
    },
    end() {
      endedAt = now();
    },
  };
}
