import { parseArgs } from 'node:util';
import type { CommandContext } from './context.ts';

/** An invalid command line. It prints the usage and exits with code 2. */
export class UsageError extends Error {}

/** Exit codes. `problemFound`: the command ran, but reports a problem. */
export const exitCodes = { success: 0, failure: 1, usage: 2, problemFound: 3 } as const;

/** The result of a command: `json` with `--json`, `text` otherwise. */
interface CommandResult {
  json: unknown;
  text: string;
  /** A problem was found, or the work did not finish in time: exit code 3. */
  hasProblem?: boolean;
}

interface Option {
  /** The placeholder of the option's value in the usage. Flags have none. */
  value?: string;
  summary: string;
  required?: true;
}

/** A command. The usage text is generated from these. */
export interface Command {
  /** Noun and verb: `queue pause`. */
  name: string;
  /** The names of the required arguments in the usage. */
  args?: readonly string[];
  options?: Readonly<Record<string, Option>>;
  summary: string;
  run(input: CommandInput, context: CommandContext): Promise<CommandResult>;
}

/** The arguments and options of a command line, with validation. */
export class CommandInput {
  readonly #args: ReadonlyMap<string, string>;
  readonly #options: Readonly<Record<string, string | boolean | undefined>>;

  constructor(
    args: ReadonlyMap<string, string>,
    options: Readonly<Record<string, string | boolean | undefined>>,
  ) {
    this.#args = args;
    this.#options = options;
  }

  /** A required argument. */
  arg(name: string): string {
    const value = this.#args.get(name);
    if (!value) throw new UsageError(`${name} is required.`);
    return value;
  }

  option(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  requiredOption(name: string): string {
    const value = this.option(name);
    if (value === undefined) throw new UsageError(`--${name} is required.`);
    return value;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }

  /** A positive whole number. */
  positiveInteger(name: string): number | null {
    const value = this.option(name);
    if (value === undefined) return null;
    if (!/^[1-9]\d{0,8}$/.test(value)) {
      throw new UsageError(`--${name} must be a positive whole number, not '${value}'.`);
    }
    return Number(value);
  }

  /** Requires one of several words. */
  oneOf<const Word extends string>(noun: string, value: string, words: readonly Word[]): Word {
    const match = words.find((word) => word === value);
    if (match === undefined) {
      throw new UsageError(`Unknown ${noun} '${value}'. Expected one of: ${words.join(', ')}.`);
    }
    return match;
  }
}

/** A parsed command line. */
export interface CommandLine {
  command: Command;
  input: CommandInput;
  json: boolean;
}

/**
 * Finds the command and parses its arguments.
 * @throws UsageError
 */
export function parseCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
): CommandLine {
  const [noun, verb, ...rest] = argv;
  const name = [noun, verb].filter((word) => word !== undefined).join(' ');
  const command = commands.find((each) => each.name === name || each.name === noun);
  if (!command) throw new UsageError(`Unknown command '${name}'.`);
  const wordCount = command.name.split(' ').length;
  const options = command.options ?? {};
  const { values, positionals } = parseOptions(wordCount === 1 ? argv.slice(1) : rest, options);
  const names = command.args ?? [];
  if (positionals.length > names.length) {
    throw new UsageError(
      `Unexpected argument '${positionals[names.length]}' for '${command.name}'.`,
    );
  }
  const args = new Map(names.flatMap((each, at) => argumentEntry(each, positionals[at])));
  const input = new CommandInput(args, values);
  for (const each of names) input.arg(each);
  for (const [each, option] of Object.entries(options))
    if (option.required) input.requiredOption(each);
  return { command, input, json: values.json === true };
}

function argumentEntry(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]];
}

function parseOptions(args: readonly string[], options: Readonly<Record<string, Option>>) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' as const },
        ...Object.fromEntries(
          Object.entries(options).map(([name, { value }]) => [
            name,
            { type: value === undefined ? ('boolean' as const) : ('string' as const) },
          ]),
        ),
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The usage text of all commands. */
export function formatUsage(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const head = [command.name, ...(command.args ?? [])].join(' ');
    const options = Object.entries(command.options ?? {}).map(
      ([name, option]) =>
        `      --${[name, option.value].filter(Boolean).join(' ')}`.padEnd(34) +
        option.summary +
        (option.required ? ' (required)' : ''),
    );
    return [`  ${head}`.padEnd(34) + command.summary, ...options];
  });
  return `Usage: npm run admin -- <command> [--json]\n\n${lines.join('\n')}`;
}

/** Formats rows under headings, in columns. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  const cells = [headings, ...rows.map((row) => row.map((value) => String(value ?? '-')))];
  const widths = headings.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
