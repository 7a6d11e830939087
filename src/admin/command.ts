import { parseArgs } from 'node:util';
import type { Means } from './means.ts';

/** A wrong command line: told with the usage, exit code 2. */
export class UsageError extends Error {}

/** What a command ends with: 3 where it did what it could and the answer is not a good one. */
export const exitCodes = { done: 0, failed: 1, usage: 2, notWell: 3 } as const;

/** What a command tells: `json` with `--json`, `text` without. */
export interface Told {
  json: unknown;
  text: string;
  /** Something is wrong, or not done in time: exit code 3. */
  notWell?: boolean;
}

interface Option {
  /** What stands for its value in the usage; a flag has none. */
  value?: string;
  summary: string;
  required?: true;
}

/** One thing the command line does. The usage text comes from these. */
export interface Command {
  /** Noun and verb: `queue pause`. */
  name: string;
  /** What has to stand behind them, by the names it has in the usage. */
  args?: readonly string[];
  options?: Readonly<Record<string, Option>>;
  summary: string;
  run(given: Given, means: Means): Promise<Told>;
}

/** What was given on the command line, each read as what it has to be. */
export class Given {
  readonly #args: ReadonlyMap<string, string>;
  readonly #options: Readonly<Record<string, string | boolean | undefined>>;

  constructor(
    args: ReadonlyMap<string, string>,
    options: Readonly<Record<string, string | boolean | undefined>>,
  ) {
    this.#args = args;
    this.#options = options;
  }

  /** What stands behind the command. */
  arg(name: string): string {
    const value = this.#args.get(name);
    if (!value) throw new UsageError(`${name} is missing.`);
    return value;
  }

  option(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  needed(name: string): string {
    const value = this.option(name);
    if (value === undefined) throw new UsageError(`--${name} is missing.`);
    return value;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }

  /** A whole number above zero. */
  count(name: string): number | null {
    const value = this.option(name);
    if (value === undefined) return null;
    if (!/^[1-9]\d{0,8}$/.test(value)) {
      throw new UsageError(`--${name} must be a whole number above zero, not '${value}'.`);
    }
    return Number(value);
  }

  /** One of a few words. */
  oneOf<const Word extends string>(what: string, value: string, words: readonly Word[]): Word {
    const known = words.find((word) => word === value);
    if (known === undefined) {
      throw new UsageError(`'${value}' is no ${what}; there are ${words.join(', ')}.`);
    }
    return known;
  }
}

/** A command line as it was meant. */
export interface Line {
  command: Command;
  given: Given;
  json: boolean;
}

/**
 * Finds the command that a command line names and reads what it was given.
 * @throws UsageError
 */
export function readLine(commands: readonly Command[], argv: readonly string[]): Line {
  const [noun, verb, ...rest] = argv;
  const name = [noun, verb].filter((word) => word !== undefined).join(' ');
  const command = commands.find((each) => each.name === name || each.name === noun);
  if (!command) throw new UsageError(`There is no command '${name}'.`);
  const words = command.name.split(' ').length;
  const options = command.options ?? {};
  const { values, positionals } = parse(words === 1 ? argv.slice(1) : rest, options);
  const names = command.args ?? [];
  if (positionals.length > names.length) {
    throw new UsageError(`'${command.name}' does not take '${positionals[names.length]}'.`);
  }
  const args = new Map(names.flatMap((each, at) => entryOf(each, positionals[at])));
  const given = new Given(args, values);
  for (const each of names) given.arg(each);
  for (const [each, option] of Object.entries(options)) if (option.required) given.needed(each);
  return { command, given, json: values.json === true };
}

function entryOf(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]];
}

function parse(args: readonly string[], options: Readonly<Record<string, Option>>) {
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

/** What can be asked for, in the order of the commands. */
export function usageOf(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const head = [command.name, ...(command.args ?? [])].join(' ');
    const options = Object.entries(command.options ?? {}).map(
      ([name, option]) =>
        `      --${[name, option.value].filter(Boolean).join(' ')}`.padEnd(34) +
        option.summary +
        (option.required ? ' (needed)' : ''),
    );
    return [`  ${head}`.padEnd(34) + command.summary, ...options];
  });
  return `Usage: npm run admin -- <command> [--json]\n\n${lines.join('\n')}`;
}

/** Rows under their headings, in columns. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
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
