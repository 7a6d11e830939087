import { Redis } from 'ioredis';
import { readGauges } from '../../test/support/metrics.ts';
import type { System } from '../rolling/system.ts';

/** The port of a process's metrics. */
export interface SampleTarget {
  name: string;
  port: number;
}

/** Figures by their names, at one moment. */
export interface Sample {
  at: number;
  figures: Record<string, number>;
}

const mebibyte = 1024 * 1024;

/** Figures of a process, and their names in Prometheus. */
const processGauges = {
  rss_mb: ['process_resident_memory_bytes', mebibyte],
  heap_mb: ['nodejs_heap_size_used_bytes', mebibyte],
  external_mb: ['nodejs_external_memory_bytes', mebibyte],
  files: ['process_open_fds', 1],
  loop_lag_ms: ['nodejs_eventloop_lag_p99_seconds', 0.001],
} as const;

async function readProcess({ name, port }: SampleTarget): Promise<[string, number][]> {
  const readGauge = await readGauges(port);
  return Object.entries(processGauges).map(([figure, [metric, unit]]): [string, number] => [
    `${name} ${figure}`,
    readGauge(metric) / unit,
  ]);
}

/** Tables by name, including partitions, indexes and TOAST. */
const tableSizes = `
  SELECT coalesce(p.relname, c.relname) AS name, sum(pg_table_size(c.oid)) AS heap,
    sum(pg_indexes_size(c.oid)) AS indexes, sum(coalesce(s.n_live_tup, 0)) AS rows,
    sum(coalesce(s.n_dead_tup, 0)) AS dead
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
  LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' GROUP BY 1`;

async function readPostgres(system: System): Promise<[string, number][]> {
  const rows = await system.rows<{
    name: string;
    heap: number;
    indexes: number;
    rows: number;
    dead: number;
  }>(tableSizes);
  const [partitionCount] = await system.rows<{ partitions: number }>(
    `SELECT count(*) AS partitions FROM pg_inherits WHERE inhparent = 'event'::regclass`,
  );
  return [
    ['event partitions', Number(partitionCount!.partitions)],
    ...rows.flatMap(({ name, heap, indexes, rows: live, dead }): [string, number][] => [
      [`table ${name} kb`, (Number(heap) + Number(indexes)) / 1024],
      [`table ${name} rows`, Number(live)],
      [`table ${name} dead`, Number(dead)],
    ]),
  ];
}

async function readRedis(redis: Redis): Promise<[string, number][]> {
  const memory = /^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1];
  return [
    ['redis keys', await redis.dbsize()],
    ['redis mb', Number(memory) / mebibyte],
  ];
}

/** Takes samples of everything. `take` throws if a process does not respond, or lacks a gauge. */
export function createSampler(
  system: System,
  targets: readonly SampleTarget[],
): { take(): Promise<Sample>; close(): void } {
  const redis = new Redis(system.redisUrl);
  return {
    async take() {
      const parts = await Promise.all([
        ...targets.map(readProcess),
        readPostgres(system),
        readRedis(redis),
      ]);
      return { at: Date.now(), figures: Object.fromEntries(parts.flat()) };
    },
    close: () => redis.disconnect(),
  };
}
