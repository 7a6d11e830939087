import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { type Role, scopesOf } from '@scriptorium/contracts/roles';
import { grants, type Scope } from '@scriptorium/contracts/scopes';
import { type WorkClass, workBounds } from '@scriptorium/contracts/work/work';
import { prepared, setProject, type Tx } from '../db/transaction.ts';
import { isWithin } from './ip-addresses.ts';
import { isBeingDeleted, projectDeleting } from './project-deletions.ts';

/**
 * Who makes a request: a key or a person. Rate limits, stored responses and denials are recorded
 * under its id.
 */
export type Caller = Actor & { type: 'api_key' | 'user'; id: string };

/** Who makes a request, and what they may do. */
export interface Identity {
  caller: Caller;
  projectId: string;
  /** The role of a person; null for a key. */
  role: Role | null;
  scopes: readonly Scope[];
  allowedCidrs: string[];
  readPerMinute: number | null;
  writePerMinute: number | null;
}

/** The credentials of a request. */
export type Credentials = KeyCredentials | MemberCredentials | TokenCredentials;

export interface KeyCredentials {
  keyHash: Buffer;
  /**
   * Null if the project header is missing, repeated or malformed, which is reported after the key
   * is checked.
   */
  projectId: string | null;
  /** The portal session through which the key is used. */
  keySession?: string;
}

/** A portal session of a member, in the project that it acts in. */
interface MemberCredentials {
  memberSession: string;
  projectId: string;
}

/** A person whom a verified access token names, in a project, and the scopes that it grants. */
export interface TokenCredentials {
  issuer: string;
  subject: string;
  scopes: readonly Scope[];
  projectId: string;
}

/**
 * Identifies the key, or the session of a member in a project, so that requests with it can be
 * grouped.
 */
export function credentialsKey(credentials: Credentials): string {
  if ('subject' in credentials) {
    const { issuer, subject, scopes, projectId } = credentials;
    return JSON.stringify([issuer, subject, scopes, projectId]);
  }
  return 'memberSession' in credentials
    ? `${credentials.memberSession} ${credentials.projectId}`
    : credentials.keyHash.toString('latin1');
}

/**
 * The state of an Idempotency-Key: whether this request has claimed it, and the response stored
 * under it.
 */
export interface IdempotencyKeyState {
  claimed: boolean | null;
  fingerprint: Buffer | null;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  encrypted: boolean | null;
  age_seconds: number | null;
}

interface KeyRow extends IdempotencyKeyState {
  outcome: 'granted' | 'invalid' | 'revoked' | 'expired' | 'forbidden' | 'ended';
  key_id: string | null;
  stored_hash: Buffer | null;
  scopes: Scope[] | null;
  allowed_cidrs: string[] | null;
  read_per_minute: number | null;
  write_per_minute: number | null;
}

/** An authenticated caller, and the Idempotency-Keys that the request has claimed. */
export interface Authentication {
  identity: Identity;
  /** For each requested Idempotency-Key. */
  idempotencyKeys: IdempotencyKeyState[];
}

/** The Idempotency-Keys that a request claims. */
interface IdempotencyClaims {
  route: string;
  values: readonly string[];
}

/**
 * Checks a key and its portal session, or the session of a person and their membership, and
 * restricts the transaction to the project: one statement checks them, sets row-level security and
 * the time limit of later statements, and claims Idempotency-Keys.
 * @throws Problem 401 for a session that has ended or a key that is unknown, revoked or expired;
 *   then 400 without a project; then 403 if the project does not exist or is not the key's
 */
export function authenticateAndClaim(
  tx: Tx,
  credentials: Credentials,
  work: WorkClass,
  claim: IdempotencyClaims | null,
): Promise<Authentication> {
  return 'keyHash' in credentials
    ? authenticateKey(tx, credentials, work, claim)
    : authenticateMember(tx, credentials, work, claim);
}

interface MemberRow extends IdempotencyKeyState {
  user_id: string | null;
  user_name: string | null;
  role: Role | null;
}

async function authenticateMember(
  tx: Tx,
  credentials: MemberCredentials | TokenCredentials,
  work: WorkClass,
  claim: IdempotencyClaims | null,
): Promise<Authentication> {
  const seconds = workBounds[work].statementSeconds;
  const { projectId } = credentials;
  const claimed = [seconds, claim?.route ?? null, claim?.values ?? null];
  const rows = await ('subject' in credentials
    ? prepared<MemberRow>(tx, 'SELECT * FROM admit_token($1, $2, $3, $4, $5, $6)', [
        projectId,
        credentials.issuer,
        credentials.subject,
        ...claimed,
      ])
    : prepared<MemberRow>(tx, 'SELECT * FROM admit_person($1, $2, $3, $4, $5)', [
        projectId,
        credentials.memberSession,
        ...claimed,
      ]));
  const [row] = rows;
  if (!row?.user_id || !row.role) {
    throw 'subject' in credentials ? notMember() : sessionEnded();
  }
  setProject(tx, projectId, seconds);
  const identity: Identity = {
    caller: { type: 'user', id: row.user_id, name: row.user_name },
    projectId,
    role: row.role,
    scopes: grantedScopes(credentials, row.role),
    allowedCidrs: [],
    readPerMinute: null,
    writePerMinute: null,
  };
  return { identity, idempotencyKeys: claim ? rows : [] };
}

/** The scopes of a role, as far as an access token grants them. */
function grantedScopes(
  credentials: MemberCredentials | TokenCredentials,
  role: Role,
): readonly Scope[] {
  const held = scopesOf(role);
  return 'subject' in credentials
    ? credentials.scopes.filter((scope) => grants(held, scope))
    : held;
}

async function authenticateKey(
  tx: Tx,
  { keyHash, projectId, keySession }: KeyCredentials,
  work: WorkClass,
  claim: IdempotencyClaims | null,
): Promise<Authentication> {
  const seconds = workBounds[work].statementSeconds;
  const values = claim?.values ?? [];
  const rows = await (keySession || values.length > 1
    ? prepared<KeyRow>(tx, 'SELECT * FROM admit($1, $2, $3, $4, $5, $6)', [
        keyHash,
        projectId,
        keySession ?? null,
        seconds,
        claim?.route ?? null,
        claim?.values ?? null,
      ])
    : prepared<KeyRow>(tx, 'SELECT * FROM admit_key($1, $2, $3, $4, $5)', [
        keyHash,
        projectId,
        seconds,
        claim?.route ?? null,
        values[0] ?? null,
      ]));
  const [row] = rows;
  if (row?.outcome === 'ended') throw sessionEnded();
  if (!row || row.outcome === 'invalid') throw invalidKey();
  if (!row.stored_hash || !timingSafeEqual(row.stored_hash, keyHash)) throw invalidKey();
  if (row.outcome === 'revoked') {
    if (projectId !== null && (await isBeingDeleted(tx, projectId))) throw projectDeleting();
    throw new Problem('api_key_revoked', 'The API key was revoked. Use another key.');
  }
  if (row.outcome === 'expired') throw new Problem('api_key_expired', 'The API key has expired.');
  if (projectId === null) throw projectHeaderRequired();
  if (row.outcome === 'forbidden' || !row.key_id) {
    throw new Problem(
      'project_forbidden',
      'The API key does not belong to the project in X-Service-Project-ID.',
    );
  }
  const identity: Identity = {
    caller: { type: 'api_key', id: row.key_id },
    projectId,
    role: null,
    scopes: row.scopes ?? [],
    allowedCidrs: row.allowed_cidrs ?? [],
    readPerMinute: row.read_per_minute,
    writePerMinute: row.write_per_minute,
  };
  setProject(tx, projectId, seconds);
  return { identity, idempotencyKeys: claim ? rows : [] };
}

/** Does the same as `authenticateAndClaim`, without claiming an Idempotency-Key. */
export async function authenticate(
  tx: Tx,
  credentials: Credentials,
  work: WorkClass,
): Promise<Identity> {
  return (await authenticateAndClaim(tx, credentials, work, null)).identity;
}

/**
 * Checks the key or the member that a signed token names, and restricts the transaction to its
 * project.
 * @returns the caller's scopes; null if the key does not exist, is revoked or has expired, or the
 *   person is not a member
 * @throws Problem 403 if the key is not allowed from the address
 */
export async function authenticateSigned(
  tx: Tx,
  projectId: string,
  { type, id }: Pick<Caller, 'type' | 'id'>,
  address: string | null,
): Promise<readonly Scope[] | null> {
  const timeout = `${workBounds.quick.statementSeconds}s`;
  if (type === 'user') {
    const [row] = await prepared<{ role: Role | null }>(
      tx,
      `SELECT authenticate_signed_person($1, $2) AS role, set_config('statement_timeout', $3, true)`,
      [projectId, id, timeout],
    );
    return row?.role ? scopesOf(row.role) : null;
  }
  // Sent together. The connection runs them in order, so the second statement already sees the
  // project that the first one sets for row-level security.
  const [[row], [key]] = await Promise.all([
    prepared<{ scopes: Scope[] | null }>(
      tx,
      `SELECT authenticate_signed($1, $2) AS scopes, set_config('statement_timeout', $3, true)`,
      [projectId, id, timeout],
    ),
    prepared<{ allowed_cidrs: string[] }>(
      tx,
      'SELECT allowed_cidrs FROM api_key WHERE project_id = $1 AND id = $2',
      [projectId, id],
    ),
  ]);
  if (!row?.scopes || !key) return null;
  if (key.allowed_cidrs.length > 0 && !isWithin(address, key.allowed_cidrs)) {
    throw new Problem(
      'ip_not_allowed',
      `The link does not work from ${address === null ? 'an unknown IP address' : `the IP address ${address}`}.`,
    );
  }
  return row.scopes;
}

/** Returns the problem of a portal session that is missing or has ended. */
export function sessionEnded(): Problem {
  return new Problem(
    'authentication_required',
    'The portal session is missing or has ended. Log in again.',
  );
}

/** Also for a project that does not exist. */
function notMember(): Problem {
  return new Problem(
    'project_forbidden',
    'You are not a member of this project. Ask for an invitation, and sign in to the portal once.',
  );
}

/**
 * Returns the problem of a key that is malformed or unknown, or does not match. It is always the
 * same.
 */
export function invalidKey(): Problem {
  return new Problem('api_key_invalid', 'The API key is invalid.');
}

function projectHeaderRequired(): Problem {
  const detail = 'Send the header X-Service-Project-ID once, with a project id (prj_…).';
  return new Problem('project_header_required', detail, {
    errors: [{ header: 'X-Service-Project-ID', code: 'project_header_required', detail }],
  });
}
