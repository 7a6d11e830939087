import { Readable } from 'node:stream';
import { isTerminal } from '@scriptorium/contracts/jobs';
import { limits } from '@scriptorium/contracts/limits';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { finalFailure } from '@scriptorium/sandbox/errors';
import { inProject, type Tx } from '../../../db/transaction.ts';
import type { Pack } from '../../../entities/packs/pack.ts';
import { retainBytes } from '../../../library/bytes/retain.ts';
import { streamZip } from '../../../library/files/zip-writer.ts';
import { schedule } from '../../../outbox/schedule.ts';
import { gaveUpFailure, isLastRun, type TaskRun } from '../../../outbox/task-run.ts';
import { lockScopes } from '../../../policies/facts/holds.ts';
import { type ReceivedBytes, StorageError } from '../../../storage/storage.ts';
import type { JobDeps } from '../../steps/step.ts';
import { withPack } from '../advance.ts';
import { endPack } from '../end.ts';
import { findPack } from '../load.ts';
import { readPackedDocuments } from './changes.ts';
import type { PackedDocument } from './contents.ts';
import { entriesOf } from './entries.ts';
import { areUnchanged, type JudgedDocument, judgeDocuments, storeLeftOut } from './judge.ts';
import { createArchive, strictestFacts } from './store.ts';

type AssembleRun = TaskRun<'pack.assemble'>;

/** How often packing checks whether its pack was cancelled. */
const cancelPollMs = 2_000;

/** Runs the last step of a pack, which streams its archive into storage and ends it. */
export async function assemblePack(deps: JobDeps, run: AssembleRun): Promise<void> {
  const { projectId, payload } = run.task;
  const pack = await inProject(deps.database, projectId, (tx) =>
    findPack(tx, projectId, payload.pack_id),
  );
  if (!pack || isTerminal(pack.state) || pack.state === 'cancelling') {
    return withPack(run, async () => undefined);
  }
  const all = await judgeDocuments(deps, pack);
  const included = all.filter(({ state }) => state === 'succeeded');
  const leftOutCount = all.length - included.length;
  if (included.length === 0 || (leftOutCount > 0 && pack.options.on_error === 'abort')) {
    return withPack(run, async (tx, locked) => {
      await storeLeftOut(tx, locked, all);
      await endPack(tx, locked, 'failed', { error: leftOutFailure(all) });
    });
  }
  const cancelled = watchForCancel(deps, run, pack);
  try {
    const signal = AbortSignal.any([run.signal, cancelled.signal]);
    const received = await writeArchive(deps, pack, all, signal);
    try {
      await received.commit();
      await withPack(run, (tx, locked) => storeArchive(tx, locked, all, received));
    } finally {
      await received.discard();
    }
  } catch (error) {
    if (cancelled.signal.aborted) return withPack(run, async () => undefined);
    const failure = failureOf(error, isLastRun(run));
    if (!failure) throw error;
    await withPack(run, (tx, locked) => endPack(tx, locked, 'failed', { error: failure }));
  } finally {
    cancelled.stop();
  }
}

/** Fails a pack whose workers all died writing its archive. */
export async function giveUpPacking(run: AssembleRun): Promise<void> {
  await withPack(run, (tx, pack) =>
    endPack(tx, pack, 'failed', { error: gaveUpFailure('Writing the archive') }),
  );
}

async function writeArchive(
  deps: JobDeps,
  pack: Pack,
  all: readonly PackedDocument[],
  signal: AbortSignal,
): Promise<ReceivedBytes> {
  const { projectId, refreshes, options } = pack;
  const before =
    refreshes &&
    (await inProject(deps.database, projectId, (tx) =>
      readPackedDocuments(tx, projectId, refreshes, options.redact),
    ));
  const entries = entriesOf(deps, { pack, all, before: before || null, signal });
  const stream = Readable.from(streamZip(entries), { objectMode: false });
  const bounds = { maxBytes: limits.archive_bytes, signal };
  return deps.storage.receive(projectId, stream, bounds);
}

/**
 * Ends the pack with its archive, unless one of its documents must now be left out: then the
 * archive is written again.
 */
async function storeArchive(
  tx: Tx,
  pack: Pack,
  all: readonly JudgedDocument[],
  received: ReceivedBytes,
): Promise<void> {
  const included = all.filter(({ state }) => state === 'succeeded');
  // The scopes of policies are locked from here on, so no hold can be added meanwhile.
  lockScopes(tx, pack.projectId, 'shared');
  const facts = (await areUnchanged(tx, pack, all)) && (await strictestFacts(tx, pack, included));
  if (!facts) {
    const payload = { pack_id: pack.id };
    await schedule(tx, pack.projectId, pack.id, { kind: 'pack.assemble', payload });
    return;
  }
  await storeLeftOut(tx, pack, all);
  const content = await retainBytes(tx, pack.projectId, received);
  const objectId = await createArchive(tx, pack, content, facts);
  const isComplete = included.length === all.length;
  const error = isComplete ? null : leftOutFailure(all);
  await endPack(tx, pack, isComplete ? 'succeeded' : 'partially_succeeded', { objectId, error });
}

/** The failure or warning about documents that are not in a pack. */
function leftOutFailure(all: readonly PackedDocument[]): Failure {
  const leftOutDocuments = all.filter(({ state }) => state !== 'succeeded');
  const retryable = leftOutDocuments.some(({ error }) => error?.retryable === true);
  if (leftOutDocuments.length === all.length) {
    const message = 'No document could be packed. See the error of each document.';
    return { code: 'no_documents', message, retryable };
  }
  const message = `${leftOutDocuments.length} of ${all.length} documents are not in the pack. See the error of each document.`;
  return { code: 'documents_left_out', message, retryable };
}

/** The failure to report; null if the step should be retried. */
function failureOf(error: unknown, isFinalRun: boolean): Failure | null {
  if (error instanceof StorageError && error.code === 'too_large') {
    const message = 'The archive would be too large. Make several packs.';
    return { code: 'too_large', message, retryable: false };
  }
  return finalFailure(error, isFinalRun);
}

/** Polls until stopped, and aborts the signal when the pack is cancelled. */
function watchForCancel(deps: JobDeps, run: AssembleRun, { projectId, id }: Pack) {
  const cancelled = new AbortController();
  const checkCancelled = async (): Promise<void> => {
    const pack = await inProject(deps.database, projectId, (tx) => findPack(tx, projectId, id));
    if (!pack || pack.state === 'cancelling' || isTerminal(pack.state)) cancelled.abort();
  };
  const timer = setInterval(() => {
    checkCancelled().catch((error: unknown) =>
      run.log.warn({ err: error }, 'could not check whether a pack was cancelled'),
    );
  }, cancelPollMs);
  return { signal: cancelled.signal, stop: () => clearInterval(timer) };
}
