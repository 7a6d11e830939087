import { QueryFailedError } from 'typeorm';
import { quotaExceededState } from '../contracts/quotas.ts';
import { DatabaseUnreachable } from './transaction.ts';

/** What an error says of itself, whoever wrapped it. */
export interface Fault {
  code?: unknown;
  constraint?: unknown;
  detail?: unknown;
  status?: unknown;
  expose?: unknown;
}

/** The fields of an error, out of the wrapping that TypeORM puts around it. */
export function faultOf(error: unknown): Fault {
  const root = error instanceof QueryFailedError ? error.driverError : error;
  return typeof root === 'object' && root !== null ? (root as Fault) : {};
}

/** No room on a disk: ours, or that of Postgres (`disk_full`). */
export function isDiskFull(error: unknown): boolean {
  return diskFull.has(faultOf(error).code);
}

/** What `quota_claim` says of a quota that is used up; null for another error. */
export function usedUpQuota(error: unknown): { quota: string; limit: number; used: number } | null {
  const { code, detail } = faultOf(error);
  if (code !== quotaExceededState || typeof detail !== 'string') return null;
  const { quota, limit, used } = JSON.parse(detail) as Record<string, unknown>;
  return { quota: String(quota), limit: Number(limit), used: Number(used) };
}

/** Postgres cancelled a statement that took longer than it may take (`query_canceled`). */
export function isCancelled(error: unknown): boolean {
  return faultOf(error).code === '57014';
}

/**
 * Postgres, or whatever else was asked over the network, cannot be reached or cannot serve just now.
 * Classes of Postgres's codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable) return true;
  const { code } = faultOf(error);
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

/** What pg says, without a code, when a connection is gone. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;
