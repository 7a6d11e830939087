import { Problem } from '@scriptorium/contracts/problems';
import type { IdempotencyKeyState, Identity } from '../../../access/authenticate.ts';
import {
  findStoredResponse,
  type IdempotencyClaim,
  isIdempotencyKey,
  storeResponse,
} from '../../../access/idempotency.ts';
import type { Tx } from '../../../db/transaction.ts';
import { headerValues } from '../../requests/headers.ts';
import type { Exchange } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { ReplayedReply } from '../route.ts';
import { acceptsIdempotencyKey } from '../route-properties.ts';
import { serialise } from './send.ts';

/** The Idempotency-Key of a request, claimed with the login; null if missing or invalid. */
export function readIdempotencyKey(exchange: Exchange): string | null {
  if (!acceptsIdempotencyKey(exchange.route)) return null;
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
  if (!acceptsIdempotencyKey(exchange.route)) return null;
  if (headerValues(exchange.ctx.req, 'idempotency-key').length === 0) return null;
  const value = readIdempotencyKey(exchange);
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
export function findStoredReply(
  exchange: Exchange,
  tx: Tx | null,
  claim: IdempotencyClaim,
  key: IdempotencyKeyState,
): ReplayedReply | null {
  const stored = findStoredResponse(tx, exchange.frame.deps.seal, claim, key);
  if (!stored) return null;
  return {
    status: stored.status,
    body: stored.body,
    headers: { ...stored.headers, 'Idempotent-Replayed': 'true' },
    replayed: true,
  };
}

/** Whether a reply was stored by an earlier request. */
export function isReplay(reply: Reply | ReplayedReply): reply is ReplayedReply {
  return 'replayed' in reply;
}

/** Stores a 2xx response under its Idempotency-Key, as the text that is sent. */
export async function storeReply(
  exchange: Exchange,
  tx: Tx,
  claim: IdempotencyClaim,
  reply: Reply,
): Promise<Reply> {
  const serialised = serialise(exchange, reply);
  if (reply.status >= 200 && reply.status < 300) {
    const stored = {
      status: serialised.status,
      headers: serialised.headers,
      body: String(serialised.body ?? ''),
    };
    const secret = exchange.route.secretResponse ?? false;
    storeResponse(tx, exchange.frame.deps.seal, claim, stored, secret);
  }
  return serialised;
}
