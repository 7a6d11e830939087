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
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { openResources, type ResourceStack } from '../../test/support/resources.ts';
import {
  createDatabase,
  makeFolder,
  startPrivatePostgres,
  startPrivateRedis,
  type TestPostgres,
  type TestRedis,
} from '../../test/support/services.ts';
import { openTcpProxy, type TcpProxy } from '../../test/support/tcp-proxy.ts';
import { findFreePort } from '../embedded/processes/ports.ts';
import { checkoutPrograms } from '../embedded/programs.ts';
import { findFakeClock } from './fake-clock.ts';
import type { KnownProject } from './ledger.ts';
import { makeProjects } from './projects.ts';
import { respondIfOnTime } from './receive.ts';
import { startPair } from './standby.ts';
import { type SupervisedProgram, supervise } from './supervise.ts';

const execute = promisify(execFile);

export type ProxyPart = 'clients' | 'postgres' | 'redis';

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
  proxies: Record<ProxyPart, Map<string, TcpProxy>>;
  programs: SupervisedProgram[];
  /** Those that are workers. */
  workers: SupervisedProgram[];
  /** The names of the workers that send deliveries. */
  senders: string[];
  storage: {
    folder: string;
    /** Whether it is a separate file system, which can be filled and made read-only. */
    isMounted: boolean;
  };
  /** Sets the clock of a worker, in seconds ahead; null without libfaketime. */
  setClock: ((worker: SupervisedProgram, seconds: number) => Promise<void>) | null;
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A program, by name: an API server, or a worker with its queues. */
type WorldShape = Readonly<Record<string, 'server' | { queues: string }>>;

const smallShape = {
  api: 'server',
  sender: { queues: 'relay,webhooks' },
  keeper: { queues: 'relay,webhooks,maintenance,imaging' },
  reader: { queues: 'normalize,classify' },
} as const satisfies WorldShape;

/** `few` has one of each, for a cheap run; `all` has two servers, and two readers of documents. */
const shapes = {
  few: smallShape,
  all: { ...smallShape, api2: 'server', reader2: { queues: 'normalize,classify' } },
} as const satisfies Record<string, WorldShape>;

export type WorldSize = keyof typeof shapes;

/** About 100 s of attempts: no receiver fails for longer. */
const retrySchedule = [0, 1, 1, 2, 2, 3, 3, ...Array.from({ length: 20 }, () => 5)].join();

const postgresOptions = {
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
  postgres: keyof typeof postgresOptions;
}

export function openWorld(options: WorldOptions): Promise<World> {
  return openResources((resources) => openWorldParts(resources, options));
}

async function openWorldParts(resources: ResourceStack, options: WorldOptions): Promise<World> {
  const [postgres, redis, receiver] = await Promise.all([
    resources.open(postgresOptions[options.postgres](), (one) => one.remove()),
    resources.open(startPrivateRedis(), (one) => one.remove()),
    resources.open(startReceiver(), (one) => one.close()),
  ]);
  receiver.respondWith(respondIfOnTime);
  const owner = await resources.open(openDatabase(postgres.superuserUrl, { poolSize: 3 }), (one) =>
    one.destroy(),
  );
  const rows: World['rows'] = (sql, values = []) =>
    inTransaction(owner, (tx) => query(tx, sql, values));
  const projects = await makeProjects(rows, async (name) => {
    const project = await inTransaction(owner, (tx) => createProject(tx, name));
    return { id: project.projectId, key: project.secret };
  });
  const folder = await resources.open(makeFolder('torture'), (one) =>
    rm(one, { recursive: true, force: true }),
  );
  const storage = await resources.open(openStorageFolder(join(folder, 'storage'), options), (one) =>
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
  const lines: World['proxies'] = { clients: new Map(), postgres: new Map(), redis: new Map() };
  const open = async (part: ProxyPart, name: string, url: string): Promise<TcpProxy> => {
    const proxy = await resources.open(openTcpProxy(url), (one) => one.close());
    lines[part].set(name, proxy);
    return proxy;
  };
  const start = (...superviseArguments: Parameters<typeof supervise>): Promise<SupervisedProgram> =>
    resources.open(Promise.resolve(supervise(...superviseArguments)), (program) => program.end());
  const urls: string[] = [];
  const programs: SupervisedProgram[] = [];
  const workers: SupervisedProgram[] = [];
  const senders: string[] = [];
  for (const [name, kind] of Object.entries<WorldShape[string]>(shapes[options.size])) {
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
      const serverUrl = `http://127.0.0.1:${await findFreePort()}`;
      urls.push((await open('clients', name, serverUrl)).through(serverUrl).replace(/\/$/, ''));
      const { port } = new URL(serverUrl);
      programs.push(await start(name, checkoutPrograms.server, { ...env, PORT: port }, log));
    } else {
      if (clock) await writeFile(clockFile(name), '+0');
      const workerEnv = { ...env, ...clock?.environment(clockFile(name)), WORKERS: kind.queues };
      if (kind.queues.includes('webhooks')) senders.push(name);
      workers.push(await start(name, checkoutPrograms.worker, workerEnv, log));
    }
  }
  programs.push(...workers);
  const serversReady = urls.map((url) =>
    eventually(async () => {
      const failed = programs.find((program) => program.failure() !== null);
      return failed !== undefined || (await fetch(`${url}/readyz`)).status === 200;
    }, 300_000),
  );
  await Promise.all(serversReady);
  for (const { name, failure } of programs) {
    const end = failure();
    if (end !== null) throw new Error(`${name} does not start: ${end}`);
  }
  return {
    urls,
    projects,
    owner,
    postgres,
    redis,
    receiver,
    storage,
    rows,
    proxies: lines,
    programs,
    workers,
    senders,
    setClock: clock
      ? (worker, seconds) =>
          writeFile(clockFile(worker.name), seconds < 0 ? `${seconds}` : `+${seconds}`)
      : null,
    close: resources.close,
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
  const unmountAndExit = (signal: NodeJS.Signals): void => {
    spawnSync('umount', ['-l', folder]);
    for (const one of endSignals) process.removeListener(one, unmountAndExit);
    // Other listeners decide themselves how to continue.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  // Done before mounting, which takes a moment.
  for (const signal of endSignals) process.on(signal, unmountAndExit);
  const options = ['-t', 'tmpfs', '-o', `size=${storageMebibytes}m`, 'torture', folder];
  const isMounted = await execute('mount', options).then(
    () => true,
    () => false,
  );
  return {
    folder,
    isMounted,
    async close() {
      for (const signal of endSignals) process.removeListener(signal, unmountAndExit);
      if (isMounted) await execute('umount', ['-l', folder]);
    },
  };
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
