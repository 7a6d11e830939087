import type { Context } from 'koa';
import { clientAddress } from '../../access/addresses.ts';
import type { Deps } from '../deps.ts';

/** The address that a request comes from, also through a trusted proxy; null if it is unknown. */
export function addressOf({ settings }: Pick<Deps, 'settings'>, ctx: Context): string | null {
  const peer = ctx.req.socket.remoteAddress;
  return clientAddress(peer, ctx.get('X-Forwarded-For'), settings.trustProxy);
}
