import { prepared, type Tx } from '../../db/transaction.ts';

/**
 * Locks the members and invitations of a project until the transaction ends, so that two admins
 * cannot both leave as the last one, and no person becomes a member twice.
 */
export async function lockMembers(tx: Tx, projectId: string): Promise<void> {
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('members ' || $1, 0))`, [
    projectId,
  ]);
}
