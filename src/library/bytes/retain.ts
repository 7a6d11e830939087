import { prepared, type Tx } from '../../db/transaction.ts';
import type { Received } from '../../storage/storage.ts';

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
export function bytesLock(sha256: string): string {
  return `hashtextextended('bytes ' || $1::text || ' ' || ${sha256}, 0)`;
}

/**
 * Ensures that bytes are in storage, and protects them from the sweep until the transaction ends.
 * Call it before writing a row that references bytes, in the same transaction. Commit large ones
 * before the transaction begins; this then only checks that they exist.
 *
 * Why a row never references missing bytes: the lock is held from before the check of storage until
 * after the row is committed. The sweep reads rows and removes bytes under the same lock,
 * exclusively. Either the sweep comes first, and the check finds the bytes missing and restores
 * them; or it comes after, and finds the row.
 * @throws StorageError `storage_full`, `unavailable`
 */
export async function retainBytes(
  tx: Tx,
  projectId: string,
  received: Received,
): Promise<RetainedBytes> {
  const { sha256, bytes } = received;
  await prepared(tx, `SELECT pg_advisory_xact_lock_shared(${bytesLock('$2::text')})`, [
    projectId,
    sha256,
  ]);
  await received.commit();
  return { sha256, bytes } as RetainedBytes;
}
