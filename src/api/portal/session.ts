import { compile } from '@scriptorium/contracts/helpers/validator';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import { type Static, Type } from 'typebox';
import { type Credentials, type Identity, sessionEnded } from '../../access/authenticate.ts';
import { beginSession, endSession, moveSession } from '../../access/portal-sessions.ts';
import type { Seal } from '../../access/seal.ts';
import type { Signer } from '../../access/signer.ts';
import { postgresTime } from '../../db/postgres-time.ts';
import type { Tx } from '../../db/transaction.ts';
import { cookieHeader, readCookie } from '../frame/responses/cookie.ts';
import { readCredentials } from '../requests/headers.ts';
import { rejectCrossOriginChange } from '../requests/same-site.ts';

export const sessionPath = '/portal/session';
export const sessionsPath = '/portal/sessions';
const sessionCookie = {
  name: 'portal',
  prefix: '__Host-',
  path: '/portal',
  sameSite: 'Strict',
} as const;
const maxAgeSeconds = limits.portal_session_hours * 3_600;
/** Distinguishes CSRF tokens from other signed texts. */
const csrfPurpose = 'portal-csrf';
/** The maximum length of a stored browser name. */
const maxUserAgentLength = 300;

/** The encrypted contents of the cookie. They are valid while the session's row exists. */
const Contents = Type.Object({
  id: Type.String(),
  /** Absent in the session of a person. */
  key_hash: Type.Optional(Type.String()),
  project_id: Type.String(),
  until: Type.Integer(),
});
type Contents = Static<typeof Contents>;
const isContents = compile(Contents);

/** The owner of a new session, and its project. */
type SessionOwner = Pick<Identity, 'caller' | 'projectId'>;

/**
 * The sessions of the portal. An API key or a sign-in is exchanged for an HttpOnly, SameSite cookie
 * and a CSRF token. The cookie holds the identifier of the session and, for a key's session, the
 * sealed hash of the key. Every request checks the row of the session and the key or the membership
 * in one statement.
 */
export interface PortalSessions {
  /** Starts a session of the key in the request headers; returns the cookie to set. */
  begin(tx: Tx, ctx: Context, key: SessionOwner, address: string | null): Promise<NewSession>;
  /** Starts a session of a person. */
  beginForPerson(
    tx: Tx,
    ctx: Context,
    person: SessionOwner,
    address: string | null,
  ): Promise<NewSession>;
  /** Ends the session of a request. Returns the Set-Cookie header that removes its cookie. */
  end(tx: Tx, ctx: Context, owner: SessionOwner): string;
  /** Returns the Set-Cookie header that removes the session cookie. */
  removeCookie(ctx: Context): string;
  /**
   * Moves the session of a person to another project; returns the new session and its cookie.
   * @throws Problem 409 for a session of a key, 403 if the person is not a member of the project
   */
  move(tx: Tx, ctx: Context, projectId: string): Promise<NewSession>;
  /** The session of a request. @throws Problem 401 without a session */
  read(ctx: Context): Session;
  csrfTokenOf(session: Session): string;
  /**
   * The credentials of a request: from the session, or from the two headers when a session starts.
   * @throws Problem 401 without a session, 403 for a change without the CSRF token or from another
   *   site
   */
  credentialsOf(ctx: Context): Credentials;
}

interface Session {
  id: string;
  projectId: string;
  isOfPerson: boolean;
  expiresAt: Date;
}

type NewSession = Session & { cookie: string };

export function createPortalSessions(seal: Seal, signer: Signer): PortalSessions {
  const readContents = (ctx: Context): Contents => {
    const contents = openCookie(seal, readCookie(ctx, sessionCookie));
    if (contents !== null && contents.until > postgresTime()) return contents;
    throw sessionEnded();
  };
  const cookieOf = (ctx: Context, contents: Contents): string => {
    const value = seal.seal(JSON.stringify(contents), ['portal_session']);
    const remainingSeconds = Math.ceil((contents.until - postgresTime()) / 1_000);
    const maxAge = Math.min(maxAgeSeconds, remainingSeconds);
    return cookieHeader({ ...sessionCookie, value, maxAge, secure: ctx.secure });
  };
  const begin = async (
    tx: Tx,
    ctx: Context,
    { projectId, caller }: SessionOwner,
    address: string | null,
    keyHash: Buffer | null,
  ): Promise<NewSession> => {
    const id = newId('session');
    const userAgent = ctx.get('User-Agent').slice(0, maxUserAgentLength) || null;
    const expiresAt = await beginSession(tx, projectId, caller, { id, address, userAgent });
    const contents: Contents = {
      id,
      ...(keyHash && { key_hash: keyHash.toString('base64url') }),
      project_id: projectId,
      until: expiresAt.getTime(),
    };
    return { ...toSession(contents), cookie: cookieOf(ctx, contents) };
  };
  /**
   * The token also contains the project, so that a page that shows another project than the
   * session's cannot make changes.
   */
  const csrfPayloadOf = ({ id, projectId, isOfPerson }: Session): string =>
    isOfPerson ? `${id} ${projectId}` : id;
  return {
    begin: (tx, ctx, key, address) =>
      begin(tx, ctx, key, address, readCredentials(ctx.req).keyHash),
    beginForPerson: (tx, ctx, person, address) => begin(tx, ctx, person, address, null),
    end(tx, ctx, { projectId, caller }) {
      endSession(tx, projectId, caller, readContents(ctx).id);
      return cookieHeader({ ...sessionCookie, value: '', maxAge: 0, secure: ctx.secure });
    },
    removeCookie: (ctx) =>
      cookieHeader({ ...sessionCookie, value: '', maxAge: 0, secure: ctx.secure }),
    async move(tx, ctx, projectId) {
      const contents = readContents(ctx);
      const session = toSession(contents);
      if (!session.isOfPerson) {
        const detail = 'A session of an API key stays in the project of the key.';
        throw new Problem('state_conflict', detail);
      }
      if (!(await moveSession(tx, session, projectId))) {
        throw new Problem('project_forbidden', 'You are not a member of this project.');
      }
      const moved = { ...contents, project_id: projectId };
      return { ...toSession(moved), cookie: cookieOf(ctx, moved) };
    },
    read: (ctx) => toSession(readContents(ctx)),
    csrfTokenOf: (session) => signer.sign(csrfPurpose, csrfPayloadOf(session)),
    credentialsOf(ctx) {
      rejectCrossOriginChange(ctx);
      if (ctx.path === sessionPath && ctx.method === 'POST') return readCredentials(ctx.req);
      const contents = readContents(ctx);
      const session = toSession(contents);
      const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(ctx.method);
      const csrfToken = ctx.get('X-CSRF-Token');
      if (!isSafe && signer.verify(csrfPurpose, csrfToken) !== csrfPayloadOf(session)) {
        throw new Problem(
          'csrf_token_invalid',
          'Send the CSRF token of the session in the X-CSRF-Token header. GET /portal/session returns it.',
        );
      }
      const { id, key_hash: keyHash, project_id: projectId } = contents;
      if (keyHash === undefined) return { memberSession: id, projectId };
      return { keyHash: Buffer.from(keyHash, 'base64url'), projectId, keySession: id };
    },
  };
}

function toSession({ id, project_id: projectId, key_hash: keyHash, until }: Contents): Session {
  return { id, projectId, isOfPerson: keyHash === undefined, expiresAt: new Date(until) };
}

function openCookie(seal: Seal, value: string | undefined): Contents | null {
  if (!value) return null;
  try {
    const contents: unknown = JSON.parse(seal.open(value, ['portal_session']));
    return isContents(contents) ? contents : null;
  } catch {
    // Encrypted by another service, or with a key that was removed.
    return null;
  }
}
