import { randomBytes } from 'node:crypto';
import { Ajv } from 'ajv';
import type { Context } from 'koa';
import { type Static, Type } from 'typebox';
import type { Seal } from '../../access/seal.ts';
import type { Signer } from '../../access/signer.ts';
import { Problem } from '../../contracts/problems.ts';
import type { Credentials } from '../requests/credentials.ts';
import { readCredentials } from '../requests/credentials.ts';
import { refuseOtherSites } from '../requests/same-site.ts';

export const sessionPath = '/portal/session';
const cookieName = 'portal';
const sessionHours = 12;
/** Keeps a token of a session's from passing as anything else that is signed. */
const csrfPurpose = 'portal-csrf';

/** What the cookie holds, sealed: enough to log in with, and of no use outside of the cookie. */
const Contents = Type.Object({
  id: Type.String(),
  key_hash: Type.String(),
  project_id: Type.String(),
  until: Type.Integer(),
});
type Contents = Static<typeof Contents>;
const isContents = new Ajv().compile<Contents>(Contents);

/**
 * The portal's sessions. An API key is exchanged for a cookie that scripts cannot read and other sites
 * cannot send, and a token that the page sends with whatever changes something. Nothing is stored: the
 * cookie holds the key's hash, sealed, and the key is checked at every request as any other's is.
 */
export interface PortalSessions {
  /** Begins a session with the credentials of a request's own headers: the cookie to set. */
  begin(credentials: Credentials, secure: boolean): { cookie: string; expiresAt: Date; id: string };
  /** The cookie that ends one. */
  end(secure: boolean): string;
  /** The session of a request. @throws Problem 401 without one */
  of(ctx: Context): { id: string; expiresAt: Date };
  csrfTokenOf(sessionId: string): string;
  /**
   * The credentials behind a request: of the session, but where one begins, of the two headers.
   * @throws Problem 401 without a session, 403 for a change without its token or from another site
   */
  credentialsOf(ctx: Context): Credentials;
}

export function createPortalSessions(seal: Seal, signer: Signer): PortalSessions {
  const open = (ctx: Context): Contents => {
    const contents = openCookie(seal, ctx.cookies.get(cookieName));
    if (contents !== null && contents.until > Date.now()) return contents;
    throw new Problem('authentication_required', 'There is no session: log in to the portal.');
  };
  return {
    begin(credentials, secure) {
      if (credentials.projectId === null) throw new Error('A session needs a project.');
      const id = randomBytes(16).toString('base64url');
      const until = Date.now() + sessionHours * 3_600_000;
      const contents: Contents = {
        id,
        key_hash: credentials.keyHash.toString('base64url'),
        project_id: credentials.projectId,
        until,
      };
      const value = seal.seal(JSON.stringify(contents));
      return { id, expiresAt: new Date(until), cookie: cookie(value, sessionHours * 3600, secure) };
    },
    end: (secure) => cookie('', 0, secure),
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
    const contents: unknown = JSON.parse(seal.open(value));
    return isContents(contents) ? contents : null;
  } catch {
    // Not sealed by us, or under a key that is gone: no session.
    return null;
  }
}
