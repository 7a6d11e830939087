import type { QueueName } from '@scriptorium/contracts/work/queues';
import { type TaskKind, taskKinds } from '@scriptorium/contracts/work/tasks';
import { type Job, Worker } from 'bullmq';
import { faultOf } from '../db/faults.ts';
import { inProject, inTransaction } from '../db/transaction.ts';
import {
  type ClaimedTask,
  deferTask,
  failTask,
  isLeaseLost,
  LeaseLost,
  maxCrashes,
  releaseTask,
  sendFinish,
} from '../outbox/lease-queries.ts';
import { causedBy, leadsOn } from '../outbox/record.ts';
import { retryTask } from '../outbox/stuck-queries.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import { endConnection, prefixOf, withCopies } from '../queues/connection.ts';
import { removeFailed } from '../queues/hints.ts';
import type { Wake } from '../queues/wake.ts';
import { ownAttributes, type Span, type Tracing, traceField } from '../tracing.ts';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startHeartbeat } from './heartbeat.ts';
import { claimTogether, endTogether, fieldsOf, type Renewals, startRenewals } from './leases.ts';
import { isMachineFault, outlastMachineFaults } from './machine-fault.ts';
import { taskHandlers } from './task-handlers.ts';

/** Why a worker aborted a run. */
class Stopping extends Error {}

/** How long BullMQ may take to close its connection once nothing is in progress. */
const farewellMs = 2_000;

/** A run that failed, and what the board shows of it. The task has been put back for later. */
class RunFailed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RunFailed';
    // BullMQ stores the stack, which says nothing about the cause.
    this.stack = reason;
  }
}

/**
 * A BullMQ worker. Each job is a hint, and the result is shown on the board. A hint whose work cannot be
 * claimed, because Postgres is down, is kept and followed again until the worker closes. `close` takes
 * no more hints and waits for those in progress, but only briefly for Redis.
 * @param handle its second argument: an operator has retried a hint that had ended
 */
export function startQueueWorker(
  deps: WorkerDeps,
  queue: QueueName,
  slots: number,
  handle: (hint: Readonly<Record<string, unknown>>, isRetry: boolean) => Promise<string>,
): { close(): Promise<void> } {
  const connection = deps.connect();
  // BullMQ waits for hints on a copy of the connection, which it cannot close while Redis is down.
  const connections = withCopies(connection);
  const closing = new AbortController();
  let inHand = 0;
  const take = async (job: Job): Promise<string> => {
    inHand += 1;
    try {
      return await outlastMachineFaults(closing.signal, () =>
        handle(job.data ?? {}, job.attemptsMade > 0),
      );
    } finally {
      inHand -= 1;
    }
  };
  const worker = new Worker(queue, take, {
    connection,
    prefix: prefixOf(connection),
    concurrency: slots,
    // The lease decides who holds a task. BullMQ's lock only keeps a hint from being handed out
    // twice.
    lockDuration: 60_000,
    maxStalledCount: 3,
    skipVersionCheck: true,
  });
  worker.on('error', (error) => deps.logger.debug({ err: error, queue }, 'queue worker error'));
  worker.on('failed', (_job, error) => {
    // A failed run has been logged.
    if (!(error instanceof RunFailed)) deps.logger.error({ err: error, queue }, 'a hint failed');
  });
  return {
    async close() {
      closing.abort();
      // Without Redis BullMQ would wait forever. The task is settled in Postgres by then; a hint
      // that is not completed is handed out again and finds nothing to do.
      const hurry = setInterval(() => {
        if (inHand === 0) for (const each of connections) endConnection(each);
      }, farewellMs);
      await worker.close();
      clearInterval(hurry);
      for (const each of connections) endConnection(each);
    },
  };
}

/** What all runs of a worker share. */
interface Runs {
  queue: QueueName;
  renewals: Renewals;
  end: ReturnType<typeof endTogether>;
  /** Aborts all runs in progress. */
  inHand: Set<AbortController>;
  stopping: AbortSignal;
}

/**
 * Starts a worker on a queue of tasks. For every hint it claims the task and runs it under its
 * lease and deadline; Postgres decides what happens after a failure.
 */
export function startTaskWorker(deps: WorkerDeps, queue: QueueName, slots: number): RunningWorker {
  const stopping = new AbortController();
  const runs: Runs = {
    queue,
    renewals: startRenewals(deps),
    end: endTogether(deps.database),
    inHand: new Set(),
    stopping: stopping.signal,
  };
  const claim = claimTogether(deps.database);
  const wakeSoon = createLateWake(deps.wake);
  const worker = startQueueWorker(deps, queue, slots, async ({ task_id: taskId }, isRetry) => {
    if (typeof taskId !== 'string') return 'not a hint';
    if (isRetry) await inTransaction(deps.database, (tx) => retryTask(tx, taskId));
    const task = await claim(taskId);
    if (!task) return 'nothing to do';
    if (task.lastError !== null) await forgetFailure(deps, queue, taskId);
    if (!isKnown(task)) {
      await leaveToOthers(deps, task, runs.stopping);
      wakeSoon();
      return 'of a newer release';
    }
    const { leads, failure } = await runTask(deps, runs, task);
    if (leads) deps.wake();
    else wakeSoon();
    if (failure !== null) throw new RunFailed(failure);
    return 'done';
  });
  const heartbeat = startHeartbeat(deps, queue, slots);
  return {
    async stop(graceMs) {
      const timer = setTimeout(() => {
        stopping.abort(new Stopping());
        for (const cut of runs.inHand) cut.abort(stopping.signal.reason);
      }, graceMs);
      await Promise.all([heartbeat.stop(), worker.close()]);
      clearTimeout(timer);
      runs.renewals.stop();
    },
  };
}

async function forgetFailure(deps: WorkerDeps, queue: QueueName, taskId: string): Promise<void> {
  try {
    await removeFailed(deps.queues[queue], taskId);
  } catch (error) {
    deps.logger.debug({ err: error, queue }, 'could not remove the failed hint of a task');
  }
}

/** While two releases run side by side, a hint may lead a worker of the earlier one to a newer task. */
const isKnown = ({ kind }: ClaimedTask): boolean => Object.hasOwn(taskKinds, kind);

async function leaveToOthers(
  deps: WorkerDeps,
  task: ClaimedTask,
  stopping: AbortSignal,
): Promise<void> {
  deps.logger.warn({ task_id: task.taskId, kind: task.kind }, 'left a task of a newer release');
  await putBack(deps, task, `A worker did not know tasks of kind ${task.kind}.`, stopping);
}

/** How a run ended. */
interface Ended {
  /** Whether it recorded an event or scheduled a task. */
  leads: boolean;
  /** Why it failed and is retried; null if it did not. */
  failure: string | null;
}

async function runTask(deps: WorkerDeps, runs: Runs, task: ClaimedTask): Promise<Ended> {
  const { queue, renewals, end, inHand, stopping } = runs;
  const started = performance.now();
  const cut = new AbortController();
  if (stopping.aborted) cut.abort(stopping.reason);
  inHand.add(cut);
  const fields = fieldsOf(task);
  const span = startSpan(deps.tracing, queue, task, fields);
  const log = deps.logger.child({ ...fields, queue, ...traceField(span) });
  const cause = { requestId: task.requestId, traceParent: span.traceParent };
  renewals.keep(task, () => cut.abort(new LeaseLost(task)));
  const deadline = setTimeout(() => {
    cut.abort(new Error('the task exceeded its deadline'));
    // Work that ignores the signal must not hold its task forever: its lease expires.
    renewals.drop(task);
  }, taskKinds[task.kind].deadlineSeconds * 1_000);
  let leads = false;
  let failure: string | null = null;
  const run: TaskRun = {
    task,
    log,
    signal: cut.signal,
    end: () => end(task),
    inProject: (work) =>
      inProject(deps.database, task.projectId, async (tx) => {
        causedBy(tx, cause);
        const result = await work(tx);
        leads ||= leadsOn(tx);
        return result;
      }),
    async finish(lock, work) {
      try {
        await run.inProject(async (tx) => {
          const locked = await lock(tx);
          sendFinish(tx, task);
          await work(tx, locked);
        });
      } catch (error) {
        throw isLeaseLost(error) ? new LeaseLost(task) : error;
      }
    },
  };
  try {
    await handle(deps, run);
    log.info({ ms: Math.round(performance.now() - started) }, 'finished a task');
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'unknown');
    failure = await settleFailure(deps, run, error, stopping);
  } finally {
    clearTimeout(deadline);
    renewals.drop(task);
    inHand.delete(cut);
    span.end();
  }
  return { leads, failure };
}

/** How long a relay may wait to hear that a task ended without new work. */
const roomMs = 50;

/** Rings once for several calls, a moment later. */
function createLateWake(wake: Wake): Wake {
  let isSet = false;
  return () => {
    if (isSet) return;
    isSet = true;
    setTimeout(() => {
      isSet = false;
      wake();
    }, roomMs).unref();
  };
}

/** The span of a run, with how long its task waited for a worker. */
function startSpan(
  tracing: Tracing,
  queue: QueueName,
  task: ClaimedTask,
  fields: ReturnType<typeof fieldsOf>,
): Span {
  if (!tracing.on) return tracing.start('', { kind: 'consumer', parent: task.traceParent });
  return tracing.start(`process ${task.kind}`, {
    kind: 'consumer',
    parent: task.traceParent,
    attributes: {
      'messaging.system': 'bullmq',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': queue,
      'messaging.message.id': task.taskId,
      'scriptorium.waited_ms': Math.max(0, Date.now() - task.dueAt.getTime()),
      ...ownAttributes(fields),
    },
  });
}

async function handle<K extends TaskKind>(deps: WorkerDeps, run: TaskRun<K>): Promise<void> {
  // The registry is keyed by kind, and the payload was validated against its kind.
  const handler = taskHandlers[run.task.kind as K];
  if (run.task.crashes >= maxCrashes) await handler.giveUp(deps, run);
  else await handler.run(deps, run);
}

/** Puts a task back whose run ended with an error. Returns why it failed; null if it was cut short. */
async function settleFailure(
  deps: WorkerDeps,
  run: TaskRun,
  error: unknown,
  stopping: AbortSignal,
): Promise<string | null> {
  const { task, log } = run;
  if (error instanceof LeaseLost || run.signal.reason instanceof LeaseLost) {
    log.info('lost the lease; discarding the result');
    return null;
  }
  if (stopping.aborted) {
    await inTransaction(deps.database, (tx) => releaseTask(tx, task));
    return null;
  }
  const reason = describeFailure(error).slice(0, 500);
  if (isMachineFault(error)) {
    log.warn({ err: error }, 'a task failed because of the machine; it will be retried');
    await putBack(deps, task, reason, stopping);
    return reason;
  }
  log.error({ err: error, crashes: task.crashes + 1 }, 'a task failed');
  await inTransaction(deps.database, (tx) => failTask(tx, task, reason));
  return reason;
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = faultOf(error);
  const named = typeof code === 'string' && !error.message.includes(code) ? ` (${code})` : '';
  return `${error.name}: ${error.message}${named}`;
}

/**
 * Gives a task back for later. While Postgres is down it retries, renewing the lease, until it
 * succeeds or the worker stops.
 */
function putBack(
  deps: WorkerDeps,
  task: ClaimedTask,
  reason: string,
  stopping: AbortSignal,
): Promise<void> {
  return outlastMachineFaults(stopping, () =>
    inTransaction(deps.database, (tx) => deferTask(tx, task, reason)),
  );
}
