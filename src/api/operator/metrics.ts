import { queueNames } from '@scriptorium/contracts/work/queues';
import type { Middleware } from 'koa';
import { Gauge, Histogram } from 'prom-client';
import { type PipelineFigure, readPipelineFigures } from '../../outbox/figure-queries.ts';
import { onceClosed } from '../connections/responses.ts';
import type { Deps } from '../deps.ts';

/**
 * Measures requests by operation and status, which have a low cardinality, and counts the requests
 * of each project.
 */
export function countRequests({
  metrics: registry,
  requestCounts,
}: Pick<Deps, 'metrics' | 'requestCounts'>): Middleware {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests by operation and status.',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return (ctx, next) => {
    const started = performance.now();
    const { res, state } = ctx;
    onceClosed(res, () => {
      const labels = { operation: state.operation ?? 'none', status: res.statusCode };
      seconds.observe(labels, (performance.now() - started) / 1_000);
      if (state.projectId) requestCounts.count(String(state.projectId), res.statusCode < 400);
    });
    return next();
  };
}

/** How long metrics are cached, so that frequent scrapes do not add load to Postgres. */
const cacheMs = 5_000;

/** The gauges of pending work. The listed label values are always reported. */
const gauges = [
  {
    name: 'tasks_due',
    help: 'Tasks that are due and not yet claimed by a worker.',
    label: 'queue',
    values: queueNames.filter((name) => name !== 'webhooks'),
  },
  {
    name: 'tasks_oldest_due_seconds',
    help: 'Age of the oldest due task.',
    label: 'queue',
    values: queueNames.filter((name) => name !== 'webhooks'),
  },
  {
    name: 'events_unnumbered',
    help: 'Committed events without a sequence, which readers cannot see yet. Counted up to 100,000.',
  },
  { name: 'events_oldest_unnumbered_seconds', help: 'Age of the oldest event without a sequence.' },
  {
    name: 'events_oldest_not_fanned_out_seconds',
    help: 'Age of the oldest event whose deliveries have not been created.',
  },
  { name: 'deliveries_pending', help: 'Pending deliveries, due or not. Counted up to 100,000.' },
  { name: 'deliveries_due', help: 'Deliveries that are due to enabled webhooks.' },
  {
    name: 'deliveries_oldest_due_seconds',
    help: 'Age of the oldest due delivery.',
  },
  {
    name: 'webhook_endpoints',
    help: 'Webhooks by health: warning after one day of failures, critical after three.',
    label: 'health',
    values: ['healthy', 'failing', 'held', 'warning', 'critical', 'paused', 'disabled'],
  },
  {
    name: 'deliveries_expiring',
    help: 'Deliveries pending for more than 80 days. Their events are dropped after 90.',
  },
  {
    name: 'default_partition_rows',
    help: 'Rows in default partitions. More than 0 means that a partition was not created in time.',
    label: 'table',
    values: ['event', 'delivery', 'attempt'],
  },
] as const;

/**
 * Registers gauges of pending work, read on each scrape. If Postgres does not respond, they are
 * omitted and `pipeline_readable` is 0.
 */
export function registerPipelineGauges(deps: Pick<Deps, 'database' | 'metrics' | 'logger'>): void {
  let cached: { at: number; figures: Promise<PipelineFigure[] | null> } | null = null;
  const figures = (): Promise<PipelineFigure[] | null> => {
    if (cached && performance.now() - cached.at < cacheMs) return cached.figures;
    const pending = readPipelineFigures(deps.database).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'pipeline metrics could not be read');
      return null;
    });
    cached = { at: performance.now(), figures: pending };
    return pending;
  };
  new Gauge({
    name: 'pipeline_readable',
    help: 'Whether the metrics of pending work could be read.',
    registers: [deps.metrics],
    async collect() {
      this.set((await figures()) ? 1 : 0);
    },
  });
  for (const gauge of gauges) {
    new Gauge({
      name: gauge.name,
      help: gauge.help,
      labelNames: 'label' in gauge ? [gauge.label] : [],
      registers: [deps.metrics],
      async collect() {
        const figuresOfGauge = (await figures())?.filter(({ figure }) => figure === gauge.name);
        this.reset();
        if (!figuresOfGauge) return 'label' in gauge ? undefined : this.remove();
        if ('label' in gauge)
          for (const value of gauge.values) this.set({ [gauge.label]: value }, 0);
        for (const { label, value } of figuresOfGauge) {
          this.set('label' in gauge ? { [gauge.label]: label ?? '' } : {}, value);
        }
      },
    });
  }
}
