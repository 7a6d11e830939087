import { createHash } from 'node:crypto';
import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import type { Signer } from '../../access/signer.ts';
import { postgresTime } from '../../db/postgres-time.ts';
import type { Share } from '../../entities/library/share.ts';
import { cookieHeader, readCookie } from '../frame/responses/cookie.ts';

const purpose = 'share_visit';
/** A browser may have visits of several links. The path of each cookie is that of its link. */
const visitCookie = { name: 'share_visit', prefix: '__Secure-' } as const;
const grantPurpose = 'share_download';

/** Whether a link must be opened by a POST before it shows anything. */
export function needsEntry({ passwordHash, maxViews }: Share): boolean {
  // Programs that fetch previews of links must not count as visits.
  return passwordHash !== null || maxViews !== null;
}

/** Whether a browser has a visit of this link that was started with its current password. */
export function isVisiting(ctx: Context, signer: Signer, share: Share): boolean {
  const token = readCookie(ctx, visitCookie);
  const [id, passwordMark, until] = (token && signer.verify(purpose, token))?.split(' ') ?? [];
  return (
    id === share.id && passwordMark === passwordMarkOf(share) && Number(until) > postgresTime()
  );
}

/** Starts a visit. Its cookie is sent to this link only. */
export function beginVisit(ctx: Context, signer: Signer, share: Share, path: string): void {
  const seconds = limits.share_visit_hours * 3_600;
  const expiresAt = postgresTime() + seconds * 1_000;
  const value = signer.sign(purpose, `${share.id} ${passwordMarkOf(share)} ${expiresAt}`);
  const { secure } = ctx;
  const cookie = { ...visitCookie, value, path, maxAge: seconds, secure };
  ctx.append('Set-Cookie', cookieHeader({ ...cookie, sameSite: 'Lax' }));
}

/** A value that changes with the password. */
function passwordMarkOf({ passwordHash }: Share): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
    .slice(0, 16);
}

/** Signs a token with which a counted download can be resumed. */
export function signDownload(signer: Signer, share: Share, objectId: string): string {
  const until = postgresTime() + limits.share_download_minutes * 60_000;
  return signer.sign(grantPurpose, `${share.id} ${passwordMarkOf(share)} ${objectId} ${until}`);
}

/** Whether a token proves that a download was counted. */
export function isCounted(signer: Signer, share: Share, objectId: string, token: string): boolean {
  const [id, passwordMark, object, until] = signer.verify(grantPurpose, token)?.split(' ') ?? [];
  const belongsToShare = id === share.id && passwordMark === passwordMarkOf(share);
  return belongsToShare && object === objectId && Number(until) > postgresTime();
}

/**
 * Requires that a link is still open.
 * @throws Problem 410 `share_closed`
 */
export function requireOpen({ state }: Share, hasVisit: boolean): void {
  if (state === 'active' || (state === 'used_up' && hasVisit)) return;
  if (state === 'expired') throw shareClosed('The link has expired.');
  if (state === 'used_up') throw shareClosed('The link has reached its maximum number of visits.');
  throw shareClosed();
}

export function shareClosed(detail = 'The link no longer works.'): Problem {
  return new Problem('share_closed', detail);
}

export function entryRequired({ passwordHash }: Share): Problem {
  return new Problem(
    'share_entry_required',
    passwordHash === null
      ? 'The number of visits is limited. Send a POST to the link to start a visit.'
      : 'The link has a password. Send it in a POST to the link.',
    { extra: { password_required: passwordHash !== null } },
  );
}
