import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import type { Identity } from '../../access/authenticate.ts';
import { smallBodyBytes } from '../connections/limits.ts';
import { requirePresence, whenOver } from '../connections/responses.ts';
import { announcedBytes, incomingBody, type RawBody } from '../requests/body.ts';
import type { Exchange } from './exchange.ts';

/**
 * Reads the body of a request. A small body that arrives with the headers is read before login, so
 * that one transaction suffices for login and work; its memory is limited per IP address. For other
 * bodies `login` runs first. No transaction is open while waiting for bytes.
 * @throws Problem from `login`, 400 or 408 for an incomplete body, 429 without memory
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
    const { caller } = await login();
    requirePresence(ctx.res);
    const max = limits.json_body_bytes;
    const release = frame.bodies.ofKeys.take(caller.id, Math.min(announced ?? max, max));
    if (!release) {
      const detail = 'Too many request bodies are in progress. Retry in a moment.';
      throw new Problem('rate_limited', detail, { headers: { 'Retry-After': '1' } });
    }
    whenOver(ctx.res, release);
    return await body.rest(frame.clientLimits);
  } finally {
    body.drop();
  }
}
