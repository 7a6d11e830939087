import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { migrations } from '../../entities/migrations/index.ts';
import { type Database, isBehindPooler, openDatabase } from '../database.ts';
import { errorFieldsOf } from '../errors.ts';
import { isPooled } from '../pooling.ts';
import { configOf, PostgresClient } from '../wire/client.ts';
import { restrictCatalogue } from './catalogue.ts';
import { admitNeighbour } from './neighbour.ts';
import { rejectEarlierSchema } from './start-up.ts';

/** The roles a process can log in as. */
export const loginRoles = ['owner', 'api', 'worker', 'relay', 'neighbour'] as const;
export type LoginRole = (typeof loginRoles)[number];

export interface DatabaseUrls {
  ownerUrl: string;
  apiUrl: string;
  workerUrl: string;
  relayUrl: string;
  neighbourUrl: string;
}

/** Receives each step, such as 'migration 12 of 74'. */
type Report = (step: string) => void;

/**
 * Creates roles, database and schema, or updates them; can be run repeatedly. Only this requires a
 * superuser, for the roles; processes log in with the role for them.
 */
export async function prepareDatabase(options: {
  superuserUrl: string;
  database: string;
  passwords: Record<LoginRole, string>;
  report?: Report;
}): Promise<DatabaseUrls> {
  await createRoles(options.superuserUrl, options.passwords);
  await createDatabase(options.superuserUrl, options.database);
  const url = (role: LoginRole): string =>
    roleUrl(options.superuserUrl, options.database, role, options.passwords[role]);
  await migrate(url('owner'), options.report);
  return {
    ownerUrl: url('owner'),
    apiUrl: url('api'),
    workerUrl: url('worker'),
    relayUrl: url('relay'),
    neighbourUrl: url('neighbour'),
  };
}

/** Creates the roles that are missing and sets their passwords. */
export async function createRoles(
  superuserUrl: string,
  passwords: Partial<Record<LoginRole, string>>,
): Promise<void> {
  const sql = await readFile(new URL('../../entities/roles.sql', import.meta.url), 'utf8');
  await withClient(superuserUrl, async (client) => {
    if (await isPooled(client)) {
      throw new Error(
        'DATABASE_SUPERUSER_URL must name Postgres directly: locks do not last through a pooler.',
      );
    }
    // Two processes that prepare at the same time would conflict over the roles.
    await client.query(`SELECT pg_advisory_lock(hashtext('scriptorium roles'))`);
    await client.query(sql);
    for (const role of loginRoles) {
      const password = passwords[role];
      if (password === undefined) continue;
      await client.query(
        `ALTER ROLE ${client.escapeIdentifier(role)} PASSWORD ${client.escapeLiteral(password)}`,
      );
    }
  });
}

/**
 * Creates the database, owned by `owner`, unless it exists, and revokes rights that only this service
 * may have.
 */
export async function createDatabase(superuserUrl: string, database: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (!found.rowCount) {
      await client.query(
        `CREATE DATABASE ${client.escapeIdentifier(database)} OWNER owner ENCODING 'UTF8' TEMPLATE template0`,
      );
    }
  });
  await restrictCatalogue(superuserUrl, database);
}

/**
 * Runs the pending migrations as the owner of the database, and updates the checks of a neighbour's
 * events from the registry.
 * @param list all migrations of this release; tests add others
 * @returns the names of the migrations that ran
 * @throws EarlierSchema
 */
export async function migrate(
  ownerUrl: string,
  report: Report = () => undefined,
  list: readonly (new () => MigrationInterface)[] = migrations,
): Promise<string[]> {
  const database = await openDatabase(ownerUrl, {
    poolSize: 3,
    applicationName: 'scriptorium migrate',
    migrations: list,
  });
  const lockRunner = database.createQueryRunner();
  try {
    await rejectEarlierSchema(database);
    // Through a pooler, the lock would stay with a session of the pooler.
    if (!isBehindPooler(database)) await waitForMigrationLock(lockRunner, report);
    const applied = await runWithDeadlockRetries(database, report);
    await admitNeighbour(database);
    return applied;
  } finally {
    await lockRunner.release();
    await database.destroy();
  }
}

const lockPollMs = 250;

/**
 * Waits until no other process runs migrations. It polls, because a waiting statement would block
 * `CREATE INDEX CONCURRENTLY` of the other process.
 * @param runner its connection keeps the lock
 */
async function waitForMigrationLock(runner: QueryRunner, report: Report): Promise<void> {
  for (;;) {
    const [row] = await runner.query(
      `SELECT pg_try_advisory_lock(hashtext('scriptorium migrations')) AS granted`,
    );
    if (row.granted) return;
    report('waiting for another process that migrates it');
    await delay(lockPollMs);
  }
}

const maxDeadlockAttempts = 10;
const deadlockPauseMs = 500;

/**
 * Runs the migrations, and runs one again after a deadlock: processes that keep serving may hold one
 * table and wait for another that the migration has locked. Rolling the migration back lets them
 * continue.
 */
async function runWithDeadlockRetries(database: Database, report: Report): Promise<string[]> {
  const pending = await new MigrationExecutor(database).getPendingMigrations();
  for (const [at, { instance }] of pending.entries()) {
    if (!instance) continue;
    const up = instance.up.bind(instance);
    instance.up = (runner) => {
      report(`migration ${at + 1} of ${pending.length}`);
      return up(runner);
    };
  }
  for (let attemptsLeft = maxDeadlockAttempts; ; attemptsLeft -= 1) {
    try {
      await database.runMigrations({ transaction: 'each' });
      return pending.map(({ name }) => name);
    } catch (error) {
      if (errorFieldsOf(error).code !== '40P01' || attemptsLeft === 1) throw error;
      await delay(deadlockPauseMs);
    }
  }
}

function roleUrl(base: string, database: string, role: LoginRole, password: string): string {
  const url = new URL(base);
  url.username = role;
  url.password = encodeURIComponent(password);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.toString();
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new PostgresClient(configOf(url));
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
