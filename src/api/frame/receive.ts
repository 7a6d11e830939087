import type { Identity } from '../../access/authenticate.ts';
import { limits } from '../../contracts/limits.ts';
import { Problem } from '../../contracts/problems.ts';
import { smallBodyBytes } from '../connections/limits.ts';
import { requirePresence, whenOver } from '../connections/presence.ts';
import { announcedBytes, incomingBody, type RawBody } from '../requests/body.ts';
import type { Exchange } from './exchange.ts';

/**
 * Reads the body of a request. A small one that comes with its headers is read at once, so that one
 * transaction does for login and work; it takes little room, and an address has only so much of it.
 * For any other, `login` comes first. No transaction is open while bytes are waited for.
 * @throws Problem what `login` throws; 400 or 408 for a body that does not arrive, 429 without room
 */
export async function receiveBody(
  exchange: Exchange,
  login: () => Promise<Identity>,
): Promise<RawBody> {
  const { ctx, frame, address } = exchange;
  const announced = announcedBytes(ctx.req);
  if (announced === 0) return { bytes: Buffer.alloc(0), tooLarge: false };
  const body = incomingBody(ctx.req, ctx.res);
  const isSmall = announced !== null && announced <= smallBodyBytes;
  if (isSmall && ctx.req.headers.expect === undefined) {
    const release = frame.bodies.ofStrangers.take(address ?? '', announced);
    const early = release && (await body.within(frame.clientLimits.smallBodyMs));
    if (release && early) {
      whenOver(ctx.res, release);
      return early;
    }
    release?.();
  }
  try {
    const { keyId } = await login();
    requirePresence(ctx.res);
    const most = limits.json_body_bytes;
    const release = frame.bodies.ofKeys.take(keyId, Math.min(announced ?? most, most));
    if (!release) {
      const detail = 'Too many bodies are on their way; send this one again in a moment.';
      throw new Problem('rate_limited', detail, { headers: { 'Retry-After': '1' } });
    }
    whenOver(ctx.res, release);
    return await body.rest(frame.clientLimits);
  } finally {
    body.drop();
  }
}
