import type { Database } from '../../db/database.ts';
import { inProject, query } from '../../db/transaction.ts';
import type { Storage } from '../../storage/storage.ts';
import { findUnreferenced } from './references.ts';
import { bytesLock } from './retain.ts';

interface SweepDeps {
  database: Database;
  storage: Storage;
}

interface Sweep {
  /** Younger bytes are kept: a row that references them may be about to be written. */
  graceMs: number;
  /** Continues after this hash. */
  after?: string | undefined;
  /** Stops early after this many. */
  limit: number;
  signal?: AbortSignal;
}

export interface Swept {
  seen: number;
  removed: number;
  /** Where to continue; null after the last. */
  next: string | null;
}

/** How many hashes one query covers. */
const perLook = 1_000;
/** How many are locked and removed at a time: uploads of the same bytes wait meanwhile. */
const perRemoval = 50;

/** Removes bytes of a project that no row references and that are older than the grace period. */
export async function sweepBytes(deps: SweepDeps, projectId: string, sweep: Sweep): Promise<Swept> {
  const swept: Swept = { seen: 0, removed: 0, next: null };
  const all = deps.storage.list(projectId, sweep.after);
  for await (const hashes of groups(all, Math.min(perLook, sweep.limit))) {
    const suspects = await inProject(deps.database, projectId, (tx) =>
      findUnreferenced(tx, projectId, hashes),
    );
    for (let at = 0; at < suspects.length; at += perRemoval) {
      sweep.signal?.throwIfAborted();
      const some = suspects.slice(at, at + perRemoval);
      swept.removed += await removeUnreferenced(deps, projectId, some, sweep.graceMs);
    }
    sweep.signal?.throwIfAborted();
    swept.seen += hashes.length;
    if (swept.seen >= sweep.limit) return { ...swept, next: hashes.at(-1)! };
  }
  return swept;
}

/**
 * Removes those bytes that are not retained (`retainBytes` explains why that is safe), that no row
 * references and that are older than the grace period. Locks are only tried: the sweep never waits,
 * so it cannot deadlock. Locked bytes are checked again in the next sweep.
 * @returns how many were removed
 */
export async function removeUnreferenced(
  deps: SweepDeps,
  projectId: string,
  suspects: string[],
  graceMs: number,
): Promise<number> {
  return inProject(deps.database, projectId, async (tx) => {
    const free = await query<{ sha256: string }>(
      tx,
      `SELECT sha256 FROM unnest($2::text[]) AS suspect (sha256)
       WHERE pg_try_advisory_xact_lock(${bytesLock('sha256')})`,
      [projectId, suspects],
    );
    // A separate statement, which sees everything committed before the locks were free.
    const hashes = free.map(({ sha256 }) => sha256);
    const orphans = await findUnreferenced(tx, projectId, hashes);
    if (orphans.length === 0) return 0;
    const storedBefore = (await deps.storage.now()) - graceMs;
    const ends = await Promise.allSettled(
      orphans.map((sha256) => removeOld(deps.storage, projectId, sha256, storedBefore)),
    );
    // The locks may be released only when no removal is in progress.
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return ends.filter((end) => end.status === 'fulfilled' && end.value).length;
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

async function* groups<T>(items: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
