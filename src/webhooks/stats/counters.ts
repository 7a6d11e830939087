import {
  type FailureClass,
  failureClasses,
  latencyBounds,
} from '@scriptorium/contracts/webhook-outcomes';
import type { WebhookStats } from '@scriptorium/contracts/wire/webhook-stats';
import { deliveryDeadlineMs } from '../delivery/sending/attempts.ts';
import { cellWidth, latencyCount, noResponse, outcomeCount } from './tally.ts';

/** Attempts by outcome and by response time. */
export interface Counters {
  outcomes: number[];
  latencies: number[];
  responseMs: number;
}

export function emptyCounters(): Counters {
  return {
    outcomes: new Array<number>(outcomeCount).fill(0),
    latencies: new Array<number>(latencyCount).fill(0),
    responseMs: 0,
  };
}

/** Adds counters to others, which may have more or fewer classes in another release. */
export function addCounters(target: Counters, added: Counters): void {
  for (const [at, n] of added.outcomes.entries())
    target.outcomes[at] = (target.outcomes[at] ?? 0) + n;
  for (const [at, n] of added.latencies.entries())
    target.latencies[at] = (target.latencies[at] ?? 0) + n;
  target.responseMs += added.responseMs;
}

/** Adds single attempts to counters. */
export function addCells(target: Counters, cells: readonly number[], responseMs: number): void {
  for (const cell of cells) {
    const outcome = Math.floor(cell / cellWidth);
    const latency = cell % cellWidth;
    target.outcomes[outcome] = (target.outcomes[outcome] ?? 0) + 1;
    if (latency !== noResponse) target.latencies[latency] = (target.latencies[latency] ?? 0) + 1;
  }
  target.responseMs += responseMs;
}

/** Counters as the API shows them. */
export function presentCounters(counters: Counters): WebhookStats['totals'] {
  const [succeeded = 0, ...byClass] = counters.outcomes;
  const failed = sum(byClass);
  const answered = sum(counters.latencies);
  const failures: Partial<Record<FailureClass, number>> = {};
  for (const [at, name] of failureClasses.entries()) {
    if (byClass[at]) failures[name] = byClass[at];
  }
  return {
    attempts: succeeded + failed,
    succeeded,
    failed,
    failures,
    p50_ms: percentile(counters.latencies, 0.5),
    p95_ms: percentile(counters.latencies, 0.95),
    mean_ms: answered === 0 ? null : roundMs(counters.responseMs / answered),
  };
}

/**
 * Estimates a percentile from a histogram, assuming that the values of each class are evenly
 * distributed. The result is in the same class as the exact value.
 */
export function percentile(latencies: readonly number[], fraction: number): number | null {
  const all = sum(latencies);
  if (all === 0) return null;
  const rank = fraction * all;
  let below = 0;
  for (const [at, n] of latencies.entries()) {
    if (n > 0 && below + n >= rank) {
      const from = at === 0 ? 0 : latencyBounds[at - 1]!;
      const to = latencyBounds[at] ?? deliveryDeadlineMs;
      return roundMs(from + ((rank - below) / n) * (to - from));
    }
    below += n;
  }
  return null;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0);
const roundMs = (ms: number) => Math.round(ms * 10) / 10;
