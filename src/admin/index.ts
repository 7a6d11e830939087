import { type Command, exitCodes, readLine, UsageError, usageOf } from './command.ts';
import { databaseCommands } from './database.ts';
import { keyCommands } from './keys.ts';
import { type Means, openMeans, type Settings } from './means.ts';
import { projectCommands } from './projects.ts';
import { queueCommands } from './queues.ts';
import { storageCommands } from './storage.ts';
import { taskCommands } from './tasks.ts';
import { webhookCommands } from './webhooks.ts';

/** Everything the command line does, in the order of its usage. */
export const commands: readonly Command[] = [
  ...projectCommands,
  ...keyCommands,
  ...queueCommands,
  ...taskCommands,
  ...storageCommands,
  ...webhookCommands,
  ...databaseCommands,
];

const notes = `Exit codes: 0 done, 1 failed, 2 a wrong command line, 3 something is not as it should be.
--json tells everything as one JSON value; progress goes to standard error.

DATABASE_OWNER_URL names the database, as its owner. What is about hints reads REDIS_URL, what is
about bytes STORAGE_URL. 'database setup' takes DATABASE_SUPERUSER_URL and the URLs of the roles
(DATABASE_OWNER_URL, DATABASE_URL, DATABASE_WORKER_URL, DATABASE_RELAY_URL) instead, whose passwords
the roles are given; with DATABASE_NEIGHBOUR_URL, the role of a neighbouring service too, which
without it cannot log in by password. It and 'migrate' take SECRET_KEY: a database that is older than
what is kept sealed needs it, and says so.`;

/** Where a command line tells its answer, and what is beside it. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Runs one command line to its end; returns the exit code. */
export async function runAdmin(
  argv: readonly string[],
  settings: Settings,
  { out, err }: Output,
): Promise<number> {
  if (argv.length === 0 || argv[0] === '--help' || argv[0] === 'help') {
    out(`${usageOf(commands)}\n\n${notes}\n`);
    return argv.length === 0 ? exitCodes.usage : exitCodes.done;
  }
  let means: Means | undefined;
  try {
    const { command, given, json } = readLine(commands, argv);
    means = openMeans(settings, (line) => err(`${line}\n`));
    const told = await command.run(given, means);
    out(`${json ? JSON.stringify(told.json) : told.text}\n`);
    return told.notWell ? exitCodes.notWell : exitCodes.done;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const wrong = error instanceof UsageError;
    err(wrong ? `${usageOf(commands)}\n\n${notes}\n\n${text}\n` : `${text}\n`);
    return wrong ? exitCodes.usage : exitCodes.failed;
  } finally {
    await means?.close();
  }
}
