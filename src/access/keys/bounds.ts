import { limits } from '@scriptorium/contracts/limits';
import { type Fault, Problem } from '@scriptorium/contracts/problems';
import { grants, type Scope } from '@scriptorium/contracts/scopes';
import { cidrContains } from '../ip-addresses.ts';

/** The limits of a key. It can neither grant nor manage anything beyond them. */
export interface KeyBounds {
  scopes: readonly Scope[];
  /** Empty means anywhere. */
  allowed_cidrs: readonly string[];
  expires_at: Date | null;
  read_per_minute: number | null;
  write_per_minute: number | null;
}

/**
 * Rejects a request that would give a key more than the grantor has.
 * @param grantor null for the operator, who may grant anything
 * @throws Problem 403 `insufficient_scope` or `key_limits_exceeded`, with every field that exceeds a limit
 */
export function rejectWiderBounds(grantor: KeyBounds | null, requested: Partial<KeyBounds>): void {
  if (!grantor) return;
  rejectScopesBeyond(grantor, requested.scopes ?? []);
  const errors = faultsOfExceededBounds(grantor, requested);
  if (errors.length === 0) return;
  const detail = errors.map((fault) => fault.detail).join(' ');
  throw new Problem('key_limits_exceeded', detail, { errors });
}

/**
 * Rejects any change of a key whose limits exceed those of the grantor, including renaming, revoking and
 * rolling.
 * @throws Problem 403 `insufficient_scope` or `key_limits_exceeded`
 */
export function rejectUnmanageable(grantor: KeyBounds | null, key: KeyBounds): void {
  if (!grantor) return;
  rejectScopesBeyond(grantor, key.scopes);
  const exceeded = faultsOfExceededBounds(grantor, key);
  if (exceeded.length === 0) return;
  const fields = exceeded.map(({ pointer }) => `\`${pointer?.slice(1)}\``).join(', ');
  throw new Problem(
    'key_limits_exceeded',
    `A key can manage only keys within its limits. The target key exceeds them in ${fields}.`,
  );
}

function rejectScopesBeyond(grantor: KeyBounds, requested: readonly Scope[]): void {
  const missing = requested.filter((scope) => !grants(grantor.scopes, scope));
  if (missing.length === 0) return;
  throw new Problem(
    'insufficient_scope',
    `A key can grant and manage only scopes that it has. The calling key lacks ${missing.join(', ')}.`,
    { errors: [{ pointer: '/scopes', code: 'scope_not_held', detail: missing.join(', ') }] },
  );
}

function faultsOfExceededBounds(grantor: KeyBounds, requested: Partial<KeyBounds>): Fault[] {
  const faults: Fault[] = [];
  const fault = (field: keyof KeyBounds, detail: string) =>
    faults.push({ pointer: `/${field}`, code: 'key_limits_exceeded', detail });
  if (requested.allowed_cidrs && !areRangesWithin(requested.allowed_cidrs, grantor.allowed_cidrs)) {
    const grantorRanges = grantor.allowed_cidrs.join(', ');
    fault(
      'allowed_cidrs',
      `\`allowed_cidrs\` must be within those of the calling key: ${grantorRanges}.`,
    );
  }
  const { expires_at } = grantor;
  if (
    expires_at &&
    requested.expires_at !== undefined &&
    !(requested.expires_at && requested.expires_at <= expires_at)
  ) {
    const latest = expires_at.toISOString();
    fault('expires_at', `\`expires_at\` must be no later than the calling key's: ${latest}.`);
  }
  for (const [field, defaultLimit] of [
    ['read_per_minute', limits.read_requests_per_minute],
    ['write_per_minute', limits.write_requests_per_minute],
  ] as const) {
    const requestedLimit = requested[field];
    const grantorLimit = grantor[field] ?? defaultLimit;
    if (requestedLimit === undefined || (requestedLimit ?? defaultLimit) <= grantorLimit) continue;
    fault(field, `\`${field}\` must be at most that of the calling key: ${grantorLimit}.`);
  }
  return faults;
}

function areRangesWithin(inner: readonly string[], outer: readonly string[]): boolean {
  if (outer.length === 0) return true;
  if (inner.length === 0) return false;
  return inner.every((range) => outer.some((wider) => cidrContains(wider, range)));
}
