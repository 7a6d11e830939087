import { Problem } from '@scriptorium/contracts/problems';
import type { ClaimedKey, Identity } from '../../../access/authenticate.ts';
import {
  type IdempotencyClaim,
  isIdempotencyKey,
  storedUnder,
  storeIdempotent,
} from '../../../access/idempotency.ts';
import type { Tx } from '../../../db/transaction.ts';
import { headerValues } from '../../requests/headers.ts';
import type { Exchange } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { ReplayedReply } from '../route.ts';
import { takesIdempotencyKey } from '../route-facts.ts';
import { render } from './send.ts';

/** The Idempotency-Key of a request to claim with the login; null if it is missing or invalid. */
export function wantedKey(exchange: Exchange): string | null {
  if (!takesIdempotencyKey(exchange.route)) return null;
  const [value, ...more] = headerValues(exchange.ctx.req, 'idempotency-key');
  return value !== undefined && more.length === 0 && isIdempotencyKey(value) ? value : null;
}

/**
 * The claim of a request on its Idempotency-Key; null if the route does not accept one or none was
 * sent.
 * @throws Problem 400 if it is malformed or repeated
 */
export function claimOf(
  exchange: Exchange,
  identity: Identity,
  fingerprint: () => Buffer,
): IdempotencyClaim | null {
  if (!takesIdempotencyKey(exchange.route)) return null;
  if (headerValues(exchange.ctx.req, 'idempotency-key').length === 0) return null;
  const value = wantedKey(exchange);
  if (value === null) {
    const detail =
      'The Idempotency-Key header must not be repeated and must have 1 to 255 printable ASCII characters.';
    throw new Problem('malformed_request', detail, {
      errors: [{ header: 'Idempotency-Key', code: 'wrong_format', detail }],
    });
  }
  return {
    projectId: identity.projectId,
    callerId: identity.caller.id,
    route: exchange.route.operationId,
    value,
    fingerprint: fingerprint(),
  };
}

/** The response stored under a claimed key, if any. */
export function replay(
  exchange: Exchange,
  tx: Tx | null,
  claim: IdempotencyClaim,
  key: ClaimedKey,
): ReplayedReply | null {
  const stored = storedUnder(tx, exchange.frame.deps.seal, claim, key);
  if (!stored) return null;
  return {
    status: stored.status,
    body: stored.body,
    headers: { ...stored.headers, 'Idempotent-Replayed': 'true' },
    replayed: true,
  };
}

/** Whether a reply is a stored one. */
export function isReplay(reply: Reply | ReplayedReply): reply is ReplayedReply {
  return 'replayed' in reply;
}

/** Stores a 2xx response under its Idempotency-Key, as the text that is sent. */
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
