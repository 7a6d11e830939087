import { isTerminal } from '@scriptorium/contracts/jobs';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Problem } from '@scriptorium/contracts/problems';
import { exhaustedQuotaOf } from '../../db/errors.ts';
import { transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Pack } from '../../entities/packs/pack.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { gaveUpFailure, type TaskRun } from '../../outbox/task-run.ts';
import { createJobs } from '../creating/create.ts';
import type { JobDeps } from '../steps/step.ts';
import { stopPack } from './end.ts';
import { changePack, lockPack, packOrigin } from './load.ts';
import { packOperations } from './operations.ts';
import {
  collectOutcomes,
  countDocuments,
  type LeftOutDocument,
  leaveOutDocuments,
  type PackCounts,
  readPendingDocuments,
  readRunningJobs,
  startDocuments,
} from './queries.ts';

/**
 * Maximum number of a pack's jobs that run at the same time, so that a large pack does not exhaust
 * the project's quota.
 */
const maxConcurrentJobs = 64;
/** Maximum number of documents per run. High, because a refresh reuses the outputs of most. */
const maxDocumentsPerRun = 500;
/**
 * Polling intervals: for running jobs, longer the longer nothing has happened; for jobs that all
 * wait for a person; and while the quota is exhausted.
 */
const pollSeconds = { min: 1, max: 15, share: 0.1 };
const reviewPollSeconds = 20;
const quotaPollSeconds = 15;

type AdvanceRun = TaskRun<'pack.advance'>;

/**
 * Advances a pack: collects documents that have ended, starts others, and schedules the next run.
 */
export async function advancePack(deps: JobDeps, run: AdvanceRun): Promise<void> {
  for (let maxNewJobs = maxConcurrentJobs; ; ) {
    const quota = maxNewJobs;
    try {
      return await withPack(run, (tx, pack) => advance(tx, deps, pack, quota));
    } catch (error) {
      const exhausted = exhaustedQuotaOf(error);
      if (!exhausted) throw error;
      // Fewer with each failure, since other jobs of the project may be created meanwhile.
      maxNewJobs = Math.max(
        0,
        Math.min(Math.floor(maxNewJobs / 2), exhausted.limit - exhausted.used),
      );
    }
  }
}

/** Fails a pack whose workers all died. */
export async function giveUpAdvancing(run: AdvanceRun): Promise<void> {
  await withPack(run, (tx, pack) =>
    stopPack(tx, packOrigin(pack), pack, gaveUpFailure('The pack')),
  );
}

/** Ends the task and, if the pack is still being built, runs `work` with the pack locked. */
export async function withPack(
  run: TaskRun<'pack.advance' | 'pack.assemble'>,
  work: (tx: Tx, pack: Pack) => Promise<void>,
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    (tx) => lockPack(tx, projectId, payload.pack_id),
    async (tx, pack) => {
      if (!pack || isTerminal(pack.state)) return;
      if (pack.state === 'cancelling') return stopPack(tx, packOrigin(pack), pack, pack.error);
      await work(tx, pack);
    },
  );
}

/** @param quota how many more jobs the project may start, up to `maxConcurrentJobs` */
async function advance(tx: Tx, deps: JobDeps, pack: Pack, quota: number): Promise<void> {
  if (pack.state === 'queued') {
    changePack(tx, pack, { state: 'running', startedAt: transactionTime });
    pack.state = 'running';
    await record(tx, packOrigin(pack), {
      type: 'documents.pack.started',
      resourceId: pack.id,
      data: { documents_total: pack.documentsTotal },
    });
  }
  collectOutcomes(tx, pack);
  const before = await countDocuments(tx, pack);
  if (pack.options.on_error === 'abort' && before.failed + before.withheld > 0) {
    const message = 'A document failed or is withheld, and `on_error` is `abort`.';
    const error = { code: 'document_left_out', message, retryable: before.failed > 0 };
    return stopPack(tx, packOrigin(pack), pack, error);
  }
  const runsAgainNow = await startPending(tx, deps, pack, before, quota);
  const counts = runsAgainNow ? await countDocuments(tx, pack) : before;
  await storeProgress(tx, pack, counts);
  if (counts.open > 0) {
    return scheduleNextRun(
      tx,
      pack,
      runsAgainNow ? 0 : await secondsUntilNextRun(tx, pack, counts, quota),
    );
  }
  await schedule(tx, pack.projectId, pack.id, {
    kind: 'pack.assemble',
    payload: { pack_id: pack.id },
  });
}

/** The number of seconds until the next run. */
async function secondsUntilNextRun(
  tx: Tx,
  pack: Pack,
  { open }: PackCounts,
  quota: number,
): Promise<number> {
  const { jobs, waiting, seconds } = await readRunningJobs(tx, pack);
  if (open === waiting) return reviewPollSeconds;
  if (jobs === 0 && quota === 0) return quotaPollSeconds;
  const { min, max, share } = pollSeconds;
  // Without running jobs, the last ones ended after the collection.
  return jobs === 0 ? min : Math.min(max, Math.max(min, seconds * share));
}

async function scheduleNextRun(
  tx: Tx,
  { projectId, id }: Pack,
  dueInSeconds: number,
): Promise<void> {
  const payload = { pack_id: id };
  await schedule(tx, projectId, id, { kind: 'pack.advance', payload, dueInSeconds });
}

/**
 * Starts documents, up to the maximum number of concurrent jobs.
 * @returns whether the next run should start immediately because some documents need no job
 */
async function startPending(
  tx: Tx,
  { seal }: JobDeps,
  pack: Pack,
  counts: PackCounts,
  quota: number,
): Promise<boolean> {
  if (counts.open === 0) return false;
  const { jobs } = await readRunningJobs(tx, pack);
  if (jobs >= maxConcurrentJobs) return false;
  const operations = packOperations(pack.options);
  const pending = await readPendingDocuments(tx, pack, operations, maxDocumentsPerRun);
  const capacity = Math.min(quota, maxConcurrentJobs - jobs);
  const unavailable = pending.filter(({ state }) => state !== 'available');
  const available = pending.filter(({ state }) => state === 'available');
  const reused = available.flatMap(({ position, reusable }) =>
    reusable === null ? [] : [{ position, jobId: reusable, reused: true }],
  );
  const newDocuments = available.filter(({ reusable }) => reusable === null).slice(0, capacity);
  const request = {
    operations,
    mayReadPii: false,
    pages: null,
    seal,
    metadata: { pack_id: pack.id },
  };
  const origin: Origin = packOrigin(pack);
  const outcomes =
    newDocuments.length === 0
      ? []
      : await createJobs(
          tx,
          origin,
          request,
          newDocuments.map(({ objectId }) => objectId),
          'continue',
        );
  const started = newDocuments.flatMap(({ position }, at) => {
    const { job } = outcomes[at]!;
    return job ? [{ position, jobId: job.id, reused: false }] : [];
  });
  const rejected = newDocuments.flatMap(({ position }, at) => {
    const { problem } = outcomes[at]!;
    return problem ? [leftOutFor(position, problem)] : [];
  });
  startDocuments(tx, pack, [...reused, ...started]);
  leaveOutDocuments(tx, pack, [
    ...unavailable.map(({ position }) => unavailableDocument(position)),
    ...rejected,
  ]);
  return reused.length + unavailable.length + rejected.length > 0;
}

/** Why no job was created for a document. */
function leftOutFor(position: number, { code, message, errors = [] }: Problem): LeftOutDocument {
  if (code === 'policy_denied') {
    return { position, state: 'withheld', error: { code, message, retryable: false } };
  }
  if (code === 'reference_not_found' || code === 'state_conflict')
    return unavailableDocument(position);
  const { code: faultCode, detail } = errors[0] ?? { code, detail: message };
  return {
    position,
    state: 'failed',
    error: { code: faultCode, message: detail, retryable: false },
  };
}

/**
 * Returns a document that is left out because its object was trashed or purged, or never became
 * available.
 */
export function unavailableDocument(position: number): LeftOutDocument {
  const message = 'The object is no longer available.';
  return {
    position,
    state: 'failed',
    error: { code: 'source_unavailable', message, retryable: false },
  };
}

/**
 * Stores the progress and records an event if the percentage changed. The last percent is the
 * archive.
 */
async function storeProgress(tx: Tx, pack: Pack, counts: PackCounts): Promise<void> {
  const { total, open, succeeded, failed, withheld } = counts;
  const percent = Math.max(pack.percent, Math.floor((99 * (total - open)) / total));
  if (percent === pack.percent) return;
  changePack(tx, pack, { percent });
  pack.percent = percent;
  await record(tx, packOrigin(pack), {
    type: 'documents.pack.progressed',
    resourceId: pack.id,
    data: {
      percent,
      documents_total: total,
      documents_completed: succeeded,
      documents_failed: failed,
      documents_withheld: withheld,
    },
  });
}
