import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compile } from '@scriptorium/contracts/helpers/validator';
import Type, { type Static, type TSchema } from 'typebox';

/** The kinds of processes that have a cost, in the order in which they are printed. */
export const processKinds = [
  ...(['api', 'relay', 'webhooks', 'ocr', 'normalize', 'redact', 'classify'] as const),
  ...(['postgres', 'redis'] as const),
] as const;
export type ProcessKind = (typeof processKinds)[number];

/** The kinds of work, by name, with a measured cost for each. */
export const workSummaries = {
  read: 'read of a resource over HTTP',
  write: 'change of a resource over HTTP, with its event',
  number: 'event numbered',
  fan_out: 'delivery created for a numbered event',
  deliver: 'delivery sent and settled',
  ocr: 'scanned page recognised',
  normalize: 'page with text normalised',
  redact: 'page with text redacted',
  classify: 'page with text classified',
} as const;
export type Work = keyof typeof workSummaries;
export const workNames = Object.keys(workSummaries) as Work[];

/** The kinds of data that stay on disk, and their tables. */
export const storedTables = {
  event: ['event'],
  delivery: ['delivery', 'attempt'],
  page: ['job', 'job_operation', 'job_page', 'job_output'],
  object: ['object', 'object_index', 'object_text'],
} as const;
export type StoredKind = keyof typeof storedTables;
export const storedKinds = Object.keys(storedTables) as StoredKind[];

const amount = Type.Number({ minimum: 0 });
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const recordOf = <Name extends string>(names: readonly Name[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, amount])) as Record<Name, typeof amount>,
    { additionalProperties: false },
  );

const cost = Type.Object({
  /** CPU milliseconds of each kind of process. */
  cpu_ms: recordOf(processKinds),
  /** CPU milliseconds of clients and receivers, which were on the same machine. */
  client_ms: amount,
  wal_bytes: amount,
});
export type Cost = Static<typeof cost>;

const costs = Type.Object({
  measured: Type.Object({
    on: Type.String(),
    commit: Type.String(),
    machine: Type.String(),
    cores: amount,
    node: Type.String(),
    postgres: Type.String(),
    rounds: amount,
    /** Cores that other programs used meanwhile: on a busy machine each operation costs more. */
    others: amount,
    /** Thousands of SHA-256 hashes of 64 KiB per second on one core, after the run. */
    calibration: amount,
  }),
  per: Type.Object(
    Object.fromEntries(workNames.map((name) => [name, cost])) as Record<Work, typeof cost>,
    { additionalProperties: false },
  ),
  /**
   * How long numbering one event holds the lock that excludes all other numbering, in milliseconds.
   */
  numbering_ms: amount,
  /** The additional time for creating one delivery, in milliseconds. */
  fan_out_ms: amount,
  /** Bytes of tables and indexes per row kept. */
  stored_bytes: recordOf(storedKinds),
  /** The measurements with this many processes of a kind, and the prediction from the costs. */
  rates: Type.Array(
    Type.Object({
      work: Type.String(),
      processes: amount,
      per_second: amount,
      /** Relative to the rate of one process: the median of the rounds, with their range. */
      to_one: Type.String(),
      ended: Type.String(),
      /** Null for one process, whose own turns are the source of the costs. */
      predicted: nullable(
        Type.Object({
          per_second: amount,
          /** The median of the rounds' errors, as a share of the measurement. */
          error: Type.Number(),
          limit: Type.String(),
        }),
      ),
    }),
  ),
  /** A mixed load, which was not used to derive costs. */
  mixed: Type.Object({
    load: Type.String(),
    ended: Type.String(),
    figures: Type.Array(
      Type.Object({
        what: Type.String(),
        predicted: Type.Number(),
        measured: Type.Number(),
        unit: Type.String(),
      }),
    ),
  }),
});
/** Measured costs: one file, written by `lab/bench/capacity`. */
export type Costs = Static<typeof costs>;
/** The part of them that predictions use. */
export type UnitCosts = Pick<Costs, 'per' | 'numbering_ms' | 'fan_out_ms' | 'stored_bytes'>;

const file = resolve('lab/bench/support/capacity/costs.json');

export function readCosts(): Costs {
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!compile(costs)(read)) throw new Error(`${file} has another format.`);
  return read;
}

export function writeCosts(measuredCosts: Costs): void {
  writeFileSync(file, `${JSON.stringify(measuredCosts, null, 2)}\n`);
}
