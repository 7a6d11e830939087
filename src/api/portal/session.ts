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
/** Keeps a token of a session's from passing as anything else that is signed. */
const csrfPurpose = 'portal-csrf';

/** What the cookie holds, sealed: enough to log in with while the session’s row says that it goes on. */
const Contents = Type.Object({
  id: Type.String(),
  key_hash: Type.String(),
  project_id: Type.String(),
  until: Type.Integer(),
  /** Missing from cookies of a release that kept no rows of sessions. */
  stored: Type.Optional(Type.Literal(true)),
});
type Contents = Static<typeof Contents>;
const isContents = new Ajv().compile<Contents>(Contents);

/**
 * The portal's sessions. An API key is exchanged for a cookie that scripts cannot read and other sites
 * cannot send, and a token that the page sends with whatever changes something. The cookie holds the
 * key's hash, sealed; the session's row and the key are checked at every request, in one statement.
 */
export interface PortalSessions {
  /** Begins a session of the key that a request's own headers hold: the cookie to set. */
  begin(tx: Tx, ctx: Context, key: Identity): Promise<Session & { cookie: string }>;
  /** Ends a request's session everywhere; returns the cookie that takes its own away. */
  end(tx: Tx, ctx: Context, key: Identity): string;
  /** The session of a request. @throws Problem 401 without one */
  of(ctx: Context): Session;
  csrfTokenOf(sessionId: string): string;
  /**
   * The credentials behind a request: of the session, but where one begins, of the two headers.
   * @throws Problem 401 without a session, 403 for a change without its token or from another site
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
          'Send the session’s token in X-CSRF-Token; GET /portal/session tells it.',
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
    // Not sealed by us, or under a key that is gone: no session.
    return null;
  }
}
