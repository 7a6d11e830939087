import { readPostgresAddress } from '../addresses/postgres.ts';
import {
  createDatabase,
  createRoles,
  type LoginRole,
  loginRoles,
  migrate,
} from '../db/preparing/prepare.ts';
import type { Command } from './command.ts';
import type { AdminSettings } from './means.ts';

export const databaseCommands: Command[] = [
  {
    name: 'migrate',
    summary: 'run pending migrations',
    async run(_given, { settings }) {
      const done = await migrate(settings.ownerUrl());
      return {
        json: { migrations: done },
        text: done.length > 0 ? `Ran ${done.join(', ')}.` : 'The schema is up to date.',
      };
    },
  },
  {
    name: 'database setup',
    options: { empty: { summary: 'without the schema, to restore a dump' } },
    summary: 'create roles, database and schema',
    async run(given, { settings }) {
      const empty = given.flag('empty');
      await setUpDatabase(settings, empty);
      return {
        json: { state: empty ? 'empty' : 'ready' },
        text: empty ? 'Roles and database are ready.' : 'Roles, database and schema are ready.',
      };
    },
  },
];

/** The roles' passwords are taken from the connection URLs of the processes. */
async function setUpDatabase(settings: AdminSettings, empty: boolean): Promise<void> {
  const given = settings.setUp();
  const urls: Partial<Record<LoginRole, string>> = {
    owner: given.ownerUrl,
    api: given.apiUrl,
    worker: given.workerUrl,
    relay: given.relayUrl,
    ...(given.neighbourUrl ? { neighbour: given.neighbourUrl } : {}),
  };
  const passwords: Partial<Record<LoginRole, string>> = {};
  for (const role of loginRoles) {
    const url = urls[role];
    const password = url === undefined ? undefined : readPostgresAddress(url, false).password;
    if (password !== undefined) passwords[role] = password;
  }
  await createRoles(given.superuserUrl, passwords);
  const name = readPostgresAddress(given.ownerUrl).database ?? '';
  await createDatabase(given.superuserUrl, name);
  if (!empty) await migrate(given.ownerUrl);
}
