import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type FleetProcess, startFleetProcess } from '../../test/support/fleet.ts';
import { type Balancer, startBalancer } from '../../test/support/haproxy.ts';
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { openResources, type ResourceStack } from '../../test/support/resources.ts';
import { run } from '../../test/support/run.ts';
import { makeFolder, startEmptyPostgres, startPrivateRedis } from '../../test/support/services.ts';
import { findFreePort } from '../embedded/processes/ports.ts';
import type { KnownProject } from '../torture/ledger.ts';
import { makeProjects } from '../torture/projects.ts';
import { respondIfOnTime } from '../torture/receive.ts';
import type { Release } from './release.ts';
import { logWaits } from './waits.ts';

/** Postgres, Redis, storage, a receiver and a balancer, and the processes of one or two releases. */
export interface System {
  url: string;
  redisUrl: string;
  projects: KnownProject[];
  owner: Database;
  receiver: Receiver;
  storage: { folder: string };
  balancer: Balancer;
  /** The folder of Postgres, with its log. */
  dataDir: string;
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Runs the operator's command of a release. */
  admin(release: Release, ...args: string[]): Promise<string>;
  startApi(release: Release, settings?: NodeJS.ProcessEnv): Promise<FleetProcess>;
  startWorker(
    release: Release,
    queues: string,
    settings?: NodeJS.ProcessEnv,
  ): Promise<FleetProcess>;
  /** Takes a process out of service in order. */
  retire(member: FleetProcess): Promise<void>;
  /** The ends of the logs of its processes. */
  logs(): string;
  close(): Promise<void>;
}

/** @param ports how many API processes may run at once */
export function openSystem(
  first: Release,
  settings: NodeJS.ProcessEnv,
  ports = 4,
): Promise<System> {
  return openResources((resources) => openSystemParts(resources, first, settings, ports));
}

async function openSystemParts(
  resources: ResourceStack,
  first: Release,
  settings: NodeJS.ProcessEnv,
  ports: number,
): Promise<System> {
  const [postgres, redis, receiver] = await Promise.all([
    resources.open(startEmptyPostgres(), (one) => one.remove()),
    resources.open(startPrivateRedis(), (one) => one.remove()),
    resources.open(startReceiver(), (one) => one.close()),
  ]);
  receiver.respondWith(respondIfOnTime);
  const folder = await resources.open(makeFolder('rolling'), (one) =>
    rm(one, { recursive: true, force: true }),
  );
  const storage = { folder: join(folder, 'storage') };
  await mkdir(storage.folder);
  const freePorts: number[] = [];
  while (freePorts.length < ports) {
    const port = await findFreePort();
    if (!freePorts.includes(port)) freePorts.push(port);
  }
  const balancer = await resources.open(startBalancer(freePorts), (one) => one.close());
  const password = randomBytes(12).toString('hex');
  const urlOf = (role: string): string => {
    const url = new URL(postgres.superuserUrl);
    url.pathname = '/rolling';
    if (role !== 'postgres') [url.username, url.password] = [role, password];
    return url.href;
  };
  const key = () => randomBytes(32).toString('base64');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    DATABASE_SUPERUSER_URL: postgres.superuserUrl,
    DATABASE_OWNER_URL: urlOf('owner'),
    DATABASE_URL: urlOf('api'),
    DATABASE_WORKER_URL: urlOf('worker'),
    DATABASE_RELAY_URL: urlOf('relay'),
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(storage.folder).href,
    SECRET_KEY: key(),
    SIGNING_KEY: key(),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    TRUST_PROXY: 'true',
    OCR_PROCESSES: '1',
    IMAGING_PROCESSES: '1',
    POOL_SIZE: '8',
    LOG_LEVEL: 'info',
    ...settings,
  };
  const admin: System['admin'] = async ({ name, production }, ...args) => {
    const { programs } = production.installation;
    const result = await run(process.execPath, [programs.admin, ...args], {
      env,
      cwd: production.folder,
    });
    if (result.code !== 0) throw new Error(`admin ${args.join(' ')} of ${name}: ${result.stderr}`);
    return result.stdout;
  };
  await admin(first, 'database', 'setup');
  const owner = await resources.open(openDatabase(urlOf('postgres'), { poolSize: 3 }), (one) =>
    one.destroy(),
  );
  for (const statement of logWaits) await owner.query(statement);
  const rows: System['rows'] = (sql, values = []) =>
    inTransaction(owner, (tx) => query(tx, sql, values));
  const projects = await makeProjects(rows, async (name) => {
    const created: { project_id: string; api_key: string } = JSON.parse(
      await admin(first, 'project', 'create', name, '--json'),
    );
    return { id: created.project_id, key: created.api_key };
  });

  const members = new Map<FleetProcess, { port?: number }>();
  await resources.open(Promise.resolve(members), (all) =>
    Promise.all([...all.keys()].map((member) => member.kill())),
  );
  let started = 0;
  const start = async (
    release: Release,
    kind: 'server' | 'worker',
    extra: NodeJS.ProcessEnv,
    port?: number,
  ): Promise<FleetProcess> => {
    started += 1;
    const options = { name: `${kind}-${started}`, kind, env: { ...env, ...extra }, logs: folder };
    const member = startFleetProcess(release.production.installation, options);
    members.set(member, port === undefined ? {} : { port });
    await member.untilServing();
    return member;
  };
  return {
    redisUrl: redis.url,
    url: balancer.url,
    projects,
    owner,
    receiver,
    storage,
    balancer,
    rows,
    admin,
    dataDir: postgres.dataDir,
    async startApi(release, extra = {}) {
      const usedPorts = [...members.values()].map(({ port }) => port);
      const port = freePorts.find((each) => !usedPorts.includes(each));
      if (port === undefined) throw new Error('All ports of the balancer are taken.');
      const member = await start(release, 'server', { ...extra, PORT: String(port) }, port);
      await eventually(() => balancer.isUp(port), 60_000);
      return member;
    },
    startWorker: (release, queues, extra = {}) =>
      start(release, 'worker', { ...extra, WORKERS: queues }),
    async retire(member) {
      await member.stop();
      members.delete(member);
    },
    logs: () =>
      [...members.keys()].map((each) => `--- ${each.name}\n${each.log().slice(-2_000)}`).join('\n'),
    close: resources.close,
  };
}
