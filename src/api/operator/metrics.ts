import type { Middleware } from 'koa';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { queueNames } from '../../contracts/queues.ts';
import { type PipelineFigure, readPipelineFigures } from '../../outbox/figures.ts';
import { whenOver } from '../connections/presence.ts';
import type { Deps } from '../deps.ts';

/** Counts and times requests by operation and status; both have few values. */
export function countRequests(registry: Registry): Middleware {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return (ctx, next) => {
    const started = performance.now();
    const { res, state } = ctx;
    whenOver(res, () => {
      const labels = { operation: state.operation ?? 'none', status: res.statusCode };
      seconds.observe(labels, (performance.now() - started) / 1_000);
    });
    return next();
  };
}

/** However often somebody asks, Postgres counts only so often. */
const figuresAgeMs = 5_000;

/** What is shown of the work that waits, with the values of the label that are always there. */
const gauges = [
  {
    name: 'tasks_due',
    help: 'Tasks that are due and that no worker has taken.',
    label: 'queue',
    values: queueNames.filter((name) => name !== 'relay' && name !== 'webhooks'),
  },
  {
    name: 'tasks_oldest_due_seconds',
    help: 'For how long the oldest of them has been due.',
    label: 'queue',
    values: queueNames.filter((name) => name !== 'relay' && name !== 'webhooks'),
  },
  { name: 'events_unnumbered', help: 'Events that readers cannot see yet, up to 100,000.' },
  { name: 'events_oldest_unnumbered_seconds', help: 'For how long the oldest of them has waited.' },
  {
    name: 'events_oldest_not_fanned_out_seconds',
    help: 'For how long the oldest event has waited for its deliveries.',
  },
  { name: 'deliveries_pending', help: 'Deliveries that wait, due or not, up to 100,000.' },
  { name: 'deliveries_due', help: 'Deliveries that are due at endpoints that are enabled.' },
  {
    name: 'deliveries_oldest_due_seconds',
    help: 'For how long the oldest of them has been due.',
  },
  {
    name: 'webhook_endpoints',
    help: 'Endpoints by how they are doing: warning after a day of failure, critical after three.',
    label: 'health',
    values: ['healthy', 'failing', 'held', 'warning', 'critical', 'paused', 'disabled'],
  },
  {
    name: 'deliveries_expiring',
    help: 'Deliveries that wait for more than 80 days: at 90 their events go.',
  },
  {
    name: 'default_partition_rows',
    help: 'Rows that no partition was made for in time: more than 0 is an alarm.',
    label: 'table',
    values: ['event', 'delivery', 'attempt'],
  },
] as const;

/**
 * Gauges of the work that waits, read when they are asked for. While Postgres does not answer they
 * are left out, and `pipeline_readable` is 0.
 */
export function gaugePipeline(deps: Pick<Deps, 'database' | 'metrics' | 'logger'>): void {
  let read: { at: number; figures: Promise<PipelineFigure[] | null> } | null = null;
  const figures = (): Promise<PipelineFigure[] | null> => {
    if (read && performance.now() - read.at < figuresAgeMs) return read.figures;
    const asked = readPipelineFigures(deps.database).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'the figures of the pipeline cannot be read');
      return null;
    });
    read = { at: performance.now(), figures: asked };
    return asked;
  };
  new Gauge({
    name: 'pipeline_readable',
    help: 'Whether the figures of the pipeline could be read.',
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
        const found = (await figures())?.filter(({ figure }) => figure === gauge.name);
        this.reset();
        if (!found) return 'label' in gauge ? undefined : this.remove();
        if ('label' in gauge)
          for (const value of gauge.values) this.set({ [gauge.label]: value }, 0);
        for (const { label, value } of found) {
          this.set('label' in gauge ? { [gauge.label]: label ?? '' } : {}, value);
        }
      },
    });
  }
}
