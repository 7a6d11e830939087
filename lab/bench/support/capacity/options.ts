import { parseArgs } from 'node:util';
import { OptionError } from '../../../number-options.ts';
import type { Load, Machines } from './model.ts';

interface Option {
  summary: string;
  /** The default; null if it is derived from others, as described in the summary. */
  default: number | null;
  maximum?: number;
}

/** The options of `script/capacity`, all of them numbers. */
export const options = {
  'events-per-second': { default: 0, summary: 'Events recorded' },
  'writes-per-second': {
    default: null,
    summary: 'Requests that change something. Default: one for each event',
  },
  'reads-per-second': { default: 0, summary: 'Requests that read one resource' },
  'deliveries-per-second': { default: 0, summary: 'Webhooks sent' },
  'pages-per-day': { default: 0, summary: 'Scanned pages to recognise' },
  'normalize-pages-per-day': { default: 0, summary: 'Pages with text to normalise' },
  'redact-pages-per-day': { default: 0, summary: 'Pages with text to redact' },
  'classify-pages-per-day': { default: 0, summary: 'Pages with text to classify' },
  'events-kept': { default: 0, summary: 'Events within retention' },
  'deliveries-kept': {
    default: null,
    summary: 'Deliveries within retention. Default: as many for an event as are sent',
  },
  'pages-kept': { default: 0, summary: 'Pages of jobs that are kept' },
  'objects-kept': { default: 0, summary: 'Objects, without their bytes in storage' },
  'cores-per-machine': { default: 16, summary: 'Cores of a machine for our processes' },
  use: {
    default: 0.6,
    maximum: 1,
    summary: 'Share of each resource to use; the rest is for peaks and failures',
  },
  'postgres-cores': { default: 64, summary: 'Cores of the machine of one Postgres' },
  'wal-megabytes-per-second': {
    default: 200,
    summary: 'What its disk, archive and standbys take',
  },
  connections: { default: 500, summary: 'max_connections of one Postgres' },
  'disk-terabytes': { default: 20, summary: 'Disk of one Postgres' },
} as const satisfies Record<string, Option>;
type Name = keyof typeof options;
const names = Object.keys(options) as Name[];
/** A load of 0 means none; a machine without cores is a mistake. */
const positiveNames: readonly Name[] = names.slice(names.indexOf('cores-per-machine'));

export interface CapacityOptions {
  load: Load;
  machines: Machines;
  json: boolean;
  help: boolean;
}

/**
 * Reads a command line.
 * @throws OptionError if an option is unknown or not a number within its bounds, or no load is
 *   given
 */
export function readOptions(args: readonly string[]): CapacityOptions {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      json: { type: 'boolean' as const },
      help: { type: 'boolean' as const },
    },
  });
  for (const token of tokens) {
    if (token.kind === 'option' && !isOption(token.name)) {
      throw new OptionError(
        `Unknown option '${token.rawName}'. Expected one of: ${names.map((name) => `--${name}`).join(', ')}, --json, --help.`,
      );
    }
  }
  if (positionals.length > 0) {
    throw new OptionError(`Unexpected argument '${positionals[0]}'. Write --option value.`);
  }
  const number = (name: Name): number | null => {
    const text = values[name];
    const option: Option = options[name];
    if (text === undefined) return option.default;
    const value = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN;
    const min = positiveNames.includes(name);
    if (!Number.isFinite(value) || value < 0 || (min && value === 0)) {
      const requirement = min ? 'a number greater than 0' : 'a number of at least 0';
      const actual = typeof text === 'string' ? `, not '${text}'` : '';
      throw new OptionError(
        `--${name} must be ${requirement}, such as ${option.default || 1_000}${actual}.`,
      );
    }
    if (option.maximum !== undefined && value > option.maximum) {
      throw new OptionError(`--${name} must be at most ${option.maximum}, not ${value}.`);
    }
    return value;
  };
  const numberOf = (name: Name, fallback = 0): number => number(name) ?? fallback;
  const events = numberOf('events-per-second');
  const deliveries = numberOf('deliveries-per-second');
  const eventsKept = numberOf('events-kept');
  const load: Load = {
    events,
    deliveries,
    writes: numberOf('writes-per-second', events),
    reads: numberOf('reads-per-second'),
    pages: {
      ocr: numberOf('pages-per-day'),
      normalize: numberOf('normalize-pages-per-day'),
      redact: numberOf('redact-pages-per-day'),
      classify: numberOf('classify-pages-per-day'),
    },
    kept: {
      event: eventsKept,
      delivery: numberOf('deliveries-kept', events > 0 ? (eventsKept * deliveries) / events : 0),
      page: numberOf('pages-kept'),
      object: numberOf('objects-kept'),
    },
  };
  const parsed = {
    load,
    machines: {
      cores: numberOf('cores-per-machine'),
      use: numberOf('use'),
      postgresCores: numberOf('postgres-cores'),
      walMegabytes: numberOf('wal-megabytes-per-second'),
      connections: numberOf('connections'),
      diskTerabytes: numberOf('disk-terabytes'),
    },
    json: values.json === true,
    help: values.help === true,
  };
  const { pages, kept: rows, ...rates } = load;
  const allAmounts = [rates, pages, rows].flatMap((amounts) => Object.values(amounts));
  if (!parsed.help && allAmounts.every((amount) => amount === 0)) {
    throw new OptionError('No load is given. Write for example --events-per-second 1000.');
  }
  return parsed;
}

function isOption(name: string): boolean {
  return name === 'json' || name === 'help' || names.some((option) => option === name);
}

export function usage(): string {
  const lines = names.map((name) => {
    const { summary, default: defaultValue }: Option = options[name];
    return `  --${name.padEnd(26)} ${summary}${defaultValue ? `. Default: ${defaultValue}` : ''}.`;
  });
  return `script/capacity [options]: machines for a load, from measured costs.\n\n${lines.join('\n')}\n  --json                       The result as JSON.\n  --help                       These options.\n`;
}
