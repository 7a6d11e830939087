import { limits } from '@scriptorium/contracts/limits';
import { type Fault, Problem } from '@scriptorium/contracts/problems';
import { grants, type Scope } from '@scriptorium/contracts/scopes';
import { cidrContains } from '../addresses.ts';

/** The limits of a key: it can neither grant nor manage anything beyond its own. */
export interface KeyBounds {
  scopes: readonly Scope[];
  /** Empty means anywhere. */
  allowed_cidrs: readonly string[];
  expires_at: Date | null;
  read_per_minute: number | null;
  write_per_minute: number | null;
}

/**
 * Rejects giving a key more than the grantor has, in the fields of a request.
 * @param grantor null is the operator, who may give anything
 * @throws Problem 403 `insufficient_scope` or `key_limits_exceeded`, with every field that goes too far
 */
export function rejectWider(grantor: KeyBounds | null, given: Partial<KeyBounds>): void {
  if (!grantor) return;
  rejectForeignScopes(grantor, given.scopes ?? []);
  const errors = faultsBeyond(grantor, given);
  if (errors.length === 0) return;
  const detail = errors.map((fault) => fault.detail).join(' ');
  throw new Problem('key_limits_exceeded', detail, { errors });
}

/**
 * Rejects changing a key with wider limits than the grantor: for renaming, revoking and rolling alike.
 * @throws Problem 403 `insufficient_scope` or `key_limits_exceeded`
 */
export function rejectUnmanageable(grantor: KeyBounds | null, key: KeyBounds): void {
  if (!grantor) return;
  rejectForeignScopes(grantor, key.scopes);
  const beyond = faultsBeyond(grantor, key);
  if (beyond.length === 0) return;
  const fields = beyond.map(({ pointer }) => `\`${pointer?.slice(1)}\``).join(', ');
  throw new Problem(
    'key_limits_exceeded',
    `A key can manage only keys within its own limits. The target key exceeds them in ${fields}.`,
  );
}

function rejectForeignScopes(grantor: KeyBounds, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !grants(grantor.scopes, scope));
  if (missing.length === 0) return;
  throw new Problem(
    'insufficient_scope',
    `A key can grant and manage only scopes that it has. The calling key lacks ${missing.join(', ')}.`,
    { errors: [{ pointer: '/scopes', code: 'scope_not_held', detail: missing.join(', ') }] },
  );
}

function faultsBeyond(grantor: KeyBounds, given: Partial<KeyBounds>): Fault[] {
  const faults: Fault[] = [];
  const fault = (field: keyof KeyBounds, detail: string) =>
    faults.push({ pointer: `/${field}`, code: 'key_limits_exceeded', detail });
  if (given.allowed_cidrs && !isWithinAll(given.allowed_cidrs, grantor.allowed_cidrs)) {
    const own = grantor.allowed_cidrs.join(', ');
    fault('allowed_cidrs', `\`allowed_cidrs\` must be within those of the calling key: ${own}.`);
  }
  const { expires_at: end } = grantor;
  if (end && given.expires_at !== undefined && !(given.expires_at && given.expires_at <= end)) {
    const own = end.toISOString();
    fault('expires_at', `\`expires_at\` must be no later than the calling key's: ${own}.`);
  }
  for (const [field, standard] of [
    ['read_per_minute', limits.read_requests_per_minute],
    ['write_per_minute', limits.write_requests_per_minute],
  ] as const) {
    const wanted = given[field];
    const own = grantor[field] ?? standard;
    if (wanted === undefined || (wanted ?? standard) <= own) continue;
    fault(field, `\`${field}\` must be at most that of the calling key: ${own}.`);
  }
  return faults;
}

function isWithinAll(inner: readonly string[], outer: readonly string[]): boolean {
  if (outer.length === 0) return true;
  if (inner.length === 0) return false;
  return inner.every((range) => outer.some((wider) => cidrContains(wider, range)));
}
