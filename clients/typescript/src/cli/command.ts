import { parseArgs } from 'node:util';
import type { Scriptorium } from '../client.ts';
import { exitCodes, UsageError } from './exit.ts';
import type { Output } from './output.ts';

/** An option of a command. */
export interface Option {
  /** What stands for its value in the help; without one it is a switch. */
  value?: string;
  /** May be given several times. */
  many?: boolean;
  help: string;
}

/** What a command is given. */
export interface Call {
  client: Scriptorium;
  output: Output;
  args: readonly string[];
  options: Given;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Where what is asked for is: for what is printed to copy. */
  env: NodeJS.ProcessEnv;
}

export interface Command {
  /** One or two words: `upload`, `jobs watch`. */
  name: string;
  summary: string;
  /** What follows the name in the usage: `FILE…`. */
  takes: string;
  /** How many arguments, at least and at most. */
  arity: readonly [number, number];
  options: Record<string, Option>;
  help?: string;
  examples: readonly string[];
  /** Does it, and says with which code to exit. */
  run(call: Call): Promise<number>;
}

/** Of every command. */
export const common: Record<string, Option> = {
  url: { value: 'URL', help: 'where the service is (SERVICE_URL)' },
  project: { value: 'ID', help: 'the project (PROJECT_ID)' },
  'key-file': { value: 'FILE', help: 'a file that holds the API key (API_KEY)' },
  json: { help: 'JSON on stdout, a line each; errors as JSON on stderr' },
  help: { help: 'this' },
};

/** What was given to the options of a command. */
export class Given {
  readonly #values: Record<string, unknown>;
  constructor(values: Record<string, unknown>) {
    this.#values = values;
  }
  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }
  list(name: string): string[] | undefined {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : undefined;
  }
  flag(name: string): boolean {
    return this.#values[name] === true;
  }
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value)) {
      throw new UsageError(`--${name} takes a number, not '${text}'.`);
    }
    return value;
  }
}

/**
 * Reads what follows a command's name.
 * @throws UsageError
 */
export function readArguments(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...common }).map(([name, { value, many = false }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), multiple: many },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg) => (arg === '-h' ? '--help' : arg)),
      options,
      allowPositionals: true,
    });
    return { options: new Given(values), args: positionals };
  } catch (error) {
    // Of parseArgs; its advice on `--` helps nobody here.
    throw new UsageError((error instanceof Error ? error.message : String(error)).split('. ')[0]);
  }
}

/** @throws UsageError for too few or too many arguments */
export function checkArity(command: Command, args: readonly string[]): void {
  const [least, most] = command.arity;
  if (args.length < least) throw new UsageError(`${command.takes} is missing.`);
  if (args.length > most) throw new UsageError(`'${args[most]}' is one argument too many.`);
}

/** The help of one command. */
export function helpOf(command: Command): string {
  const { name, takes, summary, options, help, examples } = command;
  return [
    `scriptorium ${[name, takes].filter(Boolean).join(' ')}`,
    summary,
    ...(help ? [help] : []),
    ...(Object.keys(options).length > 0 ? [`Options\n${describe(options)}`] : []),
    `Of every command\n${describe(common)}`,
    `Examples\n${examples.map((example) => `  scriptorium ${example}`).join('\n')}`,
    `Exit codes\n${exitCodes.replaceAll(/^/gm, '  ')}`,
  ].join('\n\n');
}

function describe(options: Record<string, Option>): string {
  const rows = Object.entries(options).map(([name, { value, help, many }]) => [
    `--${name}${value ? ` ${value}` : ''}`,
    many ? `${help}; may be repeated` : help,
  ]);
  const width = Math.max(...rows.map(([left]) => left!.length));
  return rows.map(([left, right]) => `  ${left!.padEnd(width)}  ${right}`).join('\n');
}
