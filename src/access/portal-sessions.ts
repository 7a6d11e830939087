import { limits } from '@scriptorium/contracts/limits';
import { Raw } from 'typeorm';
import { sendDelete, sendInsert, sendUpdate, transactionTime } from '../db/statements/rows.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import { PortalSession } from '../entities/access/portal-session.ts';
import type { Caller } from './authenticate.ts';

const expiry = (): string => `now() + interval '${limits.portal_session_hours} hours'`;

/** A session to create, with the address and browser of its request. */
interface NewSession {
  id: string;
  address: string | null;
  userAgent: string | null;
}

type SessionHolder = Pick<Caller, 'type' | 'id'>;

const holderColumn = ({ type, id }: SessionHolder) =>
  type === 'user' ? { userId: id } : { keyId: id };

/**
 * Records a new portal session of a key or a person. If the key or person has too many, the oldest
 * sessions are deleted.
 * @returns when it expires
 */
export async function beginSession(
  tx: Tx,
  projectId: string,
  holder: SessionHolder,
  session: NewSession,
): Promise<Date> {
  const column = holder.type === 'user' ? 'user_id' : 'key_id';
  const isNotNewest = Raw(
    (id) => `${id} NOT IN (
      SELECT id FROM portal_session
      WHERE project_id = :projectId AND ${column} = :holder AND expires_at > now()
      ORDER BY created_at DESC, id LIMIT :max)`,
    { projectId, holder: holder.id, max: limits.portal_sessions_per_key - 1 },
  );
  sendDelete(tx, PortalSession, { projectId, ...holderColumn(holder), id: isNotNewest });
  sendInsert(tx, PortalSession, {
    projectId,
    ...holderColumn(holder),
    ...session,
    expiresAt: expiry,
  });
  const { id } = session;
  return (await tx.findOneByOrFail(PortalSession, { projectId, id })).expiresAt;
}

/** Ends a session permanently, in every process. */
export function endSession(tx: Tx, projectId: string, holder: SessionHolder, id: string): void {
  const where = { projectId, ...holderColumn(holder), id };
  sendUpdate(tx, PortalSession, where, { endedAt: transactionTime });
}

/** Ends the sessions of a person in a project. */
export function endSessionsOfPerson(tx: Tx, projectId: string, userId: string): void {
  sendDelete(tx, PortalSession, { projectId, userId });
}

/** The session of the request. */
interface CurrentSession {
  projectId: string;
  id: string;
}

/** A live session. */
export interface LiveSession {
  id: string;
  project_id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
}

/**
 * The caller's live sessions: those of a person in all projects, or those of a key. Most recently
 * used first.
 */
export function listSessions(tx: Tx, current: CurrentSession): Promise<LiveSession[]> {
  return prepared<LiveSession>(
    tx,
    `SELECT id, project_id, created_at, last_seen_at, expires_at, address, user_agent
     FROM sessions_beside($1, $2)`,
    [current.projectId, current.id],
  );
}

/**
 * Ends a live session of the caller, or all of them.
 * @param sessionId null for all
 * @returns how many have ended
 */
export async function endSessions(
  tx: Tx,
  current: CurrentSession,
  sessionId: string | null,
): Promise<number> {
  const [row] = await prepared<{ n: number }>(tx, 'SELECT end_sessions_beside($1, $2, $3) AS n', [
    current.projectId,
    current.id,
    sessionId,
  ]);
  return row!.n;
}

/**
 * Moves the session of a person to another project.
 * @returns whether the person is a member of it
 */
export async function moveSession(
  tx: Tx,
  current: CurrentSession,
  nextProjectId: string,
): Promise<boolean> {
  const [row] = await prepared<{ moved: boolean }>(tx, 'SELECT move_session($1, $2, $3) AS moved', [
    current.projectId,
    current.id,
    nextProjectId,
  ]);
  return row!.moved;
}
