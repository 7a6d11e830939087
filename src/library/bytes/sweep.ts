import type { Database } from '../../db/database.ts';
import { inProject, query } from '../../db/transaction.ts';
import type { Storage } from '../../storage/storage.ts';
import { findUnreferenced } from './references.ts';
import { bytesLockKey } from './retain.ts';

interface SweepDeps {
  database: Database;
  storage: Storage;
}

interface SweepOptions {
  /** Younger bytes are kept: a row that references them may be about to be written. */
  graceMs: number;
  /** Continues after this hash. */
  after?: string | undefined;
  /** Stops after this many hashes. */
  limit: number;
  signal?: AbortSignal;
}

export interface SweepResult {
  seen: number;
  removed: number;
  /** Where to continue; null after the last. */
  next: string | null;
}

/** The number of hashes that one query looks up. */
const hashesPerQuery = 1_000;
/** The number of hashes locked and removed at a time. Uploads of the same bytes wait meanwhile. */
const hashesPerRemoval = 50;

/** Removes bytes of a project that no row references and that are older than the grace period. */
export async function sweepBytes(
  deps: SweepDeps,
  projectId: string,
  options: SweepOptions,
): Promise<SweepResult> {
  const result: SweepResult = { seen: 0, removed: 0, next: null };
  const stored = deps.storage.list(projectId, options.after);
  for await (const hashes of inBatches(stored, Math.min(hashesPerQuery, options.limit))) {
    const unreferenced = await inProject(deps.database, projectId, (tx) =>
      findUnreferenced(tx, projectId, hashes),
    );
    for (let at = 0; at < unreferenced.length; at += hashesPerRemoval) {
      options.signal?.throwIfAborted();
      const batch = unreferenced.slice(at, at + hashesPerRemoval);
      result.removed += await removeUnreferenced(deps, projectId, batch, options.graceMs);
    }
    options.signal?.throwIfAborted();
    result.seen += hashes.length;
    if (result.seen >= options.limit) return { ...result, next: hashes.at(-1)! };
  }
  return result;
}

/**
 * Removes the bytes that are not retained, that no row references and that are older than the grace
 * period (`retainBytes` explains why this is safe). The sweep never waits for a lock, so it cannot
 * deadlock. Bytes that others have locked are checked again in the next sweep.
 * @returns how many were removed
 */
export async function removeUnreferenced(
  deps: SweepDeps,
  projectId: string,
  candidates: string[],
  graceMs: number,
): Promise<number> {
  return inProject(deps.database, projectId, async (tx) => {
    const locked = await query<{ sha256: string }>(
      tx,
      `SELECT sha256 FROM unnest($2::text[]) AS suspect (sha256)
       WHERE pg_try_advisory_xact_lock(${bytesLockKey('sha256')})`,
      [projectId, candidates],
    );
    // A separate statement, which sees everything committed before the locks were free.
    const hashes = locked.map(({ sha256 }) => sha256);
    const orphans = await findUnreferenced(tx, projectId, hashes);
    if (orphans.length === 0) return 0;
    const storedBefore = (await deps.storage.now()) - graceMs;
    const results = await Promise.allSettled(
      orphans.map((sha256) => removeOld(deps.storage, projectId, sha256, storedBefore)),
    );
    // The locks must be held until every removal has ended.
    const failed = results.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return results.filter((end) => end.status === 'fulfilled' && end.value).length;
  });
}

async function removeOld(
  storage: Storage,
  projectId: string,
  sha256: string,
  storedBefore: number,
): Promise<boolean> {
  const stored = await storage.stat(projectId, sha256);
  if (!stored || stored.storedAt.getTime() > storedBefore) return false;
  await storage.remove(projectId, sha256);
  return true;
}

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
