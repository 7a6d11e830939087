import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type LoginRole,
  loginRoles,
  migrate,
  prepareDatabase,
} from '../../src/db/preparing/prepare.ts';
import { EarlierSchema } from '../../src/db/preparing/start-up.ts';
import { startPostgres } from './postgres/postgres.ts';
import { type Supervised, type Supervision, supervise } from './processes/supervise.ts';
import { createProgress, type Progress } from './progress.ts';
import { findRedis, startRedis } from './redis/redis.ts';
import { StartError } from './start-error.ts';

export interface StackContext extends Pick<Supervision, 'tether' | 'log' | 'giveUp'> {
  progress: Progress;
  /** Ends the wait. */
  signal: AbortSignal;
}

interface Store {
  /** The environment variables with which the service's processes find it. */
  env: Record<string, string>;
  /** Absent if another process owns it. */
  supervised?: Supervised;
}

const databaseVariables = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_WORKER_URL',
  'DATABASE_RELAY_URL',
] as const;

/** The Postgres from the environment, migrated, or an embedded one under `dataDir`. */
export async function openPostgres(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  support: StackContext,
): Promise<Store> {
  if (env.DATABASE_URL) return useExternalDatabase(env, support.progress);

  let port: number | undefined;
  let superuserUrl = '';
  const supervised = await supervise({
    ...support,
    name: 'embedded Postgres',
    signal: 'SIGINT',
    start: async (spawned) => {
      const postgres = await startPostgres({
        dataDir: join(dataDir, 'postgres'),
        progress: progressOf(support, port !== undefined),
        spawned,
        // On the same port after a crash, because the service's processes have its address.
        ...(port === undefined ? {} : { port }),
      });
      ({ port, superuserUrl } = postgres);
      return postgres;
    },
  });
  try {
    const urls = await reportMigrations(support.progress, (report) =>
      prepareDatabase({
        superuserUrl,
        database: 'scriptorium',
        passwords: newPasswords(),
        report,
      }),
    );
    return {
      supervised,
      env: {
        DATABASE_URL: urls.apiUrl,
        DATABASE_OWNER_URL: urls.ownerUrl,
        DATABASE_WORKER_URL: urls.workerUrl,
        DATABASE_RELAY_URL: urls.relayUrl,
        DATABASE_NEIGHBOUR_URL: urls.neighbourUrl,
      },
    };
  } catch (error) {
    await supervised.stop();
    if (!(error instanceof EarlierSchema)) throw error;
    throw new StartError(
      `${dataDir} holds data of a version before 0.3.0, which cannot be upgraded: remove it, or choose another folder with DATA_PATH.`,
    );
  }
}

/**
 * Reports which migration runs. A migration may rewrite a large table, and Postgres does not report
 * its progress.
 */
function reportMigrations<T>(
  progress: Progress,
  work: (tell: (detail: string) => void) => Promise<T>,
): Promise<T> {
  return progress.during('preparing the database', (step) => step.waitFor(work(step.advance)), {
    mayStall: true,
  });
}

async function useExternalDatabase(env: NodeJS.ProcessEnv, progress: Progress): Promise<Store> {
  const missing = databaseVariables.filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new StartError(
      `DATABASE_URL is set but ${missing.join(', ')} is not: each role of the service needs its own URL (see docs/configuration.md).`,
    );
  }
  await reportMigrations(progress, (tell) => migrate(env.DATABASE_OWNER_URL ?? '', tell)).catch(
    (error: unknown) => {
      throw error instanceof EarlierSchema ? new StartError(error.message) : error;
    },
  );
  const { DATABASE_SESSION_URL } = env;
  return {
    env: {
      ...Object.fromEntries(databaseVariables.map((name) => [name, env[name] ?? ''])),
      ...(DATABASE_SESSION_URL && { DATABASE_SESSION_URL }),
    },
  };
}

/** The progress of the whole start, or of a restart, which reports itself. */
export function progressOf({ progress, signal }: StackContext, isRestart: boolean): Progress {
  return isRestart ? createProgress({ signal }) : progress;
}

/** New at every start: only the service's processes and dev.env use them. */
function newPasswords(): Record<LoginRole, string> {
  const password = (): string => randomBytes(18).toString('base64url');
  const [owner, api, worker, relay, neighbour] = loginRoles;
  return {
    [owner]: password(),
    [api]: password(),
    [worker]: password(),
    [relay]: password(),
    [neighbour]: password(),
  };
}

/** The Redis from the environment, or an embedded one under `dataDir`. */
export async function openRedis(
  dataDir: string,
  packagesDir: string,
  env: NodeJS.ProcessEnv,
  support: StackContext,
): Promise<Store> {
  if (env.REDIS_URL) return { env: { REDIS_URL: env.REDIS_URL } };
  const binary = await support.progress.during('looking for a Redis', () =>
    findRedis({
      packagesDir,
      log: support.log,
      ...(env.PATH === undefined ? {} : { path: env.PATH }),
    }),
  );
  let port: number | undefined;
  let url = '';
  const supervised = await supervise({
    ...support,
    name: 'embedded Redis',
    signal: 'SIGTERM',
    start: async (spawned) => {
      const redis = await startRedis({
        dir: join(dataDir, 'redis'),
        binary,
        progress: progressOf(support, port !== undefined),
        spawned,
        ...(port === undefined ? {} : { port }),
      });
      ({ port, url } = redis);
      return redis;
    },
  });
  return { supervised, env: { REDIS_URL: url } };
}
