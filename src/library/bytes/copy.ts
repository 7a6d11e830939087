import { type Storage, StorageError } from '../../storage/storage.ts';

/** The result of copying bytes from one storage to another. */
export interface CopyResult {
  copied: number;
  bytes_copied: number;
  /** Already in the destination. */
  present: number;
  /** Not copied: missing from the source, or not matching the hash in their name. */
  faults: { sha256: string; fault: 'missing' | 'wrong_hash' }[];
}

/** The number of contents copied at a time. */
const concurrency = 4;

/**
 * Copies the bytes of a project that the other storage lacks; removes nothing. Bytes are hashed while
 * they are copied, and those that do not match the hash in their name are not stored.
 */
export async function copyBytes(
  from: Storage,
  to: Storage,
  projectId: string,
  contents: AsyncIterable<{ sha256: string; bytes: number }>,
): Promise<CopyResult> {
  const result: CopyResult = { copied: 0, bytes_copied: 0, present: 0, faults: [] };
  const queue = contents[Symbol.asyncIterator]();
  const copyNext = async (): Promise<void> => {
    for (;;) {
      const next = await queue.next();
      if (next.done) return;
      const { sha256, bytes } = next.value;
      const existing = await to.stat(projectId, sha256);
      if (existing?.bytes === bytes) {
        result.present += 1;
        continue;
      }
      const fault = await copyContent(from, to, projectId, sha256);
      if (fault) {
        result.faults.push({ sha256, fault });
        continue;
      }
      result.copied += 1;
      result.bytes_copied += bytes;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, copyNext));
  return result;
}

async function copyContent(
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
