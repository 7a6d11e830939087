import { isTerminal } from '@scriptorium/contracts/jobs';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Problem } from '@scriptorium/contracts/problems';
import { usedUpQuota } from '../../db/faults.ts';
import { transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Pack } from '../../entities/packs/pack.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { gaveUp, type TaskRun } from '../../outbox/task-run.ts';
import { createJobs } from '../creating/create.ts';
import type { JobDeps } from '../steps/step.ts';
import { stopPack } from './end.ts';
import { changePack, lockPack, packOrigin } from './load.ts';
import { packOperations } from './operations.ts';
import {
  collectEnded,
  countDocuments,
  type LeftOut,
  leaveOut,
  nextDocuments,
  type PackCounts,
  readWorking,
  startDocuments,
} from './queries.ts';

/**
 * Maximum number of a pack's jobs that run at the same time, so that a large pack does not exhaust
 * the project's quota.
 */
const atOnce = 64;
/** Maximum number of documents per run. High, because a refresh reuses most of them. */
const perLook = 500;
/**
 * How often jobs are polled: running jobs, less often the longer nothing has happened; jobs that
 * all wait for a person; and an exhausted quota.
 */
const lookSeconds = { min: 1, max: 15, share: 0.1 };
const reviewSeconds = 20;
const quotaSeconds = 15;

type AdvanceRun = TaskRun<'pack.advance'>;

/**
 * Advances a pack: collects documents that have ended, starts others, and schedules the next run.
 */
export async function advancePack(deps: JobDeps, run: AdvanceRun): Promise<void> {
  for (let room = atOnce; ; ) {
    const quota = room;
    try {
      return await withPack(run, (tx, pack) => advance(tx, deps, pack, quota));
    } catch (error) {
      const full = usedUpQuota(error);
      if (!full) throw error;
      // Fewer with each failure, since other jobs of the project may be created meanwhile.
      room = Math.max(0, Math.min(Math.floor(room / 2), full.limit - full.used));
    }
  }
}

/** Fails a pack whose workers all died. */
export async function giveUpAdvancing(run: AdvanceRun): Promise<void> {
  await withPack(run, (tx, pack) => stopPack(tx, packOrigin(pack), pack, gaveUp('The pack')));
}

/** Ends the task and, if the pack is still being built, does `work` with the pack locked. */
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

/** @param quota how many more jobs the project may start, up to `atOnce` */
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
  collectEnded(tx, pack);
  const before = await countDocuments(tx, pack);
  if (pack.options.on_error === 'abort' && before.failed + before.withheld > 0) {
    const message = 'A document failed or is withheld, and `on_error` is `abort`.';
    const error = { code: 'document_left_out', message, retryable: before.failed > 0 };
    return stopPack(tx, packOrigin(pack), pack, error);
  }
  const hurried = await startMore(tx, deps, pack, before, quota);
  const counts = hurried ? await countDocuments(tx, pack) : before;
  await tellProgress(tx, pack, counts);
  if (counts.open > 0) {
    return again(tx, pack, hurried ? 0 : await pauseOf(tx, pack, counts, quota));
  }
  await schedule(tx, pack.projectId, pack.id, {
    kind: 'pack.assemble',
    payload: { pack_id: pack.id },
  });
}

/** The number of seconds until the next run. */
async function pauseOf(tx: Tx, pack: Pack, { open }: PackCounts, quota: number): Promise<number> {
  const { jobs, waiting, seconds } = await readWorking(tx, pack);
  if (open === waiting) return reviewSeconds;
  if (jobs === 0 && quota === 0) return quotaSeconds;
  const { min, max, share } = lookSeconds;
  // Without jobs, the last ones have ended since they were collected.
  return jobs === 0 ? min : Math.min(max, Math.max(min, seconds * share));
}

async function again(tx: Tx, { projectId, id }: Pack, dueInSeconds: number): Promise<void> {
  const payload = { pack_id: id };
  await schedule(tx, projectId, id, { kind: 'pack.advance', payload, dueInSeconds });
}

/**
 * Starts documents while there is room for their jobs.
 * @returns whether some ended at once, so that the next run should start immediately
 */
async function startMore(
  tx: Tx,
  { seal }: JobDeps,
  pack: Pack,
  counts: PackCounts,
  quota: number,
): Promise<boolean> {
  if (counts.open === 0) return false;
  const { jobs } = await readWorking(tx, pack);
  if (jobs >= atOnce) return false;
  const operations = packOperations(pack.options);
  const pending = await nextDocuments(tx, pack, operations, perLook);
  const room = Math.min(quota, atOnce - jobs);
  const gone = pending.filter(({ state }) => state !== 'available');
  const there = pending.filter(({ state }) => state === 'available');
  const reused = there.flatMap(({ position, reusable }) =>
    reusable === null ? [] : [{ position, jobId: reusable, reused: true }],
  );
  const fresh = there.filter(({ reusable }) => reusable === null).slice(0, room);
  const request = {
    ...{ operations, mayReadPii: false, pages: null, seal },
    metadata: { pack_id: pack.id },
  };
  const origin: Origin = packOrigin(pack);
  const outcomes =
    fresh.length === 0
      ? []
      : await createJobs(
          tx,
          origin,
          request,
          fresh.map(({ objectId }) => objectId),
          'continue',
        );
  const made = fresh.flatMap(({ position }, at) => {
    const { job } = outcomes[at]!;
    return job ? [{ position, jobId: job.id, reused: false }] : [];
  });
  const rejected = fresh.flatMap(({ position }, at) => {
    const { problem } = outcomes[at]!;
    return problem ? [leftOutFor(position, problem)] : [];
  });
  startDocuments(tx, pack, [...reused, ...made]);
  leaveOut(tx, pack, [...gone.map(({ position }) => vanished(position)), ...rejected]);
  return reused.length + gone.length + rejected.length > 0;
}

/** Why no job was created for a document. */
function leftOutFor(position: number, { code, message, errors = [] }: Problem): LeftOut {
  if (code === 'policy_denied') {
    return { position, state: 'withheld', error: { code, message, retryable: false } };
  }
  if (code === 'reference_not_found' || code === 'state_conflict') return vanished(position);
  const { code: own, detail } = errors[0] ?? { code, detail: message };
  return { position, state: 'failed', error: { code: own, message: detail, retryable: false } };
}

/** The object was trashed or purged, or never became available. */
export function vanished(position: number): LeftOut {
  const message = 'The object is no longer available.';
  return {
    position,
    state: 'failed',
    error: { code: 'source_unavailable', message, retryable: false },
  };
}

/** Stores the progress, and records an event if the whole percent changed. The last is the archive. */
async function tellProgress(tx: Tx, pack: Pack, counts: PackCounts): Promise<void> {
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
