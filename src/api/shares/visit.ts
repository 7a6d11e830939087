import { createHash } from 'node:crypto';
import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import type { Signer } from '../../access/signer.ts';
import { postgresTime } from '../../db/postgres-time.ts';
import type { Share } from '../../entities/library/share.ts';
import { cookieHeader, readCookie } from '../frame/answers/cookie.ts';

const purpose = 'share_visit';
/** A browser may have visits of several links: the cookie of each is limited to its path. */
const ownCookie = { name: 'share_visit', prefix: '__Secure-' } as const;
const grantPurpose = 'share_download';

/** Whether a link must be opened by a POST before it shows anything. */
export function needsEntry({ passwordHash, maxViews }: Share): boolean {
  // Programs that fetch links for a preview must not use up visits.
  return passwordHash !== null || maxViews !== null;
}

/** Whether a browser has a visit of this link, with its current password. */
export function isVisiting(ctx: Context, signer: Signer, share: Share): boolean {
  const token = readCookie(ctx, ownCookie);
  const [id, mark, until] = (token && signer.verify(purpose, token))?.split(' ') ?? [];
  return id === share.id && mark === markOf(share) && Number(until) > postgresTime();
}

/** Begins a visit: its cookie is sent to this link only. */
export function beginVisit(ctx: Context, signer: Signer, share: Share, path: string): void {
  const seconds = limits.share_visit_hours * 3_600;
  const until = postgresTime() + seconds * 1_000;
  const value = signer.sign(purpose, `${share.id} ${markOf(share)} ${until}`);
  const { secure } = ctx;
  const cookie = { ...ownCookie, value, path, maxAge: seconds, secure };
  ctx.append('Set-Cookie', cookieHeader({ ...cookie, sameSite: 'Lax' }));
}

/** A value that changes with the password. */
function markOf({ passwordHash }: Share): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
    .slice(0, 16);
}

/** Permits one counted download to be resumed. */
export function signDownload(signer: Signer, share: Share, objectId: string): string {
  const until = postgresTime() + limits.share_download_minutes * 60_000;
  return signer.sign(grantPurpose, `${share.id} ${markOf(share)} ${objectId} ${until}`);
}

/** Whether a download was already counted. */
export function isCounted(signer: Signer, share: Share, objectId: string, token: string): boolean {
  const [id, mark, object, until] = signer.verify(grantPurpose, token)?.split(' ') ?? [];
  const isOfShare = id === share.id && mark === markOf(share);
  return isOfShare && object === objectId && Number(until) > postgresTime();
}

/**
 * Requires that a link still works.
 * @throws Problem 410 `share_closed`
 */
export function requireOpen({ state }: Share, visiting: boolean): void {
  if (state === 'active' || (state === 'used_up' && visiting)) return;
  if (state === 'expired') throw closed('The link has expired.');
  if (state === 'used_up') throw closed('The link was used as often as it allows.');
  throw closed();
}

export function closed(detail = 'The link no longer works.'): Problem {
  return new Problem('share_closed', detail);
}

export function entryRequired({ passwordHash }: Share): Problem {
  return new Problem(
    'share_entry_required',
    passwordHash === null
      ? 'The number of visits is limited. Send a POST to the link to begin one.'
      : 'The link has a password. Send it in a POST to the link.',
    { extra: { password_required: passwordHash !== null } },
  );
}
