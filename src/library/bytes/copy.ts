import { type Storage, StorageError } from '../../storage/storage.ts';

/** The result of copying bytes from one storage to another. */
export interface Copied {
  copied: number;
  bytes_copied: number;
  /** Already in the destination. */
  present: number;
  /** Not copied: missing from the source, or not matching the hash in their name. */
  faults: { sha256: string; fault: 'missing' | 'wrong_hash' }[];
}

/** How many are copied concurrently. */
const together = 4;

/**
 * Copies bytes of a project that the other storage lacks, and removes nothing there. Bytes are
 * hashed while they are copied; those that do not match their name are not stored.
 */
export async function copyBytes(
  from: Storage,
  to: Storage,
  projectId: string,
  contents: AsyncIterable<{ sha256: string; bytes: number }>,
): Promise<Copied> {
  const result: Copied = { copied: 0, bytes_copied: 0, present: 0, faults: [] };
  const queue = contents[Symbol.asyncIterator]();
  const work = async (): Promise<void> => {
    for (;;) {
      const next = await queue.next();
      if (next.done) return;
      const { sha256, bytes } = next.value;
      const there = await to.stat(projectId, sha256);
      if (there?.bytes === bytes) {
        result.present += 1;
        continue;
      }
      const fault = await copyOne(from, to, projectId, sha256);
      if (fault) {
        result.faults.push({ sha256, fault });
        continue;
      }
      result.copied += 1;
      result.bytes_copied += bytes;
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return result;
}

async function copyOne(
  from: Storage,
  to: Storage,
  projectId: string,
  sha256: string,
): Promise<'missing' | 'wrong_hash' | null> {
  let stream: Awaited<ReturnType<Storage['open']>>;
  try {
    stream = await from.open(projectId, sha256);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') return 'missing';
    throw error;
  }
  const received = await to.receive(projectId, stream, { maxBytes: Number.MAX_SAFE_INTEGER });
  try {
    if (received.sha256 !== sha256) return 'wrong_hash';
    await received.commit();
    return null;
  } finally {
    await received.discard();
  }
}
