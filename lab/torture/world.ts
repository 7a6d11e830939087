import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createProject } from '../../src/access/projects.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { DatabaseUrls } from '../../src/db/preparing/prepare.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type Line, openLine } from '../../test/support/line.ts';
import { openParts, type Parts } from '../../test/support/parts.ts';
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import {
  createDatabase,
  makeFolder,
  startPrivatePostgres,
  startPrivateRedis,
  type TestPostgres,
  type TestRedis,
} from '../../test/support/services.ts';
import { findFreePort } from '../embedded/processes/ports.ts';
import { ownPrograms } from '../embedded/programs.ts';
import { findFakeClock } from './fake-clock.ts';
import type { KnownProject } from './ledger.ts';
import { type Supervised, supervise } from './programs.ts';
import { makeProjects } from './projects.ts';
import { receive } from './receive.ts';
import { startPair } from './standby.ts';

const execute = promisify(execFile);

export type LinePart = 'clients' | 'postgres' | 'redis';

export type WorldPostgres = DatabaseUrls & {
  superuserUrl: string;
  remove(): Promise<void>;
  /** Null if others use it too. */
  crash: TestPostgres['crash'] | null;
  restart: TestPostgres['restart'];
  /** Loses the primary, and promotes its standby; null without one. */
  promote: (() => Promise<void>) | null;
};

/** The whole system, and the targets of faults. */
export interface World {
  /** One for each server, through the clients' connection to it. */
  urls: string[];
  projects: KnownProject[];
  owner: Database;
  postgres: WorldPostgres;
  redis: TestRedis;
  receiver: Receiver;
  /** By program: the clients' connections to a server, and its own to Postgres and Redis. */
  lines: Record<LinePart, Map<string, Line>>;
  programs: Supervised[];
  /** Those that are workers. */
  workers: Supervised[];
  /** The names of the workers that send deliveries. */
  senders: string[];
  storage: {
    folder: string;
    /** Whether it is a separate file system, which can be filled and made read-only. */
    isMounted: boolean;
  };
  /** Sets the clock of a worker, in seconds ahead; null without libfaketime. */
  setClock: ((worker: Supervised, seconds: number) => Promise<void>) | null;
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A program, by name: an API server, or a worker with its queues. */
type Shape = Readonly<Record<string, 'server' | { queues: string }>>;

const few = {
  api: 'server',
  sender: { queues: 'relay,webhooks' },
  keeper: { queues: 'relay,webhooks,maintenance,imaging' },
  reader: { queues: 'normalize,classify' },
} as const satisfies Shape;

/** `few` has one of each, for a cheap run; `all` has two servers, and two readers of documents. */
const shapes = {
  few,
  all: { ...few, api2: 'server', reader2: { queues: 'normalize,classify' } },
} as const satisfies Record<string, Shape>;

export type WorldSize = keyof typeof shapes;

/** About 100 s of attempts: no receiver fails for longer. */
const retrySchedule = [0, 1, 1, 2, 2, 3, 3, ...Array.from({ length: 20 }, () => 5)].join();

const postgresOf = {
  async own(): Promise<WorldPostgres> {
    return { ...(await startPrivatePostgres()), promote: null };
  },
  pair: startPair,
  async shared(): Promise<WorldPostgres> {
    const database = await createDatabase();
    const restart = async () => undefined;
    return { ...database, remove: database.drop, crash: null, restart, promote: null };
  },
};

/** The options of a world. */
export interface WorldOptions {
  size: WorldSize;
  /** The storage, if it is a separate file system. Default: 32. */
  storageMebibytes?: number;
  /**
   * `own` can crash, `pair` is a primary with a standby, and `shared` is a database on the Postgres
   * of all tests.
   */
  postgres: keyof typeof postgresOf;
}

export function openWorld(options: WorldOptions): Promise<World> {
  return openParts((parts) => openWith(parts, options));
}

async function openWith(parts: Parts, options: WorldOptions): Promise<World> {
  const [postgres, redis, receiver] = await Promise.all([
    parts.open(postgresOf[options.postgres](), (one) => one.remove()),
    parts.open(startPrivateRedis(), (one) => one.remove()),
    parts.open(startReceiver(), (one) => one.close()),
  ]);
  receiver.answer(receive);
  const owner = await parts.open(openDatabase(postgres.superuserUrl, { poolSize: 3 }), (one) =>
    one.destroy(),
  );
  const rows: World['rows'] = (sql, values = []) =>
    inTransaction(owner, (tx) => query(tx, sql, values));
  const projects = await makeProjects(rows, async (name) => {
    const made = await inTransaction(owner, (tx) => createProject(tx, name));
    return { id: made.projectId, key: made.secret };
  });
  const folder = await parts.open(makeFolder('torture'), (one) =>
    rm(one, { recursive: true, force: true }),
  );
  const storage = await parts.open(openStorageFolder(join(folder, 'storage'), options), (one) =>
    one.close(),
  );
  const key = () => randomBytes(32).toString('base64');
  const shared: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    STORAGE_URL: pathToFileURL(storage.folder).href,
    SECRET_KEY: key(),
    SIGNING_KEY: key(),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_RETRY_SCHEDULE: retrySchedule,
    OCR_PROCESSES: '1',
    IMAGING_PROCESSES: '1',
    LOG_LEVEL: 'info',
  };
  const clock = await findFakeClock();
  const clockFile = (name: string) => join(folder, `${name}.clock`);
  const lines: World['lines'] = { clients: new Map(), postgres: new Map(), redis: new Map() };
  const open = async (part: LinePart, name: string, url: string): Promise<Line> => {
    const line = await parts.open(openLine(url), (one) => one.close());
    lines[part].set(name, line);
    return line;
  };
  const start = (...given: Parameters<typeof supervise>): Promise<Supervised> =>
    parts.open(Promise.resolve(supervise(...given)), (program) => program.end());
  const urls: string[] = [];
  const programs: Supervised[] = [];
  const workers: Supervised[] = [];
  const senders: string[] = [];
  for (const [name, kind] of Object.entries<Shape[string]>(shapes[options.size])) {
    const toPostgres = await open('postgres', name, postgres.apiUrl);
    const toRedis = await open('redis', name, redis.url);
    const env: NodeJS.ProcessEnv = {
      ...shared,
      DATABASE_URL: toPostgres.through(postgres.apiUrl),
      DATABASE_WORKER_URL: toPostgres.through(postgres.workerUrl),
      DATABASE_RELAY_URL: toPostgres.through(postgres.relayUrl),
      REDIS_URL: toRedis.through(redis.url),
    };
    const log = join(folder, `${name}.log`);
    if (kind === 'server') {
      const own = `http://127.0.0.1:${await findFreePort()}`;
      urls.push((await open('clients', name, own)).through(own).replace(/\/$/, ''));
      const { port } = new URL(own);
      programs.push(await start(name, ownPrograms.server, { ...env, PORT: port }, log));
    } else {
      if (clock) await writeFile(clockFile(name), '+0');
      const own = { ...env, ...clock?.environment(clockFile(name)), WORKERS: kind.queues };
      if (kind.queues.includes('webhooks')) senders.push(name);
      workers.push(await start(name, ownPrograms.worker, own, log));
    }
  }
  programs.push(...workers);
  const ready = urls.map((url) =>
    eventually(async () => {
      const failed = programs.find((program) => program.failure() !== null);
      return failed !== undefined || (await fetch(`${url}/readyz`)).status === 200;
    }, 300_000),
  );
  await Promise.all(ready);
  for (const { name, failure } of programs) {
    const end = failure();
    if (end !== null) throw new Error(`${name} does not start: ${end}`);
  }
  return {
    ...{ urls, projects, owner, postgres, redis, receiver, storage, rows },
    ...{ lines, programs, workers, senders },
    setClock: clock
      ? (worker, seconds) =>
          writeFile(clockFile(worker.name), seconds < 0 ? `${seconds}` : `+${seconds}`)
      : null,
    close: parts.close,
  };
}

/**
 * A separate file system, if this machine allows it. It is unmounted before a signal ends this
 * process; otherwise the folder that contains it could not be removed.
 */
async function openStorageFolder(
  folder: string,
  { storageMebibytes = 32 }: Pick<WorldOptions, 'storageMebibytes'>,
): Promise<World['storage'] & { close(): Promise<void> }> {
  await mkdir(folder);
  const leave = (signal: NodeJS.Signals): void => {
    spawnSync('umount', ['-l', folder]);
    for (const one of endings) process.removeListener(one, leave);
    // Other listeners decide themselves how to continue.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  // Done before mounting, which takes a moment.
  for (const signal of endings) process.on(signal, leave);
  const options = ['-t', 'tmpfs', '-o', `size=${storageMebibytes}m`, 'torture', folder];
  const isMounted = await execute('mount', options).then(
    () => true,
    () => false,
  );
  return {
    ...{ folder, isMounted },
    async close() {
      for (const signal of endings) process.removeListener(signal, leave);
      if (isMounted) await execute('umount', ['-l', folder]);
    },
  };
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
