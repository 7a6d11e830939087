import { createHash } from 'node:crypto';
import type { SealedContext } from '@scriptorium/contracts/documents/sealed';
import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import { sendDelete } from '../db/statements/rows.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';
import { Idempotency } from '../entities/access/idempotency.ts';
import type { IdempotencyKeyState } from './authenticate.ts';
import type { Seal } from './seal.ts';

/** A stored response, sent again on a retry. */
interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Identifies a repeated request: the caller, the route and the value that the client chose. */
export interface IdempotencyClaim {
  projectId: string;
  callerId: string;
  /** The operation of the route. */
  route: string;
  /** The Idempotency-Key header. */
  value: string;
  /** SHA-256 of the request. */
  fingerprint: Buffer;
}

/** Whether a header value may be an Idempotency-Key: 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(value: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(value);
}

/** The fingerprint of a request: an unambiguous hash of its parts. */
export function fingerprintOf(...parts: (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(`${Buffer.byteLength(part)}:`).update(part);
  }
  return hash.digest();
}

/**
 * Claims an Idempotency-Key until the transaction ends, as the SQL function `admit` does: at most one
 * request holds a key at a time.
 */
export async function claimIdempotencyKey(
  tx: Tx,
  claim: IdempotencyClaim,
): Promise<IdempotencyKeyState> {
  const { projectId, callerId, route, value } = claim;
  const [row] = await prepared<IdempotencyKeyState>(
    tx,
    `WITH lock AS MATERIALIZED (
       SELECT pg_try_advisory_xact_lock(idempotency_lock($1, $2, $3, $4)) AS claimed)
     SELECT lock.claimed, i.fingerprint, i.status, i.headers, i.body, i.encrypted,
       extract(epoch FROM now() - i.created_at)::integer AS age_seconds
     FROM lock LEFT JOIN idempotency i
       ON i.project_id = $1 AND i.key_id = $2 AND i.route = $3 AND i.value = $4`,
    [projectId, callerId, route, value],
  );
  return row!;
}

/**
 * The response that is stored under an Idempotency-Key.
 * @param tx deletes an expired response; null to leave it to the transaction that stores the next one
 * @returns null if the request has not been executed yet
 * @throws Problem 409 while another request holds the key, 422 if it was used for a different request
 */
export function findStoredResponse(
  tx: Tx | null,
  seal: Seal,
  claim: IdempotencyClaim,
  state: IdempotencyKeyState,
): StoredResponse | null {
  if (!state.claimed) {
    throw new Problem(
      'idempotency_in_progress',
      'A request with this Idempotency-Key is in progress. Retry when it has completed.',
      { retryable: true, headers: { 'Retry-After': '1' } },
    );
  }
  if (state.status === null || state.fingerprint === null || state.body === null) return null;
  if (state.age_seconds !== null && state.age_seconds > limits.idempotency_hours * 3_600) {
    const { projectId, callerId, route, value } = claim;
    if (tx) sendDelete(tx, Idempotency, { projectId, keyId: callerId, route, value });
    return null;
  }
  if (!state.fingerprint.equals(claim.fingerprint)) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used for a different request. Use a new one for each request.',
      {
        errors: [
          {
            header: 'Idempotency-Key',
            code: 'idempotency_key_reused',
            detail: 'It was used with a different path, query or body.',
          },
        ],
      },
    );
  }
  return {
    status: state.status,
    headers: state.headers ?? {},
    body: state.encrypted ? seal.open(state.body, sealedPlace(claim)) : state.body,
  };
}

const insertResponse = `INSERT INTO idempotency
    (project_id, key_id, route, value, fingerprint, status, headers, body, encrypted)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/**
 * Stores the response under the claimed key. If another request committed between the snapshot and the
 * lock of this one, the primary key rejects the row, and the frame retries the whole transaction
 * (`isLostRace`).
 */
export function storeResponse(
  tx: Tx,
  seal: Seal,
  claim: IdempotencyClaim,
  response: StoredResponse,
  isSecret: boolean,
): void {
  send(tx, insertResponse, [
    claim.projectId,
    claim.callerId,
    claim.route,
    claim.value,
    claim.fingerprint,
    response.status,
    JSON.stringify(response.headers),
    isSecret ? seal.seal(response.body, sealedPlace(claim)) : response.body,
    isSecret,
  ]);
}

function sealedPlace({ projectId, callerId, route, value }: IdempotencyClaim): SealedContext {
  return ['idempotent_answer', projectId, callerId, route, value];
}
