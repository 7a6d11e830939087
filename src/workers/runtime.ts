import type { QueueName } from '@scriptorium/contracts/work/queues';
import { type TaskKind, taskKinds } from '@scriptorium/contracts/work/tasks';
import { type Job, Worker } from 'bullmq';
import { errorFieldsOf } from '../db/errors.ts';
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
import { hasRecordedWork, setCause } from '../outbox/record.ts';
import { retryTask } from '../outbox/stuck-queries.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import { endConnection, prefixOf, trackCopies } from '../queues/connection.ts';
import { removeFailed } from '../queues/hints.ts';
import type { Wake } from '../queues/wake.ts';
import { prefixAttributes, type Span, type Tracing, traceFields } from '../tracing.ts';
import type { RunningWorker, WorkerDeps } from './deps.ts';
import { startHeartbeat } from './heartbeat.ts';
import {
  createTaskClaimer,
  createTaskEnder,
  type LeaseRenewals,
  logFieldsOf,
  startRenewals,
} from './leases.ts';
import { isMachineFault, retryMachineFaults } from './machine-fault.ts';
import { taskHandlers } from './task-handlers.ts';

/** The reason of runs that were aborted because the worker stops. */
class WorkerStopping extends Error {}

/** How long BullMQ may take to close once no hint is in progress. */
const closeTimeoutMs = 2_000;

/** A failed run, with the reason that the board shows. The task has already been put back. */
class RunFailed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RunFailed';
    // BullMQ stores the stack, which says nothing about the cause.
    this.stack = reason;
  }
}

/**
 * Starts a BullMQ worker. Each job is a hint, and the board shows its result. While Postgres is down,
 * hints are kept and retried until the worker closes. `close` accepts no more hints and waits for those
 * in progress, but only briefly for Redis.
 * @param handle processes a hint; `isRetry` if an operator has retried a hint that had ended
 */
export function startQueueWorker(
  deps: WorkerDeps,
  queue: QueueName,
  slots: number,
  handle: (hint: Readonly<Record<string, unknown>>, isRetry: boolean) => Promise<string>,
): { close(): Promise<void> } {
  const connection = deps.connect();
  // BullMQ waits for hints on a copy of the connection, which it cannot close while Redis is down.
  const connections = trackCopies(connection);
  const closing = new AbortController();
  let activeCount = 0;
  const processHint = async (job: Job): Promise<string> => {
    activeCount += 1;
    try {
      return await retryMachineFaults(closing.signal, () =>
        handle(job.data ?? {}, job.attemptsMade > 0),
      );
    } finally {
      activeCount -= 1;
    }
  };
  const worker = new Worker(queue, processHint, {
    connection,
    prefix: prefixOf(connection),
    concurrency: slots,
    // The lease decides which worker holds a task. BullMQ's lock only keeps a hint from being
    // delivered twice.
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
      // Without Redis, BullMQ would wait forever. By then the task has ended in Postgres; a hint that
      // is not completed is delivered again and finds nothing to do.
      const forceClose = setInterval(() => {
        if (activeCount === 0) for (const each of connections) endConnection(each);
      }, closeTimeoutMs);
      await worker.close();
      clearInterval(forceClose);
      for (const each of connections) endConnection(each);
    },
  };
}

/** The context shared by all runs of a worker. */
interface RunContext {
  queue: QueueName;
  renewals: LeaseRenewals;
  end: ReturnType<typeof createTaskEnder>;
  /** Aborts all runs in progress. */
  activeRuns: Set<AbortController>;
  stopping: AbortSignal;
}

/**
 * Starts a worker on a queue of tasks. For every hint it claims the task and runs it under its
 * lease and deadline; Postgres decides what happens after a failure.
 */
export function startTaskWorker(deps: WorkerDeps, queue: QueueName, slots: number): RunningWorker {
  const stopping = new AbortController();
  const context: RunContext = {
    queue,
    renewals: startRenewals(deps),
    end: createTaskEnder(deps.database),
    activeRuns: new Set(),
    stopping: stopping.signal,
  };
  const claim = createTaskClaimer(deps.database);
  const wakeSoon = createDelayedWake(deps.wake);
  const worker = startQueueWorker(deps, queue, slots, async ({ task_id: taskId }, isRetry) => {
    if (typeof taskId !== 'string') return 'not a hint';
    if (isRetry) await inTransaction(deps.database, (tx) => retryTask(tx, taskId));
    const task = await claim(taskId);
    if (!task) return 'nothing to do';
    if (task.lastError !== null) await removeFailedHint(deps, queue, taskId);
    if (!isKnownKind(task)) {
      await deferUnknown(deps, task, context.stopping);
      wakeSoon();
      return 'of a newer release';
    }
    const { leads, failure } = await runTask(deps, context, task);
    if (leads) deps.wake();
    else wakeSoon();
    if (failure !== null) throw new RunFailed(failure);
    return 'done';
  });
  const heartbeat = startHeartbeat(deps, queue, slots);
  return {
    async stop(graceMs) {
      const timer = setTimeout(() => {
        stopping.abort(new WorkerStopping());
        for (const controller of context.activeRuns) controller.abort(stopping.signal.reason);
      }, graceMs);
      await Promise.all([heartbeat.stop(), worker.close()]);
      clearTimeout(timer);
      context.renewals.stop();
    },
  };
}

async function removeFailedHint(deps: WorkerDeps, queue: QueueName, taskId: string): Promise<void> {
  try {
    await removeFailed(deps.queues[queue], taskId);
  } catch (error) {
    deps.logger.debug({ err: error, queue }, 'could not remove the failed hint of a task');
  }
}

/** During an upgrade, a worker of the previous release may get a hint for a newer kind of task. */
const isKnownKind = ({ kind }: ClaimedTask): boolean => Object.hasOwn(taskKinds, kind);

async function deferUnknown(
  deps: WorkerDeps,
  task: ClaimedTask,
  stopping: AbortSignal,
): Promise<void> {
  deps.logger.warn({ task_id: task.taskId, kind: task.kind }, 'left a task of a newer release');
  await putBack(deps, task, `A worker did not know tasks of kind ${task.kind}.`, stopping);
}

/** How a run ended. */
interface RunResult {
  /** Whether it recorded an event or scheduled a task. */
  leads: boolean;
  /** Why it failed and is retried; null if it did not. */
  failure: string | null;
}

async function runTask(
  deps: WorkerDeps,
  context: RunContext,
  task: ClaimedTask,
): Promise<RunResult> {
  const { queue, renewals, end, activeRuns, stopping } = context;
  const started = performance.now();
  const controller = new AbortController();
  if (stopping.aborted) controller.abort(stopping.reason);
  activeRuns.add(controller);
  const fields = logFieldsOf(task);
  const span = startSpan(deps.tracing, queue, task, fields);
  const log = deps.logger.child({ ...fields, queue, ...traceFields(span) });
  const cause = { requestId: task.requestId, traceParent: span.traceParent };
  renewals.add(task, () => controller.abort(new LeaseLost(task)));
  const deadline = setTimeout(() => {
    controller.abort(new Error('the task exceeded its deadline'));
    // Work that ignores the signal must not hold its task forever: its lease expires.
    renewals.remove(task);
  }, taskKinds[task.kind].deadlineSeconds * 1_000);
  let hasNewWork = false;
  let failure: string | null = null;
  const run: TaskRun = {
    task,
    log,
    signal: controller.signal,
    end: () => end(task),
    inProject: (work) =>
      inProject(deps.database, task.projectId, async (tx) => {
        setCause(tx, cause);
        const result = await work(tx);
        hasNewWork ||= hasRecordedWork(tx);
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
    renewals.remove(task);
    activeRuns.delete(controller);
    span.end();
  }
  return { leads: hasNewWork, failure };
}

/** The delay of the wake-up after a task that ended without new work. */
const wakeDelayMs = 50;

/** Merges several wake-ups into one, after a short delay. */
function createDelayedWake(wake: Wake): Wake {
  let isSet = false;
  return () => {
    if (isSet) return;
    isSet = true;
    setTimeout(() => {
      isSet = false;
      wake();
    }, wakeDelayMs).unref();
  };
}

/** Starts the span of a run, with the time that its task waited for a worker. */
function startSpan(
  tracing: Tracing,
  queue: QueueName,
  task: ClaimedTask,
  fields: ReturnType<typeof logFieldsOf>,
): Span {
  if (!tracing.isEnabled) return tracing.start('', { kind: 'consumer', parent: task.traceParent });
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
      ...prefixAttributes(fields),
    },
  });
}

async function handle<K extends TaskKind>(deps: WorkerDeps, run: TaskRun<K>): Promise<void> {
  // The registry is keyed by kind, and the payload was validated against its kind.
  const handler = taskHandlers[run.task.kind as K];
  if (run.task.crashes >= maxCrashes) await handler.giveUp(deps, run);
  else await handler.run(deps, run);
}

/** Puts back a task whose run ended with an error. Returns the reason; null if it was interrupted. */
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
  const { code } = errorFieldsOf(error);
  const suffix = typeof code === 'string' && !error.message.includes(code) ? ` (${code})` : '';
  return `${error.name}: ${error.message}${suffix}`;
}

/**
 * Puts a task back for later. While Postgres is down, retries until it succeeds or the worker stops.
 */
function putBack(
  deps: WorkerDeps,
  task: ClaimedTask,
  reason: string,
  stopping: AbortSignal,
): Promise<void> {
  return retryMachineFaults(stopping, () =>
    inTransaction(deps.database, (tx) => deferTask(tx, task, reason)),
  );
}
