import { prepared, type Tx } from '../../db/transaction.ts';
import type { ReceivedBytes } from '../../storage/storage.ts';

declare const retained: unique symbol;

/** Stored bytes that remain until the transaction ends. */
export interface RetainedBytes {
  readonly sha256: string;
  readonly bytes: number;
  readonly [retained]: true;
}

/**
 * The key of the advisory lock on bytes of the project in $1, in SQL: shared by transactions that
 * write rows with references to them, exclusive for the sweep.
 */
export function bytesLockKey(sha256: string): string {
  return `hashtextextended('bytes ' || $1::text || ' ' || ${sha256}, 0)`;
}

/**
 * Ensures that bytes are in storage, and protects them from the sweep until the transaction ends.
 * Call it before writing a row that references bytes, in the same transaction. Commit large files
 * before the transaction begins; this function then only checks that they exist.
 *
 * A row never references missing bytes, because the lock is held from before the check until after the
 * commit of the row, and the sweep reads rows and removes bytes under the same lock, exclusively. If the
 * sweep comes first, the check finds the bytes missing and restores them; if it comes later, it finds
 * the row.
 * @throws StorageError `storage_full`, `unavailable`
 */
export async function retainBytes(
  tx: Tx,
  projectId: string,
  received: ReceivedBytes,
): Promise<RetainedBytes> {
  const { sha256, bytes } = received;
  await prepared(tx, `SELECT pg_advisory_xact_lock_shared(${bytesLockKey('$2::text')})`, [
    projectId,
    sha256,
  ]);
  await received.commit();
  return { sha256, bytes } as RetainedBytes;
}
