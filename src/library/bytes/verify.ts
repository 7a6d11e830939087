import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { type InTransaction, query, type Tx } from '../../db/transaction.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import { byteReferences } from './references.ts';

/** Bytes that do not match the rows that reference them. */
interface BytesFault {
  project_id: string;
  sha256: string;
  fault: 'missing' | 'wrong_size' | 'wrong_hash';
  expected_bytes: number;
  found_bytes: number | null;
}

/** The scope of a verification. */
export interface Verification {
  /** How many contents are read and hashed, chosen at random; null for all. */
  sample: number | null;
  /** Called occasionally with the number of contents checked so far. */
  progress(looked: number): void;
}

export interface Verified {
  /** The number of referenced contents. Each was looked up, and its size was compared. */
  looked: number;
  /** How many of these were read and hashed. */
  hashed: number;
  bytes_hashed: number;
  faults: BytesFault[];
}

/** How many contents one query reads. */
const perPage = 1_000;
/** How many are checked concurrently. */
const together = 8;

/**
 * Checks that all bytes that a project's rows reference exist with the right size, and that a
 * sample of them matches their hashes. Reads only, and can run at any time: contents that are
 * purged meanwhile do not count as faults.
 * @param inProject runs a transaction restricted to the project
 */
export async function verifyBytes(
  storage: Storage,
  inProject: InTransaction,
  projectId: string,
  { sample, progress }: Verification,
): Promise<Verified> {
  const result: Verified = { looked: 0, hashed: 0, bytes_hashed: 0, faults: [] };
  const total = sample === null ? 0 : await inProject((tx) => countContents(tx, projectId));
  const contents = pointedAt(inProject, projectId);
  const look = async (): Promise<void> => {
    for (let next = await contents.next(); !next.done; next = await contents.next()) {
      const content = next.value;
      // A uniform random sample of exactly the requested size.
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
 * Every content that rows of a project reference, once, in the order of their hashes.
 * @param inProject runs one transaction behind the project's wall
 */
export async function* pointedAt(
  inProject: InTransaction,
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
