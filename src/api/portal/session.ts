import { randomBytes } from 'node:crypto';
import { Ajv } from 'ajv';
import type { Context } from 'koa';
import { type Static, Type } from 'typebox';
import { type Credentials, type Identity, sessionOver } from '../../access/authenticate.ts';
import { beginSession, endSession } from '../../access/portal-sessions.ts';
import type { Seal } from '../../access/seal.ts';
import type { Signer } from '../../access/signer.ts';
import { limits } from '../../contracts/limits.ts';
import { Problem } from '../../contracts/problems.ts';
import type { Tx } from '../../db/transaction.ts';
import { readCredentials } from '../requests/credentials.ts';
import { refuseOtherSites } from '../requests/same-site.ts';

export const sessionPath = '/portal/session';
const cookieName = 'portal';
const maxAgeSeconds = limits.portal_session_hours * 3_600;
/** Separates CSRF tokens from everything else that is signed. */
const csrfPurpose = 'portal-csrf';

/**
 * The sealed contents of the cookie, which authenticate as long as the row of the session exists.
 */
const Contents = Type.Object({
  id: Type.String(),
  key_hash: Type.String(),
  project_id: Type.String(),
  until: Type.Integer(),
  /** Missing in cookies of releases without rows for sessions. */
  stored: Type.Optional(Type.Literal(true)),
});
type Contents = Static<typeof Contents>;
const isContents = new Ajv().compile<Contents>(Contents);

/**
 * The sessions of the portal. An API key is exchanged for an HttpOnly, SameSite cookie and a CSRF
 * token. The cookie holds the sealed hash of the key. Every request checks the row of the session
 * and the key in one statement.
 */
export interface PortalSessions {
  /** Starts a session of the key in the request headers; returns the cookie to set. */
  begin(tx: Tx, ctx: Context, key: Identity): Promise<Session & { cookie: string }>;
  /** Ends the session of a request; returns the cookie that deletes it. */
  end(tx: Tx, ctx: Context, key: Identity): string;
  /** The session of a request. @throws Problem 401 without a session */
  of(ctx: Context): Session;
  csrfTokenOf(sessionId: string): string;
  /**
   * The credentials of a request: those of the session, or of the two headers when a session
   * starts.
   * @throws Problem 401 without a session, 403 for a change without the CSRF token or from another
   *   site
   */
  credentialsOf(ctx: Context): Credentials;
}

interface Session {
  id: string;
  expiresAt: Date;
}

export function createPortalSessions(seal: Seal, signer: Signer): PortalSessions {
  const open = (ctx: Context): Contents => {
    const contents = openCookie(seal, ctx.cookies.get(cookieName));
    if (contents !== null && contents.until > Date.now()) return contents;
    throw sessionOver();
  };
  return {
    async begin(tx, ctx, { projectId, keyId }) {
      const id = randomBytes(16).toString('base64url');
      const expiresAt = await beginSession(tx, projectId, keyId, id);
      const contents: Contents = {
        id,
        key_hash: readCredentials(ctx.req).keyHash.toString('base64url'),
        project_id: projectId,
        until: expiresAt.getTime(),
        stored: true,
      };
      const value = seal.seal(JSON.stringify(contents), ['portal_session']);
      return { id, expiresAt, cookie: cookie(value, maxAgeSeconds, ctx.secure) };
    },
    end(tx, ctx, { projectId, keyId }) {
      endSession(tx, projectId, keyId, open(ctx).id);
      return cookie('', 0, ctx.secure);
    },
    of(ctx) {
      const { id, until } = open(ctx);
      return { id, expiresAt: new Date(until) };
    },
    csrfTokenOf: (id) => signer.sign(csrfPurpose, id),
    credentialsOf(ctx) {
      refuseOtherSites(ctx);
      if (ctx.path === sessionPath && ctx.method === 'POST') return readCredentials(ctx.req);
      const contents = open(ctx);
      const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(ctx.method);
      if (!isSafe && signer.verify(csrfPurpose, ctx.get('X-CSRF-Token')) !== contents.id) {
        throw new Problem(
          'csrf_token_invalid',
          'Send the CSRF token of the session in the X-CSRF-Token header. GET /portal/session returns it.',
        );
      }
      return {
        keyHash: Buffer.from(contents.key_hash, 'base64url'),
        projectId: contents.project_id,
        session: { id: contents.id, stored: contents.stored === true },
      };
    },
  };
}

function cookie(value: string, maxAge: number, secure: boolean): string {
  const flags = `Path=/portal; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;
  return `${cookieName}=${value}; ${flags}${secure ? '; Secure' : ''}`;
}

function openCookie(seal: Seal, value: string | undefined): Contents | null {
  if (!value) return null;
  try {
    const contents: unknown = JSON.parse(seal.open(value, ['portal_session']));
    return isContents(contents) ? contents : null;
  } catch {
    // Not sealed by this service, or with a removed key: no session.
    return null;
  }
}
