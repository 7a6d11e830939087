import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where queues to compare with are installed: they are not among our dependencies. */
const peersPackage = resolve(
  process.env.PEERS ?? join(import.meta.dirname, '../../../../.data/peers'),
  'package.json',
);

/** The part of pg-boss that is used here. */
export interface PgBoss {
  start(): Promise<unknown>;
  createQueue(name: string): Promise<void>;
  insert(jobs: { name: string; data: object }[]): Promise<unknown>;
  work(
    name: string,
    options: { batchSize: number; pollingIntervalSeconds: number },
    handler: (jobs: unknown[]) => Promise<void>,
  ): Promise<string>;
  notifyWorker(id: string): void;
  stop(options: { graceful: boolean }): Promise<void>;
}

/** The part of graphile-worker that is used here. */
export interface GraphileWorker {
  run(options: {
    connectionString: string;
    concurrency: number;
    maxPoolSize: number;
    noHandleSignals: boolean;
    logger?: unknown;
    taskList: Record<string, () => Promise<void>>;
  }): Promise<{ events: { on(event: 'job:complete', listener: () => void): void } }>;
  runMigrations(options: { connectionString: string }): Promise<void>;
}

export function isInstalled(name: 'pg-boss' | 'graphile-worker'): boolean {
  return existsSync(peersPackage) && existsSync(join(peersPackage, '..', 'node_modules', name));
}

async function load(name: string): Promise<Record<string, unknown>> {
  return import(pathToFileURL(createRequire(peersPackage).resolve(name)).href);
}

/** Opens pg-boss, with everything except work turned off. */
export async function openPgBoss(connectionString: string, max: number): Promise<PgBoss> {
  const { default: Boss } = await load('pg-boss');
  if (typeof Boss !== 'function') throw new Error('Expected pg-boss 10.');
  const boss = Reflect.construct(Boss, [
    { connectionString, max, supervise: false, schedule: false },
  ]) as PgBoss & { on(event: 'error', listener: (error: Error) => void): void };
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  return boss;
}

export async function loadGraphileWorker(): Promise<GraphileWorker> {
  const { run, runMigrations }: Partial<GraphileWorker> = await load('graphile-worker');
  if (!run || !runMigrations) throw new Error('Expected graphile-worker 0.16.');
  return { run, runMigrations };
}
