import { Raw } from 'typeorm';
import { limits } from '../contracts/limits.ts';
import { sendDelete, sendInsert, sendUpsert, transactionTime } from '../db/statements/rows.ts';
import type { Tx } from '../db/transaction.ts';
import { PortalSession } from '../entities/access/portal-session.ts';

const expiry = (): string => `now() + interval '${limits.portal_session_hours} hours'`;

/** A session as authentication looks it up. */
export interface SessionClaim {
  id: string;
  /** False for one from before sessions were rows: it is valid until it is ended. */
  stored: boolean;
}

/**
 * Records a new portal session of a key. Beyond the maximum per key, its oldest sessions end.
 * @returns when it expires
 */
export async function beginSession(
  tx: Tx,
  projectId: string,
  keyId: string,
  id: string,
): Promise<Date> {
  const isNotNewest = Raw(
    (column) => `${column} NOT IN (
      SELECT id FROM portal_session
      WHERE project_id = :projectId AND key_id = :keyId AND expires_at > now()
      ORDER BY created_at DESC, id LIMIT :most)`,
    { projectId, keyId, most: limits.portal_sessions_per_key - 1 },
  );
  sendDelete(tx, PortalSession, { projectId, keyId, id: isNotNewest });
  sendInsert(tx, PortalSession, { projectId, keyId, id, expiresAt: expiry });
  return (await tx.findOneByOrFail(PortalSession, { projectId, id })).expiresAt;
}

/** Ends a session, in every process and for good. */
export function endSession(tx: Tx, projectId: string, keyId: string, id: string): void {
  const ended = { projectId, keyId, id, expiresAt: expiry, endedAt: transactionTime };
  sendUpsert(tx, PortalSession, ended, ['endedAt']);
}
