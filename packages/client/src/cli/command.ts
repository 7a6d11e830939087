import { parseArgs } from 'node:util';
import type { Scriptorium } from '../client.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';

/** An option of a command. */
export interface Option {
  /** The placeholder of its value in the help. Flags have none. */
  value?: string;
  /** Whether it may be repeated. */
  many?: boolean;
  help: string;
}

/** The input of a command. */
export interface CommandContext {
  client: Scriptorium;
  output: Output;
  args: readonly string[];
  options: OptionValues;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** The environment variables. */
  env: NodeJS.ProcessEnv;
}

export interface Command {
  /** One or two words: `upload`, `jobs watch`. */
  name: string;
  summary: string;
  /** The arguments in the usage: `FILE…`. */
  usage: string;
  /** The minimum and maximum number of arguments. */
  arity: readonly [number, number];
  options: Record<string, Option>;
  help?: string;
  examples: readonly string[];
  /** Runs the command; returns the exit code. */
  run(call: CommandContext): Promise<number>;
}

/** The options of every command. */
const globalOptions: Record<string, Option> = {
  url: { value: 'URL', help: 'the URL of the service (SERVICE_URL)' },
  project: { value: 'ID', help: 'the project (PROJECT_ID)' },
  'key-file': { value: 'FILE', help: 'a file with the API key (API_KEY)' },
  json: { help: 'print JSON lines on stdout, and errors as JSON on stderr' },
  help: { help: 'show this help' },
};

/** The option values of a command line. */
export class OptionValues {
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
  /** @throws UsageError for a value other than these */
  oneOf(name: string, allowed: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value !== undefined) requireOneOf(name, value, allowed);
    return value;
  }
  /** @throws UsageError for a value other than these */
  listOf(name: string, allowed: readonly string[]): string[] | undefined {
    const values = this.list(name);
    for (const value of values ?? []) requireOneOf(name, value, allowed);
    return values;
  }
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value)) {
      throw new UsageError(`--${name} must be a number, not '${text}'.`);
    }
    return value;
  }
}

function requireOneOf(name: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  const alternatives = `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`;
  throw new UsageError(`--${name} must be ${alternatives}, not '${value}'.`);
}

/**
 * Parses the options and arguments of a command.
 * @throws UsageError
 */
export function readArguments(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...globalOptions }).map(
      ([name, { value, many = false }]) => [
        name,
        { type: value ? ('string' as const) : ('boolean' as const), multiple: many },
      ],
    ),
  );
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg) => (arg === '-h' ? '--help' : arg)),
      options,
      allowPositionals: true,
    });
    return { options: new OptionValues(values), args: positionals };
  } catch (error) {
    // The advice of parseArgs about `--` does not apply here.
    throw new UsageError((error instanceof Error ? error.message : String(error)).split('. ')[0]);
  }
}

/** @throws UsageError for too few or too many arguments */
export function checkArity(command: Command, args: readonly string[]): void {
  const [min, max] = command.arity;
  if (args.length < min) throw new UsageError(`${command.usage} is required.`);
  if (args.length > max) throw new UsageError(`Unexpected argument '${args[max]}'.`);
}

/** The help of one command. */
export function helpOf(command: Command): string {
  const { name, usage, summary, options, help, examples } = command;
  return [
    `scriptorium ${[name, usage].filter(Boolean).join(' ')}`,
    summary,
    ...(help ? [help] : []),
    ...(Object.keys(options).length > 0 ? [`Options\n${describeOptions(options)}`] : []),
    `Global options\n${describeOptions(globalOptions)}`,
    `Examples\n${examples.map((example) => `  scriptorium ${example}`).join('\n')}`,
    `Exit codes\n${exitCodes.replaceAll(/^/gm, '  ')}`,
  ].join('\n\n');
}

function describeOptions(options: Record<string, Option>): string {
  const rows = Object.entries(options).map(([name, { value, help, many }]) => [
    `--${name}${value ? ` ${value}` : ''}`,
    many ? `${help}; may be repeated` : help,
  ]);
  const width = Math.max(...rows.map(([left]) => left!.length));
  return rows.map(([left, right]) => `  ${left!.padEnd(width)}  ${right}`).join('\n');
}
