import { randomBytes } from 'node:crypto';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort, isPortTaken } from '../processes/ports.ts';
import {
  endProcess,
  isAlive,
  spawnService,
  waitUntilReady,
  watchExit,
  workingFolder,
} from '../processes/processes.ts';
import { createProgress, type Progress } from '../progress.ts';
import { StartError } from '../start-error.ts';
import { findRedis, type RedisBinary } from './binary.ts';

export { findRedis, type RedisBinary } from './binary.ts';

interface RedisOptions {
  /** Holds the append-only file, the configuration and the log. */
  dir: string;
  /** Default: a free one. */
  port?: number;
  /** Default: the result of `findRedis`, with packages unpacked under `dir`/../packages. */
  binary?: RedisBinary;
  log?: (message: string) => void;
  progress?: Progress;
  /** Called with its process id as soon as it has one. */
  spawned?: (pid: number) => void;
}

export interface RunningRedis {
  /** With the password. */
  url: string;
  port: number;
  pid: number;
  /** True when it was already running, left by a killed process. */
  adopted: boolean;
  /** Resolves when it ends, for any reason. */
  exited: Promise<void>;
  /** Writes the append-only file to disk before it ends. May be called twice. */
  stop(): Promise<void>;
}

const shutdown = [{ signal: 'SIGTERM', milliseconds: 20_000 }] as const;

/**
 * Starts Redis on 127.0.0.1 with a password, an append-only file and `noeviction` (an evicted job
 * is lost work), and resolves when it answers. A healthy one that already runs on this folder is
 * used; an unhealthy one is stopped. Throws StartError for problems that require action.
 */
export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const dir = await realpath(options.dir);
  const { progress = createProgress() } = options;
  const password = await readOrCreatePassword(dir);
  const existing = await findRunning(dir, password, options.port);
  if (existing)
    return describeServer({
      ...existing,
      password,
      adopted: true,
      exited: watchExit(existing.pid),
    });

  const binary =
    options.binary ??
    (await findRedis({
      packagesDir: join(dir, '..', 'packages'),
      ...(options.log ? { log: options.log } : {}),
    }));
  for (let tries = 1; ; tries += 1) {
    if (options.port !== undefined && (await isPortTaken(options.port))) {
      throw portTakenError(options.port);
    }
    const port = options.port ?? (await findFreePort());
    await writeFile(configFile(dir), configuration(dir, port, password), { mode: 0o600 });
    const log = join(dir, 'server.log');
    const outcome = await progress.during(
      'starting Redis',
      (step) => {
        const child = spawnService({
          command: binary.path,
          args: [configFile(dir)],
          cwd: dir,
          env: { PATH: '/usr/bin:/bin', TZ: 'UTC', ...binary.env },
          log,
        });
        if (child.pid !== undefined) options.spawned?.(child.pid);
        return waitUntilReady(child, {
          isServing: async (pid) => (await servingPid(dir, port, password)) === pid,
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
      return describeServer({ pid, port, password, adopted: false, exited });
    }
    const { output } = outcome;
    if (!/Address already in use|bind:/.test(output)) throw explainFailure(dir, outcome);
    if (options.port !== undefined || tries === 3) throw portTakenError(port);
  }
}

/** A line of its log: process and role, time, level, text. */
const logLine = /^\d+:\w .+? [.\-*#] (.+)$/gm;

function configFile(dir: string): string {
  return join(dir, 'redis.conf');
}

/** A file instead of arguments, which every user of the machine can read. */
function configuration(dir: string, port: number, password: string): string {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    `dir ${JSON.stringify(dir)}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    `pidfile ${JSON.stringify(join(dir, 'redis.pid'))}`,
    'maxmemory-policy noeviction',
    'daemonize no',
    '',
  ].join('\n');
}

async function readOrCreatePassword(dir: string): Promise<string> {
  const file = join(dir, 'password');
  const stored = await readFile(file, 'utf8').catch(() => '');
  if (stored.trim()) return stored.trim();
  const password = randomBytes(24).toString('hex');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** The process id of the Redis on this port if it accepts the password and serves this folder. */
async function servingPid(
  dir: string,
  port: number,
  password: string,
): Promise<number | undefined> {
  const client = new Redis({
    host: '127.0.0.1',
    port,
    password,
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    // This would wait until all data is loaded.
    enableReadyCheck: false,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    // Fails with LOADING while the append-only file is being read, although PING would succeed.
    const folder = await client.config('GET', 'dir');
    if (!Array.isArray(folder) || folder[1] !== dir) return undefined;
    await client.get('ready?');
    const pid = /^process_id:(\d+)/m.exec(await client.info('server'))?.[1];
    return pid === undefined ? undefined : Number(pid);
  } catch {
    return undefined;
  } finally {
    client.disconnect();
  }
}

/** The Redis that a killed process left running on this folder; stopped if it is unhealthy. */
async function findRunning(
  dir: string,
  password: string,
  wantedPort: number | undefined,
): Promise<{ pid: number; port: number } | undefined> {
  const config = await readFile(configFile(dir), 'utf8').catch(() => '');
  const port = Number(/^port (\d+)$/m.exec(config)?.[1] ?? Number.NaN);
  if (Number.isNaN(port)) return undefined;
  const pid = await servingPid(dir, port, password);
  if (pid === undefined) {
    // It does not answer, and still uses the folder's append-only file.
    const unhealthyPid = Number(await readFile(join(dir, 'redis.pid'), 'utf8').catch(() => ''));
    if (unhealthyPid > 0 && isAlive(unhealthyPid) && workingFolder(unhealthyPid) === dir) {
      await endProcess(unhealthyPid, [{ signal: 'SIGTERM', milliseconds: 3_000 }]);
    }
    return undefined;
  }
  if (wantedPort === undefined || wantedPort === port) return { pid, port };
  await endProcess(pid, shutdown);
  return undefined;
}

function portTakenError(port: number): StartError {
  return new StartError(
    `Port ${port} on 127.0.0.1 is taken by another program, so Redis cannot listen there: stop that program or choose another port.`,
  );
}

function explainFailure(dir: string, outcome: { ending: string; output: string }): StartError {
  const { ending, output } = outcome;
  if (/No space left on device/i.test(output)) {
    return new StartError(
      `The disk that holds ${dir} is full, so Redis cannot start: free some space and try again.`,
    );
  }
  const last = output.trim().split('\n').at(-1);
  return new StartError(
    `Redis did not start on ${dir} (${last || ending}): see ${join(dir, 'server.log')}.`,
  );
}

function describeServer(server: {
  pid: number;
  port: number;
  password: string;
  adopted: boolean;
  exited: Promise<void>;
}): RunningRedis {
  const { pid, port, adopted, exited } = server;
  return {
    url: `redis://:${server.password}@127.0.0.1:${port}`,
    port,
    pid,
    adopted,
    exited,
    stop: () => endProcess(pid, shutdown),
  };
}
