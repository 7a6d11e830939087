import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';

/**
 * Rejects changes that a browser sends from a page of another origin (Fetch Metadata, Origin).
 * @throws Problem 403
 */
export function rejectCrossOriginChange(ctx: Context): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  // Pages cannot forge Sec-Fetch-Site, and it is correct behind a proxy that terminates TLS.
  const isCrossOrigin =
    site !== ''
      ? site !== 'same-origin' && site !== 'none'
      : origin !== '' && origin !== `${ctx.protocol}://${ctx.host}`;
  if (!isCrossOrigin) return;
  throw new Problem('origin_not_allowed', 'Requests from pages of other origins are not allowed.');
}
