import {
  type FailureClass,
  failureClasses,
  latencyBounds,
} from '@scriptorium/contracts/webhook-outcomes';
import { send, type Tx } from '../../db/transaction.ts';
import { judgeExchange, type SentAttempt } from '../delivery/settling/verdict.ts';
import type { DialResult } from '../dialing/dial.ts';

/**
 * Counts attempts in the transaction that stores them, with one row per endpoint for any number of
 * attempts. Rows are only inserted, so transactions that settle attempts at the same endpoint never
 * wait for each other; `foldTallies` adds them up.
 */
export function tallyAttempts(tx: Tx, sent: readonly SentAttempt[]): void {
  const byEndpoint = new Map<string, { projectId: string; cells: number[]; ms: number }>();
  for (const { delivery, result } of sent) {
    const { id, projectId } = delivery.endpoint;
    const tally = byEndpoint.get(id) ?? { projectId, cells: [], ms: 0 };
    tally.cells.push(cellOf(result));
    tally.ms += responseMs(result);
    byEndpoint.set(id, tally);
  }
  if (byEndpoint.size === 0) return;
  const tallies = [...byEndpoint.values()];
  send(
    tx,
    `INSERT INTO webhook_tally (project_id, endpoint_id, cells, response_ms)
     SELECT project_id, endpoint_id, cells::smallint[], response_ms
     FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[])
       AS t (project_id, endpoint_id, cells, response_ms)`,
    [
      tallies.map(({ projectId }) => projectId),
      [...byEndpoint.keys()],
      tallies.map(({ cells }) => `{${cells.join()}}`),
      tallies.map(({ ms }) => ms),
    ],
  );
}

/**
 * The counted properties of an attempt as one number: its outcome (0 for success, from 1 the class
 * of its failure) and the class of its response time, or `noResponse`.
 */

/** How many classes of response times fit in a cell. */
export const cellWidth = 32;
/** The class of response time of an attempt without a response. */
export const noResponse = cellWidth - 1;

/** The number of outcomes that are counted: success, and each class of failures. */
export const outcomeCount = failureClasses.length + 1;
/** The number of classes of response times. */
export const latencyCount = latencyBounds.length + 1;

/** The cell in which an attempt is counted. */
export function cellOf(result: DialResult): number {
  const outcome = judgeExchange(result).succeeded
    ? 0
    : 1 + failureClasses.indexOf(failureClassOf(result));
  const latency = result.outcome === 'answered' ? latencyClassOf(result.timings.total) : noResponse;
  return outcome * cellWidth + latency;
}

/** The response time that is added to the sum; 0 without a response. */
export function responseMs(result: DialResult): number {
  return result.outcome === 'answered' ? result.timings.total : 0;
}

function latencyClassOf(ms: number): number {
  const at = latencyBounds.findIndex((bound) => ms <= bound);
  return at === -1 ? latencyBounds.length : at;
}

/** The class of a failed exchange. */
function failureClassOf(result: DialResult): FailureClass {
  if (result.outcome === 'answered') {
    if (result.status >= 500) return 'http_5xx';
    return result.status >= 400 ? 'http_4xx' : 'http_3xx';
  }
  const { code } = result.error;
  if (code.endsWith('_timeout')) return 'timeout';
  if (code.startsWith('dns_')) return 'dns';
  if (code.startsWith('tls_')) return 'tls';
  if (code.startsWith('connect')) return 'connection';
  if (code.startsWith('response_')) return 'response';
  return code.startsWith('url_') || code === 'destination_not_allowed' ? 'destination' : 'other';
}
