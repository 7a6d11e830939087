import { limits } from '../contracts/limits.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';

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
  send(
    tx,
    `DELETE FROM portal_session WHERE project_id = $1 AND key_id = $2 AND id NOT IN (
       SELECT id FROM portal_session WHERE project_id = $1 AND key_id = $2 AND expires_at > now()
       ORDER BY created_at DESC, id LIMIT $3)`,
    [projectId, keyId, limits.portal_sessions_per_key - 1],
  );
  const [row] = await prepared<{ expires_at: Date }>(
    tx,
    `INSERT INTO portal_session (project_id, key_id, id, expires_at)
     VALUES ($1, $2, $3, now() + interval '${limits.portal_session_hours} hours') RETURNING expires_at`,
    [projectId, keyId, id],
  );
  return row!.expires_at;
}

/** Ends a session, in every process and for good. */
export function endSession(tx: Tx, projectId: string, keyId: string, id: string): void {
  send(
    tx,
    `INSERT INTO portal_session (project_id, key_id, id, expires_at, ended_at)
     VALUES ($1, $2, $3, now() + interval '${limits.portal_session_hours} hours', now())
     ON CONFLICT (project_id, id) DO UPDATE SET ended_at = now()`,
    [projectId, keyId, id],
  );
}
