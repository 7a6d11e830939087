import { type Command, exitCodes, formatUsage, parseCommandLine, UsageError } from './command.ts';
import { type AdminSettings, type CommandContext, openContext } from './context.ts';
import { databaseCommands } from './database.ts';
import { keyCommands } from './keys.ts';
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
storage commands STORAGE_URL, and 'member invite' PUBLIC_URL and SIGNING_KEY. 'database setup' requires
DATABASE_SUPERUSER_URL and the URLs of all roles (DATABASE_OWNER_URL, DATABASE_URL, DATABASE_WORKER_URL,
DATABASE_RELAY_URL), and gives the roles the passwords in these URLs. With DATABASE_NEIGHBOUR_URL, it does
the same for the role of a neighbouring service. 'database setup' and 'migrate' require SECRET_KEY if the
database has values to encrypt.`;

/** Standard output and standard error. */
export interface OutputStreams {
  out(text: string): void;
  err(text: string): void;
}

/** Runs a command line; returns the exit code. */
export async function runAdmin(
  argv: readonly string[],
  settings: AdminSettings,
  { out, err }: OutputStreams,
): Promise<number> {
  if (argv.length === 0 || argv[0] === '--help' || argv[0] === 'help') {
    out(`${formatUsage(commands)}\n\n${notes}\n`);
    return argv.length === 0 ? exitCodes.usage : exitCodes.success;
  }
  let context: CommandContext | undefined;
  try {
    const { command, input, json } = parseCommandLine(commands, argv);
    context = openContext(settings, (line) => err(`${line}\n`));
    const output = await command.run(input, context);
    out(`${json ? JSON.stringify(output.json) : output.text}\n`);
    return output.hasProblem ? exitCodes.problemFound : exitCodes.success;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isUsageError = error instanceof UsageError;
    err(isUsageError ? `${formatUsage(commands)}\n\n${notes}\n\n${text}\n` : `${text}\n`);
    return isUsageError ? exitCodes.usage : exitCodes.failure;
  } finally {
    await context?.close();
  }
}
