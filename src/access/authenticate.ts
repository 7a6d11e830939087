import { timingSafeEqual } from 'node:crypto';
import { Problem } from '../contracts/problems.ts';
import type { Scope } from '../contracts/scopes.ts';
import { type WorkClass, workBounds } from '../contracts/work/work.ts';
import { prepared, stayBehind, type Tx } from '../db/transaction.ts';
import type { SessionClaim } from './portal-sessions.ts';

/** The key behind a request, and what it may do. */
export interface Identity {
  keyId: string;
  projectId: string;
  scopes: Scope[];
  allowedCidrs: string[];
  readPerMinute: number | null;
  writePerMinute: number | null;
}

/** The credentials of a request. */
export interface Credentials {
  keyHash: Buffer;
  /** Null if the project header is missing, repeated or malformed: reported after the key is checked. */
  projectId: string | null;
  /** The portal session that the key is used through. */
  session?: SessionClaim;
}

/** The state of one Idempotency-Key: whether this request holds it, and the answer stored under it. */
export interface ClaimedKey {
  claimed: boolean | null;
  fingerprint: Buffer | null;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  encrypted: boolean | null;
  age_seconds: number | null;
}

interface Row extends ClaimedKey {
  outcome: 'granted' | 'invalid' | 'revoked' | 'expired' | 'forbidden' | 'ended';
  key_id: string | null;
  stored_hash: Buffer | null;
  scopes: Scope[] | null;
  allowed_cidrs: string[] | null;
  read_per_minute: number | null;
  write_per_minute: number | null;
}

/** What Postgres returns about the caller. */
export interface Admission {
  identity: Identity;
  /** For each requested Idempotency-Key. */
  keys: ClaimedKey[];
}

/**
 * Checks a key and its portal session, and restricts the transaction to its project: log-in, row-level
 * security, the time limit of later statements and Idempotency-Keys in one statement.
 * @throws Problem 401 for a session that has ended or a key that is unknown, revoked or expired; then
 *   400 without a project; then 403 if the project does not exist or is not the key's
 */
export async function askAdmission(
  tx: Tx,
  { keyHash, projectId, session }: Credentials,
  work: WorkClass,
  claim: { route: string; values: readonly string[] } | null,
): Promise<Admission> {
  const seconds = workBounds[work].statementSeconds;
  const values = claim?.values ?? [];
  const rows = await (session || values.length > 1
    ? prepared<Row>(tx, 'SELECT * FROM admit($1, $2, $3, $4, $5, $6, $7)', [
        ...[keyHash, projectId, session?.id ?? null, session?.stored ?? null, seconds],
        ...[claim?.route ?? null, claim?.values ?? null],
      ])
    : prepared<Row>(tx, 'SELECT * FROM admit_key($1, $2, $3, $4, $5)', [
        ...[keyHash, projectId, seconds, claim?.route ?? null, values[0] ?? null],
      ]));
  const [row] = rows;
  if (row?.outcome === 'ended') throw sessionOver();
  if (!row || row.outcome === 'invalid') throw keyInvalid();
  if (!row.stored_hash || !timingSafeEqual(row.stored_hash, keyHash)) throw keyInvalid();
  if (row.outcome === 'revoked') throw new Problem('api_key_revoked', 'The API key was revoked.');
  if (row.outcome === 'expired') throw new Problem('api_key_expired', 'The API key has expired.');
  if (projectId === null) throw projectHeaderRequired();
  if (row.outcome === 'forbidden' || !row.key_id) {
    throw new Problem(
      'project_forbidden',
      'The API key does not belong to the project in X-Service-Project-ID.',
    );
  }
  const identity = {
    keyId: row.key_id,
    projectId,
    scopes: row.scopes ?? [],
    allowedCidrs: row.allowed_cidrs ?? [],
    readPerMinute: row.read_per_minute,
    writePerMinute: row.write_per_minute,
  };
  stayBehind(tx, projectId, workBounds[work].statementSeconds);
  return { identity, keys: claim ? rows : [] };
}

/** Logs in without an Idempotency-Key, as `askAdmission` does. */
export async function authenticate(
  tx: Tx,
  credentials: Credentials,
  work: WorkClass,
): Promise<Identity> {
  return (await askAdmission(tx, credentials, work, null)).identity;
}

/**
 * Checks the key that a signed token names, and restricts the transaction to its project.
 * @returns the key's scopes; null if it does not exist, is revoked or has expired
 */
export async function authenticateSigned(
  tx: Tx,
  projectId: string,
  keyId: string,
): Promise<Scope[] | null> {
  const [row] = await prepared<{ scopes: Scope[] | null }>(
    tx,
    `SELECT authenticate_signed($1, $2) AS scopes, set_config('statement_timeout', $3, true)`,
    [projectId, keyId, `${workBounds.quick.statementSeconds}s`],
  );
  return row?.scopes ?? null;
}

/** The portal session is missing or has ended. */
export function sessionOver(): Problem {
  return new Problem(
    'authentication_required',
    'The portal session is missing or has ended. Log in again.',
  );
}

/** The key does not exist, is revoked or has expired: the response is the same. */
export function keyInvalid(): Problem {
  return new Problem('api_key_invalid', 'The API key is invalid.');
}

function projectHeaderRequired(): Problem {
  const detail = 'Send the header X-Service-Project-ID once, with a project id (prj_…).';
  return new Problem('project_header_required', detail, {
    errors: [{ header: 'X-Service-Project-ID', code: 'project_header_required', detail }],
  });
}
