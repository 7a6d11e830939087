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
export function errorFieldsOf(error: unknown): ErrorFields {
  const root = error instanceof QueryFailedError ? error.driverError : error;
  return typeof root === 'object' && root !== null ? (root as ErrorFields) : {};
}

/** Whether a disk is full: that of this machine, or of Postgres (`disk_full`). */
export function isDiskFull(error: unknown): boolean {
  return diskFullCodes.has(errorFieldsOf(error).code);
}

/** The exhausted quota that `quota_claim` reports; null for any other error. */
export function exhaustedQuotaOf(
  error: unknown,
): { quota: string; limit: number; used: number } | null {
  const { code, detail } = errorFieldsOf(error);
  if (code !== quotaExceededState || typeof detail !== 'string') return null;
  const { quota, limit, used } = JSON.parse(detail) as Record<string, unknown>;
  return { quota: String(quota), limit: Number(limit), used: Number(used) };
}

/** Whether Postgres rolled the transaction back. After any other error, it may have been committed. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof RolledBack || errorFieldsOf(error).severity === 'ERROR';
}

/** Whether Postgres cancelled a statement that exceeded its time limit (`query_canceled`). */
export function isCancelled(error: unknown): boolean {
  return errorFieldsOf(error).code === '57014';
}

/**
 * Whether Postgres, or another network service, is unreachable or temporarily unavailable.
 * Classes of error codes of Postgres: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable) return true;
  const { code } = errorFieldsOf(error);
  // Behind a pooler, the former primary may now be a standby: read_only_sql_transaction.
  if (code === '25006') return true;
  // This process was suspended or disconnected during a transaction:
  // idle_in_transaction_session_timeout.
  if (code === '25P03') return true;
  if (typeof code === 'string' && (/^(08|53|57P)...?$/.test(code) || networkCodes.has(code))) {
    return true;
  }
  return error instanceof Error && lostConnectionPattern.test(error.message);
}

const diskFullCodes: ReadonlySet<unknown> = new Set(['53100', 'ENOSPC', 'EDQUOT']);

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

/** Messages of pg about lost connections, which have no code. */
const lostConnectionPattern =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;
