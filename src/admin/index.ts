import { type Command, exitCodes, readLine, UsageError, usageOf } from './command.ts';
import { databaseCommands } from './database.ts';
import { keyCommands } from './keys.ts';
import { type AdminSettings, type Means, openMeans } from './means.ts';
import { memberCommands } from './members.ts';
import { projectCommands } from './projects.ts';
import { queueCommands } from './queues.ts';
import { storageCommands } from './storage.ts';
import { taskCommands } from './tasks.ts';
import { webhookCommands } from './webhooks.ts';

/** All commands, in the order of the usage. */
export const commands: readonly Command[] = [
  ...projectCommands,
  ...keyCommands,
  ...memberCommands,
  ...queueCommands,
  ...taskCommands,
  ...storageCommands,
  ...webhookCommands,
  ...databaseCommands,
];

const notes = `Exit codes: 0 success, 1 failure, 2 invalid command line, 3 a problem was found.
--json prints the result as a single JSON value. Progress is written to standard error.

DATABASE_OWNER_URL is the URL of the database with the owner role. Queue commands also use REDIS_URL,
storage commands STORAGE_URL, 'member invite' PUBLIC_URL and SIGNING_KEY. 'database setup' requires DATABASE_SUPERUSER_URL and the URLs of all
roles (DATABASE_OWNER_URL, DATABASE_URL, DATABASE_WORKER_URL, DATABASE_RELAY_URL), and sets the
passwords in them. DATABASE_NEIGHBOUR_URL also sets the password of the role of a neighbouring
service. 'database setup' and 'migrate' require SECRET_KEY if the database has values to encrypt.`;

/** Standard output and standard error. */
export interface CommandOutput {
  out(text: string): void;
  err(text: string): void;
}

/** Runs a command line; returns the exit code. */
export async function runAdmin(
  argv: readonly string[],
  settings: AdminSettings,
  { out, err }: CommandOutput,
): Promise<number> {
  if (argv.length === 0 || argv[0] === '--help' || argv[0] === 'help') {
    out(`${usageOf(commands)}\n\n${notes}\n`);
    return argv.length === 0 ? exitCodes.usage : exitCodes.done;
  }
  let means: Means | undefined;
  try {
    const { command, given, json } = readLine(commands, argv);
    means = openMeans(settings, (line) => err(`${line}\n`));
    const output = await command.run(given, means);
    out(`${json ? JSON.stringify(output.json) : output.text}\n`);
    return output.notWell ? exitCodes.notWell : exitCodes.done;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const wrong = error instanceof UsageError;
    err(wrong ? `${usageOf(commands)}\n\n${notes}\n\n${text}\n` : `${text}\n`);
    return wrong ? exitCodes.usage : exitCodes.failed;
  } finally {
    await means?.close();
  }
}
