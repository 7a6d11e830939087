import { parseArgs } from 'node:util';
import { createProject, issueKey, revokeKeyById } from './access/projects.ts';
import { createSeal, type Seal } from './access/seal.ts';
import { readConfig } from './config.ts';
import { type Scope, scopes } from './contracts/scopes.ts';
import { openDatabase } from './db/database.ts';
import { createDatabase, createRoles, type LoginRole, loginRoles, migrate } from './db/prepare.ts';
import { inTransaction, type Tx } from './db/transaction.ts';

const usage = `Usage: npm run admin -- <command>

  project create NAME [--json]                      a project and its first key
  key create --project ID --scopes A,B [--name N]   another key
      [--read-per-minute N] [--write-per-minute N]
  key revoke --project ID --key ID                  ends a key at once
  migrate                                           brings the schema up to date
  database setup                                    makes roles, database and schema

DATABASE_OWNER_URL names the database, as its owner. 'database setup' takes DATABASE_SUPERUSER_URL
and the URLs of the roles (DATABASE_OWNER_URL, DATABASE_URL, DATABASE_WORKER_URL,
DATABASE_RELAY_URL) instead, whose passwords the roles are given; with DATABASE_NEIGHBOUR_URL, the
role of a neighbouring service too, which without it cannot log in by password. Both take
SECRET_KEY: a database that is older than what is kept sealed needs it, and says so.`;

/** A wrong command line: told with the usage. */
class UsageError extends Error {}

const { values, positionals } = readArguments();

try {
  await run();
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(error instanceof UsageError ? `${usage}\n\n${text}\n` : `${text}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const [noun, verb, name] = positionals;
  switch (`${noun ?? ''} ${verb ?? ''}`.trim()) {
    case 'project create': {
      if (!name) throw new UsageError('The project needs a name.');
      const made = await asOwner((tx) => createProject(tx, name));
      print(
        { project_id: made.projectId, api_key: made.secret },
        `Project  ${made.projectId}\nAPI key  ${made.secret}\nThe key is not shown again.`,
      );
      return;
    }
    case 'key create': {
      const made = await asOwner((tx) =>
        issueKey(tx, needed('project'), {
          name: values.name ?? 'Made by the operator',
          scopes: readScopes(needed('scopes')),
          read_per_minute: readCount('read-per-minute'),
          write_per_minute: readCount('write-per-minute'),
        }),
      );
      print(
        { key_id: made.keyId, api_key: made.secret },
        `Key      ${made.keyId}\nAPI key  ${made.secret}\nThe key is not shown again.`,
      );
      return;
    }
    case 'key revoke': {
      await asOwner((tx) => revokeKeyById(tx, needed('project'), needed('key')));
      print({ key_id: values.key, state: 'revoked' }, `Revoked ${values.key}.`);
      return;
    }
    case 'migrate': {
      const config = readConfig(process.env, ['DATABASE_OWNER_URL']);
      const done = await migrate(config.DATABASE_OWNER_URL, sealOf(config));
      print({ migrations: done }, done.length > 0 ? `Ran ${done.join(', ')}.` : 'Up to date.');
      return;
    }
    case 'database setup': {
      await setUpDatabase();
      print({ state: 'ready' }, 'Roles, database and schema are there.');
      return;
    }
    default:
      throw new UsageError(`There is no command '${positionals.join(' ')}'.`);
  }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        project: { type: 'string' },
        scopes: { type: 'string' },
        name: { type: 'string' },
        key: { type: 'string' },
        'read-per-minute': { type: 'string' },
        'write-per-minute': { type: 'string' },
      },
    });
  } catch (error) {
    process.stderr.write(`${usage}\n\n${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

function print(json: object, text: string): void {
  process.stdout.write(`${values.json ? JSON.stringify(json) : text}\n`);
}

function needed(option: 'project' | 'scopes' | 'key'): string {
  const value = values[option];
  if (!value) throw new UsageError(`--${option} is missing.`);
  return value;
}

function readScopes(text: string): Scope[] {
  return text.split(',').map((item) => {
    const known = scopes.find((scope) => scope === item.trim());
    if (!known) throw new UsageError(`'${item}' is no scope; there are ${scopes.join(', ')}.`);
    return known;
  });
}

function readCount(option: 'read-per-minute' | 'write-per-minute'): number | null {
  const value = values[option];
  if (value === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageError(`--${option} must be a whole number.`);
  return Number(value);
}

async function asOwner<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const { DATABASE_OWNER_URL } = readConfig(process.env, ['DATABASE_OWNER_URL']);
  const database = await openDatabase(DATABASE_OWNER_URL, {
    poolSize: 1,
    applicationName: 'scriptorium admin',
  });
  try {
    return await inTransaction(database, work);
  } finally {
    await database.destroy();
  }
}

/** What SECRET_KEY seals with, where it is set. */
function sealOf({ SECRET_KEY: key }: { SECRET_KEY?: string | undefined }): Seal | undefined {
  return key === undefined ? undefined : createSeal(key);
}

/** The roles' passwords are those in the URLs that the processes will log in with. */
async function setUpDatabase(): Promise<void> {
  const config = readConfig(process.env, [
    'DATABASE_SUPERUSER_URL',
    'DATABASE_OWNER_URL',
    'DATABASE_URL',
    'DATABASE_WORKER_URL',
    'DATABASE_RELAY_URL',
  ]);
  const urls: Partial<Record<LoginRole, string>> = {
    owner: config.DATABASE_OWNER_URL,
    api: config.DATABASE_URL,
    worker: config.DATABASE_WORKER_URL,
    relay: config.DATABASE_RELAY_URL,
    ...(config.DATABASE_NEIGHBOUR_URL ? { neighbour: config.DATABASE_NEIGHBOUR_URL } : {}),
  };
  const passwords: Partial<Record<LoginRole, string>> = {};
  for (const role of loginRoles) {
    const password = decodeURIComponent(new URL(urls[role] ?? 'none:').password);
    if (password !== '') passwords[role] = password;
  }
  await createRoles(config.DATABASE_SUPERUSER_URL, passwords);
  const name = decodeURIComponent(new URL(config.DATABASE_OWNER_URL).pathname.slice(1));
  await createDatabase(config.DATABASE_SUPERUSER_URL, name);
  await migrate(config.DATABASE_OWNER_URL, sealOf(config));
}
