import { readPostgresAddress } from '../addresses/postgres.ts';
import {
  createDatabase,
  createRoles,
  type LoginRole,
  loginRoles,
  migrate,
} from '../db/preparing/prepare.ts';
import type { Command } from './command.ts';
import type { AdminSettings } from './context.ts';

export const databaseCommands: Command[] = [
  {
    name: 'migrate',
    summary: 'run pending migrations',
    async run(_input, { settings }) {
      const migrations = await migrate(settings.ownerUrl());
      return {
        json: { migrations },
        text: migrations.length > 0 ? `Ran ${migrations.join(', ')}.` : 'The schema is up to date.',
      };
    },
  },
  {
    name: 'database setup',
    options: { empty: { summary: 'without the schema, to restore a dump' } },
    summary: 'create roles, database and schema',
    async run(input, { settings }) {
      const isEmpty = input.flag('empty');
      await setUpDatabase(settings, isEmpty);
      return {
        json: { state: isEmpty ? 'empty' : 'ready' },
        text: isEmpty ? 'Roles and database are ready.' : 'Roles, database and schema are ready.',
      };
    },
  },
];

/**
 * Sets up the database. Takes the passwords of the roles from the connection URLs of the processes.
 */
async function setUpDatabase(settings: AdminSettings, isEmpty: boolean): Promise<void> {
  const setup = settings.setupUrls();
  const urls: Partial<Record<LoginRole, string>> = {
    owner: setup.ownerUrl,
    api: setup.apiUrl,
    worker: setup.workerUrl,
    relay: setup.relayUrl,
    ...(setup.neighbourUrl ? { neighbour: setup.neighbourUrl } : {}),
  };
  const passwords: Partial<Record<LoginRole, string>> = {};
  for (const role of loginRoles) {
    const url = urls[role];
    const password = url === undefined ? undefined : readPostgresAddress(url, false).password;
    if (password !== undefined) passwords[role] = password;
  }
  await createRoles(setup.superuserUrl, passwords);
  const name = readPostgresAddress(setup.ownerUrl).database ?? '';
  await createDatabase(setup.superuserUrl, name);
  if (!isEmpty) await migrate(setup.ownerUrl);
}
