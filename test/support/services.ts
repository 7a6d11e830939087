import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdtemp, realpath, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { type RunningPostgres, startPostgres } from '../../lab/embedded/postgres/postgres.ts';
import { endProcess } from '../../lab/embedded/processes/processes.ts';
import { startTether, type Tether } from '../../lab/embedded/processes/tether.ts';
import { checkout } from '../../lab/embedded/programs.ts';
import { findRedis, type RunningRedis, startRedis } from '../../lab/embedded/redis/redis.ts';
import { type DatabaseUrls, prepareDatabase } from '../../src/db/preparing/prepare.ts';

/**
 * One real Postgres and one real Redis for a whole run of mocha, started when first asked for, on
 * free ports, and stopped by the root hook below (.mocharc.json requires this file).
 */

export interface TestDatabase extends DatabaseUrls {
  name: string;
  /** A superuser's URL to this database, for looking behind the walls. */
  superuserUrl: string;
  /** Ends connections that are left and drops the database. */
  drop(): Promise<void>;
}

export interface TestPostgres extends DatabaseUrls {
  superuserUrl: string;
  /** An immediate shutdown, after which it recovers as from a crash. */
  crash(): Promise<void>;
  /** Again on the same port, with what was committed. */
  restart(): Promise<void>;
  /** Stops it and removes its folder; call it in an after hook. */
  remove(): Promise<void>;
}

export interface TestRedis {
  url: string;
  port: number;
  /** SIGKILL, as a crash would be. */
  kill(): Promise<void>;
  /** Orderly. */
  stop(): Promise<void>;
  /** Again on the same port, with the same password and the data that reached the disk. */
  restart(): Promise<void>;
  /** Stops it and removes its folder; call it in an after hook. */
  remove(): Promise<void>;
}

const templateName = 'template_migrated';
const packagesDir = join(checkout, '.data', 'packages');
/** Far more than the databases and the log of a run take. */
const neededBytes = 2 * 1024 ** 3;
const rolePassword = randomBytes(12).toString('hex');
const rolePasswords = {
  owner: rolePassword,
  api: rolePassword,
  worker: rolePassword,
  relay: rolePassword,
  neighbour: rolePassword,
};

interface RunFolder {
  folder: string;
  tether: Tether;
}
let runFolder: Promise<RunFolder> | undefined;
let postgres: Promise<RunningPostgres> | undefined;
let redis: Promise<RunningRedis> | undefined;
let template: Promise<DatabaseUrls> | undefined;
const stopCallbacks: (() => Promise<void>)[] = [];
const folders: { folder: string; tether: Tether }[] = [];
let databaseCount = 0;

/** The URL of a superuser on the run's Postgres, database `postgres`. */
export async function superuserUrl(): Promise<string> {
  return (await runningPostgres()).superuserUrl;
}

/** The URL of the run's Redis, shared by all tests: take a prefix or a database number of yours. */
export async function redisUrl(): Promise<string> {
  redis ??= startSharedRedis();
  return (await redis).url;
}

/** A database with all migrations, cloned from a template, on the run's Postgres. */
export async function createDatabase(): Promise<TestDatabase> {
  template ??= buildTemplate();
  const urls = await template;
  const superuser = await superuserUrl();
  databaseCount += 1;
  const name = `test_${process.pid}_${databaseCount}`;
  // FILE_COPY checkpoints, which costs nothing without fsync, and copies no page through the log.
  await execute(
    superuser,
    `CREATE DATABASE ${name} TEMPLATE ${templateName} OWNER owner STRATEGY FILE_COPY`,
  );
  return {
    name,
    ownerUrl: withDatabase(urls.ownerUrl, name),
    apiUrl: withDatabase(urls.apiUrl, name),
    workerUrl: withDatabase(urls.workerUrl, name),
    relayUrl: withDatabase(urls.relayUrl, name),
    neighbourUrl: withDatabase(urls.neighbourUrl, name),
    superuserUrl: withDatabase(superuser, name),
    drop: () => execute(superuser, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A Redis of one's own, for a test that flushes, kills or stops it. */
export async function startPrivateRedis(): Promise<TestRedis> {
  const { folder, tether } = await prepareRunFolder();
  const dir = await mkdtemp(join(folder, 'redis-'));
  const binary = await findRedis({ packagesDir });
  let running = await startRedis({ dir, binary });
  tether.attach(running.pid, 'SIGTERM');
  const { url, port } = running;
  const stop = async (): Promise<void> => {
    await running.stop();
    tether.detach(running.pid);
  };
  return {
    url,
    port,
    stop,
    kill: async () => {
      await endProcess(running.pid, []);
      tether.detach(running.pid);
    },
    restart: async () => {
      running = await startRedis({ dir, binary, port });
      tether.attach(running.pid, 'SIGTERM');
    },
    remove: async () => {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A Postgres of one's own, for a test that crashes it: what it has committed survives that. */
export async function startPrivatePostgres(): Promise<TestPostgres> {
  const { folder, tether } = await prepareRunFolder();
  await chmod(folder, 0o711);
  const dataDir = join(await mkdtemp(join(folder, 'postgres-')), 'data');
  await chmod(dirname(dataDir), 0o711);
  let running = await startPostgres({ dataDir });
  tether.attach(running.pid, 'SIGINT');
  const { port } = running;
  const urls = await prepareDatabase({
    superuserUrl: running.superuserUrl,
    database: 'private',
    passwords: rolePasswords,
  });
  const end = async (stop: () => Promise<void>): Promise<void> => {
    await stop();
    tether.detach(running.pid);
  };
  return {
    ...urls,
    superuserUrl: withDatabase(running.superuserUrl, 'private'),
    crash: () => end(() => endProcess(running.pid, [{ signal: 'SIGQUIT', milliseconds: 30_000 }])),
    restart: async () => {
      running = await startPostgres({ dataDir, port });
      tether.attach(running.pid, 'SIGINT');
    },
    remove: async () => {
      await end(running.stop);
      await rm(dirname(dataDir), { recursive: true, force: true });
    },
  };
}

/** A Postgres of one's own without our schema, and the folder of its log. */
export async function startEmptyPostgres(): Promise<{
  superuserUrl: string;
  dataDir: string;
  remove(): Promise<void>;
}> {
  const { folder, tether } = await prepareRunFolder();
  await chmod(folder, 0o711);
  const dataDir = join(await mkdtemp(join(folder, 'postgres-')), 'data');
  await chmod(dirname(dataDir), 0o711);
  const running = await startPostgres({ dataDir });
  tether.attach(running.pid, 'SIGINT');
  return {
    superuserUrl: running.superuserUrl,
    dataDir: running.dataDir,
    async remove() {
      await running.stop();
      tether.detach(running.pid);
      await rm(dirname(dataDir), { recursive: true, force: true });
    },
  };
}

/** Ends a process with this one, however this one ends. */
export async function endWithRun(child: ChildProcess): Promise<void> {
  const { tether } = await prepareRunFolder();
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  tether.attach(pid, 'SIGKILL');
  child.once('exit', () => tether.detach(pid));
}

/** A new folder on the disk, which is removed with this run, however it ends. */
export async function makeFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `scriptorium-${name}-`));
  removeWithRun(folder);
  return folder;
}

/** Removes a folder with this run, however it ends. */
export function removeWithRun(folder: string): void {
  folders.push({ folder, tether: startTether(folder) });
}

/** Calls `stop` after the last test. */
export function stopAfterRun(stop: () => Promise<void>): void {
  stopCallbacks.push(stop);
}

/** Stops what was started. It is called after the last test, by mocha or by the process that runs all files of a lane. */
export async function stopServices(): Promise<void> {
  for (const stop of stopCallbacks.splice(0)) await stop();
  // A service that failed to start has told its test so already.
  const settled = await Promise.allSettled([redis, postgres]);
  for (const outcome of settled) {
    if (outcome.status === 'fulfilled') await outcome.value?.stop();
  }
  if (runFolder) {
    const { folder, tether } = await runFolder;
    await tether.close();
    await rm(folder, { recursive: true, force: true });
  }
  for (const { folder, tether } of folders.splice(0)) {
    await tether.close();
    await rm(folder, { recursive: true, force: true });
  }
  runFolder = postgres = redis = template = undefined;
}

export const mochaHooks = {
  async afterAll(): Promise<void> {
    await stopServices();
  },
};

function prepareRunFolder(): Promise<RunFolder> {
  runFolder ??= makeRunFolder();
  return runFolder;
}

async function makeRunFolder(): Promise<RunFolder> {
  const folder = await realpath(await mkdtemp(join(await scratchFolder(), 'scriptorium-test-')));
  return { folder, tether: startTether(folder) };
}

/**
 * Memory, where there is enough of it: a database is 650 files, and to create them on a disk takes
 * twenty times as long.
 */
async function scratchFolder(): Promise<string> {
  const memory = '/dev/shm';
  try {
    await access(memory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(memory);
    if (bavail * bsize >= neededBytes) return memory;
  } catch {
    // Not on this system.
  }
  return tmpdir();
}

function runningPostgres(): Promise<RunningPostgres> {
  postgres ??= startSharedPostgres();
  return postgres;
}

async function startSharedPostgres(): Promise<RunningPostgres> {
  const { folder, tether } = await prepareRunFolder();
  // mkdtemp makes folders that only their owner may enter, and Postgres is not root.
  await chmod(folder, 0o711);
  const running = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  tether.attach(running.pid, 'SIGINT');
  return running;
}

async function startSharedRedis(): Promise<RunningRedis> {
  const { folder, tether } = await prepareRunFolder();
  const binary = await findRedis({ packagesDir });
  const running = await startRedis({ dir: join(folder, 'redis'), binary });
  tether.attach(running.pid, 'SIGTERM');
  return running;
}

async function buildTemplate(): Promise<DatabaseUrls> {
  return prepareDatabase({
    superuserUrl: await superuserUrl(),
    database: templateName,
    passwords: rolePasswords,
  });
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
