import type { ChildProcess } from 'node:child_process';
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort, isPortTaken } from '../processes/ports.ts';
import {
  endProcess,
  isAlive,
  spawnService,
  waitForExit,
  waitUntilReady,
  waitUntilReaped,
  watchExit,
  workingFolder,
} from '../processes/processes.ts';
import { createProgress, type Progress } from '../progress.ts';
import { StartError } from '../start-error.ts';
import { type Account, findAccount, reachableFolder } from './account.ts';
import {
  createCluster,
  explainFailure,
  logFile,
  passwordFile,
  serverEnvironment,
} from './cluster.ts';
import { installPostgres, type PostgresRuntime } from './runtime.ts';

interface PostgresOptions {
  /**
   * The cluster's folder. As root and under root's home, it becomes a link (see `reachableFolder`).
   */
  dataDir: string;
  /** Default: a free one. */
  port?: number;
  /** False for tests: no fsync, so data may be lost in a power failure. Default true. */
  durable?: boolean;
  progress?: Progress;
  /** Called with its process id as soon as it has one. */
  spawned?: (pid: number) => void;
}

export interface RunningPostgres {
  /** With the password; the database is `postgres`. */
  superuserUrl: string;
  port: number;
  pid: number;
  /** The real location of the cluster. */
  dataDir: string;
  /** True when it was already running, left by a killed process. */
  adopted: boolean;
  /** Resolves when it ends, for any reason. */
  exited: Promise<void>;
  /** Fast shutdown (SIGINT): closes connections and writes a checkpoint. May be called twice. */
  stop(): Promise<void>;
}

const shutdown = [
  { signal: 'SIGINT', milliseconds: 30_000 },
  { signal: 'SIGQUIT', milliseconds: 10_000 },
] as const;
const unhealthyShutdown = [
  { signal: 'SIGINT', milliseconds: 3_000 },
  { signal: 'SIGQUIT', milliseconds: 3_000 },
] as const;

/**
 * Starts an embedded Postgres on 127.0.0.1 with password login (SCRAM) and resolves when it accepts
 * connections. A healthy server that already runs on this folder is used; an unhealthy one is
 * stopped. As root, it runs as another user. Throws StartError for problems that require action:
 * port in use, disk full, data of another major version.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { progress = createProgress() } = options;
  const account = findAccount();
  const runtime = await progress.during('installing Postgres', () => installPostgres(account));
  const dataDir = reachableFolder(options.dataDir, account);
  await progress.during('creating the database files', (step) =>
    createCluster(runtime, dataDir, account, step),
  );
  const password = (await readFile(join(dataDir, passwordFile), 'utf8')).trim();

  const existing = await findRunning(dataDir, password, options.port);
  if (existing)
    return describeServer({
      ...existing,
      dataDir,
      password,
      adopted: true,
      exited: watchExit(existing.pid),
    });

  // Another program may take a free port before Postgres binds it: three attempts.
  for (let tries = 1; ; tries += 1) {
    if (options.port !== undefined && (await isPortTaken(options.port))) {
      throw portTakenError(options.port);
    }
    const port = options.port ?? (await findFreePort());
    const log = join(dataDir, logFile);
    const outcome = await progress.during(
      'starting Postgres',
      (step) => {
        const child = launch(runtime, dataDir, port, options.durable ?? true, account);
        if (child.pid !== undefined) options.spawned?.(child.pid);
        return waitUntilReady(child, {
          isServing: () => isServing(dataDir, port, password),
          step,
          shutdown,
          output: () => readFile(log, 'utf8'),
          advance: logLine,
        });
      },
      { logFile: log },
    );
    if (outcome.ready) {
      const { pid, exited } = outcome;
      return describeServer({ pid, port, dataDir, password, adopted: false, exited });
    }
    if (!/could not bind|Address already in use/.test(outcome.output)) {
      throw explainFailure(dataDir, outcome.output);
    }
    if (options.port !== undefined || tries === 3) throw portTakenError(port);
  }
}

/**
 * A line of its log that shows progress. Recovery after a crash logs a line every ten seconds;
 * rejected connection attempts are logged as FATAL.
 */
const logLine = / LOG: {2}(.+)$/gm;

function portTakenError(port: number): StartError {
  return new StartError(
    `Port ${port} on 127.0.0.1 is taken by another program, so Postgres cannot listen there: stop that program or choose another port.`,
  );
}

function launch(
  runtime: PostgresRuntime,
  dataDir: string,
  port: number,
  durable: boolean,
  account: Account | undefined,
): ChildProcess {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // A socket's path is limited to 107 bytes, which a deep checkout exceeds; TCP is sufficient.
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '128MB',
    // A partitioned table takes a lock per partition, which soon exceeds the default of 64.
    max_locks_per_transaction: '256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable
      ? {}
      : {
          fsync: 'off',
          full_page_writes: 'off',
          synchronous_commit: 'off',
          wal_level: 'minimal',
          max_wal_senders: '0',
          autovacuum_naptime: '10s',
        }),
  };
  return spawnService({
    command: runtime.postgres,
    args: ['-D', dataDir, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    cwd: dataDir,
    env: serverEnvironment(runtime),
    log: join(dataDir, logFile),
    account,
  });
}

/** Whether the server on this port accepts the password and serves this folder. */
async function isServing(dataDir: string, port: number, password: string): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const result = await client.query<{ data_directory: string }>('SHOW data_directory');
    return result.rows[0]?.data_directory === dataDir;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * The server that runs on this folder, if it is healthy and on the wanted port. An unhealthy one is
 * stopped, and the files of a dead one are removed, so that a new one can start.
 */
async function findRunning(
  dataDir: string,
  password: string,
  wantedPort: number | undefined,
): Promise<{ pid: number; port: number } | undefined> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  const state = lines[7];

  if (!(pid > 0 && isAlive(pid) && isPostmasterOf(pid, dataDir))) {
    // By now the pid may belong to another process, in which case Postgres would refuse to start.
    await unlink(pidFile).catch(() => {});
    return undefined;
  }
  if (state === 'stopping') await waitForExit(pid, 30_000);
  const isHealthy = await isServing(dataDir, port, password);
  if (isHealthy && (wantedPort === undefined || wantedPort === port)) return { pid, port };
  await endProcess(pid, isHealthy ? shutdown : unhealthyShutdown);
  // A killed server leaves its pid file; Postgres refuses to start while that names a running
  // process.
  await waitUntilReaped(pid, 10_000);
  return undefined;
}

/**
 * Whether a process is the server of a data folder, which is its working folder. Without /proc, the
 * pid file is trusted.
 */
function isPostmasterOf(pid: number, dataDir: string): boolean {
  const folder = workingFolder(pid);
  return folder === undefined ? process.platform !== 'linux' : folder === dataDir;
}

function describeServer(server: {
  pid: number;
  port: number;
  dataDir: string;
  password: string;
  adopted: boolean;
  exited: Promise<void>;
}): RunningPostgres {
  const { pid, port, dataDir, adopted, exited } = server;
  return {
    superuserUrl: `postgres://postgres:${server.password}@127.0.0.1:${port}/postgres`,
    port,
    pid,
    dataDir,
    adopted,
    exited,
    stop: () => endProcess(pid, shutdown),
  };
}
