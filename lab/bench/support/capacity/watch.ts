import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import type { Bench } from '../bench.ts';
import { cpuMs, type ProcessGroups } from '../cpu.ts';

/** The resources used by a turn, and the reasons why its database connections waited. */
export interface TurnUsage {
  seconds: number;
  /** CPU milliseconds by kind of process. */
  cpu: Record<string, number>;
  walBytes: number;
  /** Cores that all processes of the machine used, on average. */
  machineCores: number;
  /** The share of the time in which a relay held the lock of numbering. */
  numbering: number;
  /** Connections with a statement in progress, on average, by wait event. */
  waits: Record<string, number>;
}

const running = 'running';

/**
 * Starts to watch. The returned function ends it. Both are quick compared with a turn.
 * @param sampleMs the pause between samples of the connections; each costs Postgres a millisecond
 */
export async function watch(
  bench: Bench,
  processes: ProcessGroups,
  sampleMs = 50,
): Promise<() => Promise<TurnUsage>> {
  const sampler = new pg.Client({ connectionString: bench.benchSuperuserUrl });
  await sampler.connect();
  const walBefore = await readWal(sampler);
  const machineBefore = busyMs();
  const kinds = Object.entries(processes);
  const read = () => kinds.map(([, pids]) => pids.reduce((sum, pid) => sum + cpuOf(pid), 0));
  const before = read();
  const start = performance.now();
  let samples = 0;
  let numbering = 0;
  const waits = new Map<string, number>();
  let isEnded = false;
  const sampling = (async () => {
    while (!isEnded) {
      const { rows } = await sampler.query<{ waiting: string; n: number; numbers: boolean }>(
        `SELECT coalesce(wait_event_type || ':' || wait_event, '${running}') AS waiting,
           count(*)::integer AS n, EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted
             AND objid = (hashtext('number events')::bigint & 4294967295)::oid) AS numbers
         FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND (state = 'active' OR state LIKE 'idle in%')
         GROUP BY waiting`,
      );
      samples += 1;
      if (rows[0]?.numbers) numbering += 1;
      for (const { waiting, n } of rows) waits.set(waiting, (waits.get(waiting) ?? 0) + n);
      await new Promise((resolve) => setTimeout(resolve, sampleMs));
    }
  })();
  return async () => {
    const seconds = (performance.now() - start) / 1_000;
    const after = read();
    const machineCores = (busyMs() - machineBefore) / 1_000 / seconds;
    isEnded = true;
    await sampling;
    const walBytes = (await readWal(sampler)) - walBefore;
    await sampler.end();
    const mean = [...waits].map(([name, n]) => [name, n / samples] as const);
    return {
      seconds,
      walBytes,
      machineCores,
      numbering: numbering / samples,
      cpu: Object.fromEntries(kinds.map(([name], at) => [name, after[at]! - before[at]!])),
      waits: Object.fromEntries(mean.sort(([, one], [, other]) => other - one)),
    };
  };
}

/** The CPU of a program; for this process, without its children, which are counted by name. */
function cpuOf(pid: number): number {
  if (pid !== process.pid) return cpuMs(pid);
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function readWal(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes`,
  );
  return Number(rows[0]?.bytes);
}

/** The time that the machine's cores have been busy, in milliseconds. */
function busyMs(): number {
  const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user! + nice! + system! + irq! + softirq!) * 10;
}

/** Cores used by programs that were not watched. */
export function otherCores({ cpu, seconds, machineCores }: TurnUsage): number {
  const watchedCores = Object.values(cpu).reduce((sum, ms) => sum + ms, 0) / 1_000 / seconds;
  return Math.max(0, machineCores - watchedCores);
}

/** Cores available to the watched programs: all of them, on a quiet machine. */
export function availableCores(used: TurnUsage): number {
  const watchedCores =
    Object.values(used.cpu).reduce((sum, ms) => sum + ms, 0) / 1_000 / used.seconds;
  return Math.max(watchedCores, availableParallelism() - otherCores(used));
}

/** Describes what limited a turn: its cores, or the waits of its connections. */
export function describeLimits(used: TurnUsage): string {
  const cores = availableParallelism();
  const watchedCores =
    Object.values(used.cpu).reduce((sum, ms) => sum + ms, 0) / 1_000 / used.seconds;
  const waits = Object.entries(used.waits)
    .filter(([name, n]) => name !== running && !name.startsWith('Client:') && n >= 0.1)
    .slice(0, 3)
    .map(([name, n]) => `${name} ${n.toFixed(1)}`);
  const others = otherCores(used);
  return [
    `${watchedCores.toFixed(2)} of ${cores} cores${others >= 0.1 ? `, other programs ${others.toFixed(2)}` : ''}`,
    `statements running ${(used.waits[running] ?? 0).toFixed(1)}`,
    ...(waits.length > 0 ? [`waiting ${waits.join(', ')}`] : []),
    ...(used.numbering >= 0.05 ? [`numbering ${(used.numbering * 100).toFixed(0)} %`] : []),
  ].join('; ');
}
