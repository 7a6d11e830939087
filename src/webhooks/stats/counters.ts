import {
  type FailureClass,
  failureClasses,
  latencyBounds,
} from '@scriptorium/contracts/webhook-outcomes';
import type { WebhookStats } from '@scriptorium/contracts/wire/webhook-stats';
import { deliveryDeadlineMs } from '../delivery/sending/attempts.ts';
import { cellWidth, latencyCount, outcomeCount, unanswered } from './tally.ts';

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

/** Adds counters to others. An earlier or later release may know other classes. */
export function addCounters(to: Counters, more: Counters): void {
  for (const [at, n] of more.outcomes.entries()) to.outcomes[at] = (to.outcomes[at] ?? 0) + n;
  for (const [at, n] of more.latencies.entries()) to.latencies[at] = (to.latencies[at] ?? 0) + n;
  to.responseMs += more.responseMs;
}

/** Adds single attempts to counters. */
export function addCells(to: Counters, cells: readonly number[], responseMs: number): void {
  for (const cell of cells) {
    const outcome = Math.floor(cell / cellWidth);
    const latency = cell % cellWidth;
    to.outcomes[outcome] = (to.outcomes[outcome] ?? 0) + 1;
    if (latency !== unanswered) to.latencies[latency] = (to.latencies[latency] ?? 0) + 1;
  }
  to.responseMs += responseMs;
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
    mean_ms: answered === 0 ? null : rounded(counters.responseMs / answered),
  };
}

/**
 * Estimates a percentile from a histogram: as if the values of each class were spread evenly between
 * its bounds. It lies in the same class as the exact value.
 */
export function percentile(latencies: readonly number[], part: number): number | null {
  const all = sum(latencies);
  if (all === 0) return null;
  const rank = part * all;
  let below = 0;
  for (const [at, n] of latencies.entries()) {
    if (n > 0 && below + n >= rank) {
      const from = at === 0 ? 0 : latencyBounds[at - 1]!;
      const to = latencyBounds[at] ?? deliveryDeadlineMs;
      return rounded(from + ((rank - below) / n) * (to - from));
    }
    below += n;
  }
  return null;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0);
const rounded = (ms: number) => Math.round(ms * 10) / 10;
