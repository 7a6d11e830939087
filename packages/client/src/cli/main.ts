#!/usr/bin/env node
import { readFile, stat } from 'node:fs/promises';
import { Scriptorium } from '../client.ts';
import { type Command, checkArity, type Given, helpOf, readArguments } from './command.ts';
import { commands } from './commands/index.ts';
import { exit, exitCodeOf, exitCodes, Interrupted, UsageError } from './exit.ts';
import { Output } from './output.ts';
import { printable } from './terminal.ts';

const [, , ...given] = process.argv;
const { env } = process;

// The reader closed the pipe: `scriptorium events tail | head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exit.fine : exit.file);
  });
}

const ended = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // A second signal exits immediately.
    if (ended.signal.aborted) process.exit(exit.interrupted);
    ended.abort(new Interrupted('Interrupted.'));
  });
}

process.exitCode = await main();

async function main(): Promise<number> {
  const output = new Output(given.includes('--json'), env);
  const command = find(given);
  try {
    if (command === undefined) return overview(output);
    const { args, options } = readArguments(command, given.slice(command.name.split(' ').length));
    if (options.flag('help')) {
      process.stdout.write(`${helpOf(command)}\n`);
      return exit.fine;
    }
    checkArity(command, args);
    const client = await connect(options, output);
    return await command.run({ client, output, args, options, signal: ended.signal, env });
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

/** The command with the longest name that the words start with. */
function find(words: readonly string[]): Command | undefined {
  return [2, 1]
    .map((count) => words.slice(0, count).join(' '))
    .map((name) => commands.find((command) => command.name === name))
    .find((found) => found !== undefined);
}

/** Prints the help of all commands, or of a group. */
function overview(output: Output): number {
  const words = given.filter((word) => !word.startsWith('-'));
  const asked = words.length === 0 || words[0] === 'help';
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  const wanted = asked || (group.length > 0 && words.length === 1);
  if (!wanted) {
    throw new UsageError(`Unknown command '${printable(words.slice(0, 2).join(' '))}'.`);
  }
  const shown = group.length > 0 ? group : commands;
  const width = Math.max(...shown.map(({ name, takes }) => `${name} ${takes}`.length));
  const list = shown
    .map(({ name, takes, summary }) => `  ${`${name} ${takes}`.padEnd(width)}  ${summary}`)
    .join('\n');
  const text = `scriptorium COMMAND

${list}

SERVICE_URL, PROJECT_ID and API_KEY set the service, project and key; --url, --project and
--key-file override them. Every command has --help and --json.

Exit codes
${exitCodes.replaceAll(/^/gm, '  ')}
`;
  const fine = given.length > 0;
  (fine ? process.stdout : process.stderr).write(text);
  // No command was given, which is a usage error.
  return fine || output.json ? exit.fine : exit.usage;
}

/** @throws UsageError for missing settings */
async function connect(options: Given, output: Output): Promise<Scriptorium> {
  const need = (value: string | undefined, name: string, option: string): string => {
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
      baseUrl: need(options.text('url') ?? env.SERVICE_URL, 'SERVICE_URL', 'url'),
      projectId: need(options.text('project') ?? env.PROJECT_ID, 'PROJECT_ID', 'project'),
      apiKey: need(apiKey, 'API_KEY', 'key-file'),
    });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}
