import type { Context } from 'koa';
import { Problem } from '../../contracts/problems.ts';

/**
 * A browser says where a request comes from (Fetch Metadata, Origin); what changes something must be
 * from here.
 * @throws Problem 403
 */
export function refuseOtherSites(ctx: Context): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  // The first cannot be forged by a page, nor does a proxy that ends TLS put it wrong.
  const isForeign =
    site !== ''
      ? site !== 'same-origin' && site !== 'none'
      : origin !== '' && origin !== `${ctx.protocol}://${ctx.host}`;
  if (!isForeign) return;
  throw new Problem(
    'origin_not_allowed',
    'A page of another origin sent this; only pages of this service may.',
  );
}
