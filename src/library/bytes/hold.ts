import { prepared, type Tx } from '../../db/transaction.ts';
import type { Received } from '../../storage/storage.ts';

declare const held: unique symbol;

/** Bytes that are in storage and stay there until the transaction that asked has ended. */
export interface HeldBytes {
  readonly sha256: string;
  readonly bytes: number;
  readonly [held]: true;
}

/**
 * The key of the advisory lock on bytes of the project in $1, in SQL: shared for whoever writes rows
 * that point at them, exclusive for the sweep.
 */
export function bytesLock(sha256: string): string {
  return `hashtextextended('bytes ' || $1::text || ' ' || ${sha256}, 0)`;
}

/**
 * Makes sure that bytes are in storage and keeps the sweep from them until the transaction ends:
 * whoever writes a row that points at bytes asks for them here first, in the same transaction. Large
 * ones are committed before it begins, so that here only a look remains.
 *
 * Why a row never points at bytes that are not there: the lock is held from before the look at
 * storage until after the commit of the row. The sweep looks for rows and removes under the same
 * lock, held alone. So either it comes first, and the look here finds the bytes gone and puts them
 * back; or it comes after, and finds the row.
 * @throws StorageError `storage_full`, `unavailable`
 */
export async function holdBytes(tx: Tx, projectId: string, received: Received): Promise<HeldBytes> {
  const { sha256, bytes } = received;
  await prepared(tx, `SELECT pg_advisory_xact_lock_shared(${bytesLock('$2::text')})`, [
    projectId,
    sha256,
  ]);
  await received.commit();
  return { sha256, bytes } as HeldBytes;
}
