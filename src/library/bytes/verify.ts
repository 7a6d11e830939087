import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { query, type Tx } from '../../db/transaction.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import { byteReferences } from './references.ts';

/** Bytes that are not as the rows that point at them say. */
export interface BytesFault {
  project_id: string;
  sha256: string;
  fault: 'missing' | 'wrong_size' | 'wrong_hash';
  expected_bytes: number;
  found_bytes: number | null;
}

type InProject = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** What a verification looks at. */
export interface Verification {
  /** How many contents are read and hashed, chosen by chance; null: all of them. */
  sample: number | null;
  /** Told now and then how many have been looked at. */
  progress(looked: number): void;
}

export interface Verified {
  /** Contents that rows point at: each was looked for, and its size compared. */
  looked: number;
  /** Of these, how many were read whole and hashed. */
  hashed: number;
  bytes_hashed: number;
  faults: BytesFault[];
}

/** How many contents are asked for at once. */
const perPage = 1_000;
/** How many are looked at at once. */
const together = 8;

/**
 * Holds a project's rows against its bytes: that all are there, as long as they should be, and of
 * some that they hash to their name. Reads only, and needs no pause of anything: what is purged
 * meanwhile is no fault.
 * @param inProject one transaction behind the project's wall
 */
export async function verifyBytes(
  storage: Storage,
  inProject: InProject,
  projectId: string,
  { sample, progress }: Verification,
): Promise<Verified> {
  const result: Verified = { looked: 0, hashed: 0, bytes_hashed: 0, faults: [] };
  const total = sample === null ? 0 : await inProject((tx) => countContents(tx, projectId));
  const contents = pointedAt(inProject, projectId);
  const look = async (): Promise<void> => {
    for (let next = await contents.next(); !next.done; next = await contents.next()) {
      const content = next.value;
      // Each of those that are left has the same chance, and exactly so many are taken.
      const left = total - result.looked;
      const whole = sample === null || Math.random() * left < sample - result.hashed;
      result.looked += 1;
      if (whole) {
        result.hashed += 1;
        result.bytes_hashed += content.bytes;
      }
      const found = await faultOf(storage, projectId, content, whole);
      if (found && (await inProject((tx) => isPointedAt(tx, projectId, content.sha256)))) {
        result.faults.push({ project_id: projectId, sha256: content.sha256, ...found });
      }
      if (result.looked % 1_000 === 0) progress(result.looked);
    }
  };
  await Promise.all(Array.from({ length: together }, look));
  return result;
}

interface Content {
  sha256: string;
  bytes: number;
}

/**
 * Every content that rows of a project point at, once, in the order of their hashes.
 * @param inProject one transaction behind the project's wall
 */
export async function* pointedAt(
  inProject: InProject,
  projectId: string,
): AsyncGenerator<Content, undefined> {
  for (let after = ''; ; ) {
    const contents = await inProject((tx) => listContents(tx, projectId, after));
    yield* contents;
    if (contents.length < perPage) return;
    after = contents.at(-1)!.sha256;
  }
}

const everyPointer = byteReferences
  .map(
    ({ table, column }) => `SELECT ${column} AS sha256, bytes FROM ${table} WHERE project_id = $1`,
  )
  .join(' UNION ALL ');

async function countContents(tx: Tx, projectId: string): Promise<number> {
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(DISTINCT sha256) AS n FROM (${everyPointer}) pointed`,
    [projectId],
  );
  return row!.n;
}

async function listContents(tx: Tx, projectId: string, after: string): Promise<Content[]> {
  return query<Content>(
    tx,
    `SELECT sha256, max(bytes) AS bytes FROM (${everyPointer}) pointed WHERE sha256 > $2
     GROUP BY sha256 ORDER BY sha256 LIMIT ${perPage}`,
    [projectId, after],
  );
}

async function isPointedAt(tx: Tx, projectId: string, sha256: string): Promise<boolean> {
  const rows = await query(
    tx,
    `SELECT sha256 FROM (${everyPointer}) pointed WHERE sha256 = $2 LIMIT 1`,
    [projectId, sha256],
  );
  return rows.length === 1;
}

async function faultOf(
  storage: Storage,
  projectId: string,
  { sha256, bytes }: Content,
  whole: boolean,
): Promise<Omit<BytesFault, 'project_id' | 'sha256'> | null> {
  const stored = await storage.stat(projectId, sha256);
  const missing = { fault: 'missing', expected_bytes: bytes, found_bytes: null } as const;
  if (!stored) return missing;
  const found = { expected_bytes: bytes, found_bytes: stored.bytes };
  if (stored.bytes !== bytes) return { fault: 'wrong_size', ...found };
  if (!whole) return null;
  try {
    const hash = createHash('sha256');
    await pipeline(await storage.open(projectId, sha256), hash);
    return hash.digest('hex') === sha256 ? null : { fault: 'wrong_hash', ...found };
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') return missing;
    throw error;
  }
}
