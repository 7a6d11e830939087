import {
  type FailureClass,
  failureClasses,
  latencyBounds,
} from '@scriptorium/contracts/webhook-outcomes';
import { judgeExchange } from '../delivery/settling/verdict.ts';
import type { DialResult } from '../dialing/dial.ts';

/**
 * What is counted of an attempt, in one number: its outcome (0 for success, from 1 the class of its
 * failure) and the class of its response time, or `unanswered`.
 */

/** How many classes of response times fit in a cell. */
export const cellWidth = 32;
/** The response time of an attempt without an answer. */
export const unanswered = cellWidth - 1;

/** The number of outcomes that are counted: success, and each class of failures. */
export const outcomeCount = failureClasses.length + 1;
/** The number of classes of response times. */
export const latencyCount = latencyBounds.length + 1;

/** The cell in which an attempt is counted. */
export function cellOf(result: DialResult): number {
  const outcome = judgeExchange(result).succeeded
    ? 0
    : 1 + failureClasses.indexOf(failureClassOf(result));
  const latency = result.outcome === 'answered' ? latencyClassOf(result.timings.total) : unanswered;
  return outcome * cellWidth + latency;
}

/** The response time that is summed up; 0 without an answer. */
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
