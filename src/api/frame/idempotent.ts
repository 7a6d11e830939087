import type { ClaimedKey, Identity } from '../../access/authenticate.ts';
import {
  type IdempotencyClaim,
  isIdempotencyKey,
  storedUnder,
  storeIdempotent,
} from '../../access/idempotency.ts';
import { Problem } from '../../contracts/problems.ts';
import type { Tx } from '../../db/transaction.ts';
import { valuesOf } from '../requests/credentials.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import { type Replay, takesIdempotencyKey } from './route.ts';
import { render } from './send.ts';

/** The Idempotency-Key of a request as `admit` is asked for it; null where there is none, or none that may be. */
export function wantedKey(exchange: Exchange): string | null {
  if (!takesIdempotencyKey(exchange.route)) return null;
  const [value, ...more] = valuesOf(exchange.ctx.req, 'idempotency-key');
  return value !== undefined && more.length === 0 && isIdempotencyKey(value) ? value : null;
}

/**
 * The claim of a request on its Idempotency-Key; null where the route takes none or none was sent.
 * @throws Problem 400 for one that is malformed or repeated
 */
export function claimOf(
  exchange: Exchange,
  identity: Identity,
  fingerprint: () => Buffer,
): IdempotencyClaim | null {
  if (!takesIdempotencyKey(exchange.route)) return null;
  if (valuesOf(exchange.ctx.req, 'idempotency-key').length === 0) return null;
  const value = wantedKey(exchange);
  if (value === null) {
    const detail = 'Idempotency-Key must stand once, with 1 to 255 printable ASCII characters.';
    throw new Problem('malformed_request', detail, {
      errors: [{ header: 'Idempotency-Key', code: 'wrong_format', detail }],
    });
  }
  return {
    projectId: identity.projectId,
    keyId: identity.keyId,
    route: exchange.route.operationId,
    value,
    fingerprint: fingerprint(),
  };
}

/** The answer stored under a key that was claimed, if there is one. */
export function replay(
  exchange: Exchange,
  tx: Tx | null,
  claim: IdempotencyClaim,
  key: ClaimedKey,
): Replay | null {
  const stored = storedUnder(tx, exchange.frame.deps.seal, claim, key);
  if (!stored) return null;
  return {
    status: stored.status,
    body: stored.body,
    headers: { ...stored.headers, 'Idempotent-Replayed': 'true' },
    replayed: true,
  };
}

/** Whether a reply comes out of the store. */
export function isReplay(reply: Reply | Replay): reply is Replay {
  return 'replayed' in reply;
}

/** Stores a 2xx under its Idempotency-Key, as the text that is sent. */
export async function keep(
  exchange: Exchange,
  tx: Tx,
  claim: IdempotencyClaim,
  answer: Reply,
): Promise<Reply> {
  const rendered = render(exchange, answer);
  if (answer.status >= 200 && answer.status < 300) {
    const stored = {
      status: rendered.status,
      headers: rendered.headers,
      body: String(rendered.body ?? ''),
    };
    const secret = exchange.route.secretResponse ?? false;
    storeIdempotent(tx, exchange.frame.deps.seal, claim, stored, secret);
  }
  return rendered;
}
