#!/usr/bin/env node
import { readFile, stat } from 'node:fs/promises';
import { Scriptorium } from '../client.ts';
import { type Command, checkArity, helpOf, type OptionValues, readArguments } from './command.ts';
import { commands } from './commands/index.ts';
import { exit, exitCodeOf, exitCodes, Interrupted, UsageError } from './exit-codes.ts';
import { Output } from './output.ts';
import { printable } from './terminal.ts';

const [, , ...cliArguments] = process.argv;
const { env } = process;

// The reader closed the pipe: `scriptorium events tail | head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exit.success : exit.file);
  });
}

const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // A second signal exits immediately.
    if (controller.signal.aborted) process.exit(exit.interrupted);
    controller.abort(new Interrupted('Interrupted.'));
  });
}

process.exitCode = await main();

async function main(): Promise<number> {
  const output = new Output(cliArguments.includes('--json'), env);
  const command = findCommand(cliArguments);
  try {
    if (command === undefined) return overview(output);
    const { args, options } = readArguments(
      command,
      cliArguments.slice(command.name.split(' ').length),
    );
    if (options.flag('help')) {
      process.stdout.write(`${helpOf(command)}\n`);
      return exit.success;
    }
    checkArity(command, args);
    const client = await connect(options, output);
    return await command.run({ client, output, args, options, signal: controller.signal, env });
  } catch (error) {
    if (error instanceof Interrupted) {
      output.note('');
      return exit.interrupted;
    }
    output.error(error);
    if (error instanceof UsageError) {
      output.note(`See: scriptorium ${command ? `${command.name} ` : ''}--help`);
    }
    return exitCodeOf(error);
  }
}

/** Returns the command that the words start with; names of two words take precedence. */
function findCommand(words: readonly string[]): Command | undefined {
  return [2, 1]
    .map((count) => words.slice(0, count).join(' '))
    .map((name) => commands.find((command) => command.name === name))
    .find((found) => found !== undefined);
}

/** Prints the help of all commands, or of a group. */
function overview(output: Output): number {
  const words = cliArguments.filter((word) => !word.startsWith('-'));
  const isHelp = words.length === 0 || words[0] === 'help';
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  const isKnown = isHelp || (group.length > 0 && words.length === 1);
  if (!isKnown) {
    throw new UsageError(`Unknown command '${printable(words.slice(0, 2).join(' '))}'.`);
  }
  const listedCommands = group.length > 0 ? group : commands;
  const width = Math.max(...listedCommands.map(({ name, usage }) => `${name} ${usage}`.length));
  const list = listedCommands
    .map(({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width)}  ${summary}`)
    .join('\n');
  const text = `scriptorium COMMAND

${list}

SERVICE_URL, PROJECT_ID and API_KEY set the service, project and key; --url, --project and
--key-file override them. Every command has --help and --json.

Exit codes
${exitCodes.replaceAll(/^/gm, '  ')}
`;
  const hasArguments = cliArguments.length > 0;
  (hasArguments ? process.stdout : process.stderr).write(text);
  // No command was given, which is a usage error.
  return hasArguments || output.json ? exit.success : exit.usage;
}

/** @throws UsageError for missing settings */
async function connect(options: OptionValues, output: Output): Promise<Scriptorium> {
  const requireSetting = (value: string | undefined, name: string, option: string): string => {
    if (value) return value;
    throw new UsageError(`${name} is not set. Set it, or use --${option}.`);
  };
  const file = options.text('key-file');
  if (file && ((await stat(file)).mode & 0o077) !== 0) {
    output.note(`Warning: other users can read ${printable(file)}. Run chmod 600 on it.`);
  }
  const apiKey = file ? (await readFile(file, 'utf8')).trim() : env.API_KEY;
  try {
    return new Scriptorium({
      baseUrl: requireSetting(options.text('url') ?? env.SERVICE_URL, 'SERVICE_URL', 'url'),
      projectId: requireSetting(options.text('project') ?? env.PROJECT_ID, 'PROJECT_ID', 'project'),
      apiKey: requireSetting(apiKey, 'API_KEY', 'key-file'),
    });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}
