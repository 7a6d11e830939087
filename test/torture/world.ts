import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createProject } from '../../src/access/projects.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { findFreePort } from '../../src/embedded/processes/ports.ts';
import { ownPrograms } from '../../src/embedded/programs.ts';
import { eventually } from '../support/eventually.ts';
import { type Line, openLine } from '../support/line.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  startPrivatePostgres,
  startPrivateRedis,
  type TestPostgres,
  type TestRedis,
} from '../support/services.ts';
import { findFakeClock } from './fake-clock.ts';
import type { KnownProject } from './ledger.ts';
import { type Supervised, supervise } from './programs.ts';
import { receive } from './receive.ts';

const execute = promisify(execFile);

/** The whole system, and what faults take hold of. */
export interface World {
  /** Through the clients' line. */
  url: string;
  projects: KnownProject[];
  owner: Database;
  postgres: TestPostgres;
  redis: TestRedis;
  receiver: Receiver;
  lines: Record<'clients' | 'api' | 'workers' | 'redis', Line>;
  programs: Supervised[];
  /** Those that are workers. */
  workers: Supervised[];
  storage: {
    folder: string;
    /** Whether it is a file system of its own, which can be filled and made read-only. */
    isMounted: boolean;
  };
  /** Sets the clock of a worker, in seconds ahead; null without libfaketime. */
  setClock: ((worker: Supervised, seconds: number) => Promise<void>) | null;
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Queues by worker process: two relays, two senders. */
const workerQueues = {
  sender: 'relay,webhooks',
  keeper: 'relay,webhooks,maintenance,imaging',
  reader: 'normalize,classify',
} as const;

/** About 100 s of attempts: no receiver fails for longer. */
const retrySchedule = [0, 1, 1, 2, 2, 3, 3, ...Array.from({ length: 20 }, () => 5)].join();

export async function openWorld(): Promise<World> {
  const [postgres, redis, receiver] = await Promise.all([
    startPrivatePostgres(),
    startPrivateRedis(),
    startReceiver(),
  ]);
  receiver.answer(receive);
  const owner = await openDatabase(postgres.superuserUrl, { poolSize: 3 });
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-torture-'));
  const storage = { folder: join(folder, 'storage'), isMounted: false };
  await mkdir(storage.folder);
  storage.isMounted = await execute('mount', [
    '-t',
    'tmpfs',
    '-o',
    'size=32m',
    'torture',
    storage.folder,
  ]).then(
    () => true,
    () => false,
  );
  const port = await findFreePort();
  const lines = {
    clients: await openLine(`http://127.0.0.1:${port}`),
    api: await openLine(postgres.apiUrl),
    workers: await openLine(postgres.workerUrl),
    redis: await openLine(redis.url),
  };
  const projects: KnownProject[] = [];
  for (const name of ['north', 'south']) {
    const made = await inTransaction(owner, (tx) => createProject(tx, name));
    projects.push({ id: made.projectId, key: made.secret, name });
  }
  const rows: World['rows'] = (sql, values = []) =>
    inTransaction(owner, (tx) => query(tx, sql, values));
  await rows('UPDATE api_key SET read_per_minute = 1000000, write_per_minute = 1000000');
  const key = () => randomBytes(32).toString('base64');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    DATABASE_URL: lines.api.through(postgres.apiUrl),
    DATABASE_WORKER_URL: lines.workers.through(postgres.workerUrl),
    DATABASE_RELAY_URL: lines.workers.through(postgres.relayUrl),
    REDIS_URL: lines.redis.through(redis.url),
    STORAGE_URL: pathToFileURL(storage.folder).href,
    SECRET_KEY: key(),
    SIGNING_KEY: key(),
    PORT: String(port),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_RETRY_SCHEDULE: retrySchedule,
    OCR_PROCESSES: '1',
    IMAGING_PROCESSES: '1',
    LOG_LEVEL: 'info',
  };
  const clock = await findFakeClock();
  const clockFile = (name: string) => join(folder, `${name}.clock`);
  const server = supervise('server', ownPrograms.server, env, join(folder, 'server.log'));
  const workers: Supervised[] = [];
  for (const [name, queues] of Object.entries(workerQueues)) {
    if (clock) await writeFile(clockFile(name), '+0');
    const own = { ...env, ...clock?.environment(clockFile(name)), WORKERS: queues };
    workers.push(supervise(name, ownPrograms.worker, own, join(folder, `${name}.log`)));
  }
  const programs = [server, ...workers];
  const url = lines.clients.through(`http://127.0.0.1:${port}`).replace(/\/$/, '');
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, 300_000);
  return {
    ...{ url, projects, owner, postgres, redis, receiver, lines, programs, workers, storage, rows },
    setClock: clock
      ? (worker, seconds) =>
          writeFile(clockFile(worker.name), seconds < 0 ? `${seconds}` : `+${seconds}`)
      : null,
    async close() {
      await Promise.all(programs.map((program) => program.end()));
      await Promise.all(Object.values(lines).map((line) => line.close()));
      await receiver.close();
      await owner.destroy();
      await Promise.all([redis.remove(), postgres.remove()]);
      if (storage.isMounted) await execute('umount', ['-l', storage.folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
