import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { answersWithin } from '../db/answers-within.ts';
import type { AttemptFact } from '../webhooks/delivery/sending/deps.ts';

/** The metrics of a worker process. */
export interface WorkerMetrics {
  observeAttempt(fact: AttemptFact): void;
  /** Reads the number of attempts in progress whenever metrics are collected. */
  gaugeOpenAttempts(read: () => number): void;
  countNumbered(events: number): void;
  countFannedOut(events: number): void;
  countHints(queue: string, hints: number): void;
}

const pingMs = 2_000;

/**
 * Creates the metrics of a worker process.
 * @param ping runs a small statement, to check that Postgres answers
 */
export function createWorkerMetrics(
  registry: Registry,
  ping: () => Promise<unknown>,
): WorkerMetrics {
  const registers = [registry];
  new Gauge({
    name: 'postgres_up',
    help: 'Whether this process can reach Postgres.',
    registers,
    async collect() {
      this.set((await answersWithin(ping(), pingMs)) ? 1 : 0);
    },
  });
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts, by outcome and trigger.',
    labelNames: ['outcome', 'trigger'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Duration of exchanges with receivers.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const lag = new Histogram({
    name: 'webhook_first_attempt_lag_seconds',
    help: 'Time from an event to its first delivery attempt.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
    registers,
  });
  const numbered = new Counter({
    name: 'events_numbered_total',
    help: 'Events numbered.',
    registers,
  });
  const fannedOut = new Counter({
    name: 'events_fanned_out_total',
    help: 'Events fanned out separately, after they were numbered.',
    registers,
  });
  const hints = new Counter({
    name: 'hints_handed_over_total',
    help: 'Hints added for workers.',
    labelNames: ['queue'] as const,
    registers,
  });
  return {
    observeAttempt(fact) {
      attempts.inc({ outcome: fact.outcome, trigger: fact.trigger });
      seconds.observe(fact.seconds);
      if (fact.lagSeconds !== null) lag.observe(fact.lagSeconds);
    },
    gaugeOpenAttempts(read) {
      new Gauge({
        name: 'webhook_attempts_open',
        help: 'Delivery attempts in progress.',
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    countNumbered: (events) => numbered.inc(events),
    countFannedOut: (events) => fannedOut.inc(events),
    countHints: (queue, count) => hints.inc({ queue }, count),
  };
}
