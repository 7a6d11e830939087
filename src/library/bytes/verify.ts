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
export interface VerifyOptions {
  /** How many contents are read and hashed, chosen at random; null for all. */
  sample: number | null;
  /** Called occasionally with the number of contents checked so far. */
  progress(checked: number): void;
}

export interface VerifyResult {
  /** The number of referenced files. Each was looked up, and its size was compared. */
  looked: number;
  /** How many of these were read and hashed. */
  hashed: number;
  bytes_hashed: number;
  faults: BytesFault[];
}

/** The number of contents that one query returns. */
const contentsPerQuery = 1_000;
/** The number of contents checked at a time. */
const concurrency = 8;

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
  { sample, progress }: VerifyOptions,
): Promise<VerifyResult> {
  const result: VerifyResult = { looked: 0, hashed: 0, bytes_hashed: 0, faults: [] };
  const total = sample === null ? 0 : await inProject((tx) => countContents(tx, projectId));
  const contents = listReferenced(inProject, projectId);
  const verifyContents = async (): Promise<void> => {
    for (let next = await contents.next(); !next.done; next = await contents.next()) {
      const content = next.value;
      // A uniform random sample of exactly the requested size.
      const remaining = total - result.looked;
      const shouldHash = sample === null || Math.random() * remaining < sample - result.hashed;
      result.looked += 1;
      if (shouldHash) {
        result.hashed += 1;
        result.bytes_hashed += content.bytes;
      }
      const fault = await findFault(storage, projectId, content, shouldHash);
      if (fault && (await inProject((tx) => isReferenced(tx, projectId, content.sha256)))) {
        result.faults.push({ project_id: projectId, sha256: content.sha256, ...fault });
      }
      if (result.looked % 1_000 === 0) progress(result.looked);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, verifyContents));
  return result;
}

interface Content {
  sha256: string;
  bytes: number;
}

/**
 * Every content that rows of a project reference, once, in the order of their hashes.
 * @param inProject runs a transaction restricted to the project, for each page
 */
export async function* listReferenced(
  inProject: InTransaction,
  projectId: string,
): AsyncGenerator<Content, undefined> {
  for (let after = ''; ; ) {
    const contents = await inProject((tx) => listContents(tx, projectId, after));
    yield* contents;
    if (contents.length < contentsPerQuery) return;
    after = contents.at(-1)!.sha256;
  }
}

const referencesSql = byteReferences
  .map(
    ({ table, column }) => `SELECT ${column} AS sha256, bytes FROM ${table} WHERE project_id = $1`,
  )
  .join(' UNION ALL ');

async function countContents(tx: Tx, projectId: string): Promise<number> {
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(DISTINCT sha256) AS n FROM (${referencesSql}) pointed`,
    [projectId],
  );
  return row!.n;
}

async function listContents(tx: Tx, projectId: string, after: string): Promise<Content[]> {
  return query<Content>(
    tx,
    `SELECT sha256, max(bytes) AS bytes FROM (${referencesSql}) pointed WHERE sha256 > $2
     GROUP BY sha256 ORDER BY sha256 LIMIT ${contentsPerQuery}`,
    [projectId, after],
  );
}

async function isReferenced(tx: Tx, projectId: string, sha256: string): Promise<boolean> {
  const rows = await query(
    tx,
    `SELECT sha256 FROM (${referencesSql}) pointed WHERE sha256 = $2 LIMIT 1`,
    [projectId, sha256],
  );
  return rows.length === 1;
}

async function findFault(
  storage: Storage,
  projectId: string,
  { sha256, bytes }: Content,
  shouldHash: boolean,
): Promise<Omit<BytesFault, 'project_id' | 'sha256'> | null> {
  const stored = await storage.stat(projectId, sha256);
  const missing = { fault: 'missing', expected_bytes: bytes, found_bytes: null } as const;
  if (!stored) return missing;
  const sizes = { expected_bytes: bytes, found_bytes: stored.bytes };
  if (stored.bytes !== bytes) return { fault: 'wrong_size', ...sizes };
  if (!shouldHash) return null;
  try {
    const hash = createHash('sha256');
    await pipeline(await storage.open(projectId, sha256), hash);
    return hash.digest('hex') === sha256 ? null : { fault: 'wrong_hash', ...sizes };
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') return missing;
    throw error;
  }
}
