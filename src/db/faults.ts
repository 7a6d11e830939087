import { quotaExceededState } from '@scriptorium/contracts/quotas';
import { QueryFailedError } from 'typeorm';
import { RolledBack } from './statements/transaction-statements.ts';
import { DatabaseUnreachable } from './transaction.ts';

/** The fields of an error, whether or not TypeORM wrapped it. */
export interface ErrorFields {
  code?: unknown;
  constraint?: unknown;
  detail?: unknown;
  severity?: unknown;
  status?: unknown;
  expose?: unknown;
}

/** The fields of an error, unwrapped from TypeORM's error. */
export function faultOf(error: unknown): ErrorFields {
  const root = error instanceof QueryFailedError ? error.driverError : error;
  return typeof root === 'object' && root !== null ? (root as ErrorFields) : {};
}

/** A disk is full: this machine's, or that of Postgres (`disk_full`). */
export function isDiskFull(error: unknown): boolean {
  return diskFull.has(faultOf(error).code);
}

/** The exhausted quota that `quota_claim` reports; null for any other error. */
export function usedUpQuota(error: unknown): { quota: string; limit: number; used: number } | null {
  const { code, detail } = faultOf(error);
  if (code !== quotaExceededState || typeof detail !== 'string') return null;
  const { quota, limit, used } = JSON.parse(detail) as Record<string, unknown>;
  return { quota: String(quota), limit: Number(limit), used: Number(used) };
}

/** Postgres reported that it rolled a transaction back. After any other error it may have been committed. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof RolledBack || faultOf(error).severity === 'ERROR';
}

/** Postgres cancelled a statement that exceeded its time limit (`query_canceled`). */
export function isCancelled(error: unknown): boolean {
  return faultOf(error).code === '57014';
}

/**
 * Postgres, or another network service, is unreachable or temporarily unavailable.
 * Classes of Postgres's codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable) return true;
  const { code } = faultOf(error);
  // Behind a pooler, the former primary may now be a standby: read_only_sql_transaction.
  if (code === '25006') return true;
  // This process was suspended or disconnected during a transaction:
  // idle_in_transaction_session_timeout.
  if (code === '25P03') return true;
  if (typeof code === 'string' && (/^(08|53|57P)...?$/.test(code) || networkCodes.has(code))) {
    return true;
  }
  return error instanceof Error && lostConnection.test(error.message);
}

const diskFull: ReadonlySet<unknown> = new Set(['53100', 'ENOSPC', 'EDQUOT']);

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Messages of pg without a code, for a lost connection. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;
