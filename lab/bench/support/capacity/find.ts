import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { median } from '../figures.ts';
import type { BenchGround } from '../ground.ts';
import { type Cost, type Costs, processKinds, storedNames, storedTables } from './costs.ts';
import { cpuOf, type RowName, type Turns } from './rows.ts';
import { othersOf } from './watch.ts';

/** Bytes of a group of tables with their indexes and partitions, and the rows of the first of them. */
interface Size {
  bytes: number;
  rows: number;
}
export type Sizes = Record<keyof typeof storedTables, Size>;

/** The current size of the kept tables. */
export async function readSizes(ground: BenchGround): Promise<Sizes> {
  const sizes = {} as Sizes;
  for (const name of storedNames) {
    const tables = storedTables[name];
    // Pages of documents are counted by their rows, other data by the rows of their first table.
    const counted = name === 'page' ? 'job_page' : tables[0];
    const [row] = await ground.ask<{ bytes: string; rows: string }>(
      `SELECT sum(pg_total_relation_size(relid)) AS bytes, (SELECT count(*) FROM ${counted}) AS rows
       FROM (SELECT t::regclass AS relid FROM unnest($1::text[]) AS t
             UNION SELECT p.relid FROM unnest($1::text[]) AS t, pg_partition_tree(t::regclass) AS p) AS all_tables`,
      [tables],
    );
    sizes[name] = { bytes: Number(row?.bytes), rows: Number(row?.rows) };
  }
  return sizes;
}

/** Bytes per row added between two readings. */
export function storedPerRow(before: Sizes, after: Sizes): Costs['stored_bytes'] {
  const perRow = (name: keyof Sizes): number => {
    const added = after[name].rows - before[name].rows;
    return added > 0 ? Math.round((after[name].bytes - before[name].bytes) / added) : 0;
  };
  return {
    event: perRow('event'),
    delivery: perRow('delivery'),
    page: perRow('page'),
    object: perRow('object'),
  };
}

/** The costs of each kind of work, from the turns with one process of each kind. */
export function findPer(found: ReadonlyMap<RowName, Turns>): Costs['per'] {
  const of = (name: RowName): Cost => {
    const turns = found.get(name)?.get(1) ?? [];
    const middle = (kind: string): number =>
      rounded(median(turns.map((turn) => cpuOf(turn, kind))));
    return {
      cpu_ms: Object.fromEntries(
        processKinds.map((kind) => [kind, middle(kind)]),
      ) as Cost['cpu_ms'],
      client_ms: middle('client'),
      wal_bytes: Math.round(
        median(turns.map(({ used, operations }) => used.walBytes / operations)),
      ),
    };
  };
  return {
    ...{ read: of('read'), write: of('write'), number: of('number') },
    fan_out: difference(of('number_and_fan_out'), of('number')),
    ...{ deliver: of('deliver'), ocr: of('ocr'), normalize: of('normalize') },
    ...{ redact: of('redact'), classify: of('classify') },
  };
}

/** How long numbering an event and creating a delivery hold the lock, in milliseconds. */
export function findLockMs(
  found: ReadonlyMap<RowName, Turns>,
): Pick<Costs, 'numbering_ms' | 'fan_out_ms'> {
  const of = (name: RowName): number =>
    median(
      (found.get(name)?.get(1) ?? []).map(
        ({ used, operations }) => (used.numbering * used.seconds * 1_000) / operations,
      ),
    );
  const numbering = of('number');
  return {
    numbering_ms: rounded(numbering),
    fan_out_ms: rounded(Math.max(0, of('number_and_fan_out') - numbering)),
  };
}

const rounded = (ms: number): number => Number(ms.toPrecision(3));

function difference(of: Cost, to: Cost): Cost {
  const less = (one: number, other: number): number => rounded(Math.max(0, one - other));
  return {
    cpu_ms: Object.fromEntries(
      processKinds.map((kind) => [kind, less(of.cpu_ms[kind], to.cpu_ms[kind])]),
    ) as Cost['cpu_ms'],
    client_ms: less(of.client_ms, to.client_ms),
    wal_bytes: Math.max(0, of.wal_bytes - to.wal_bytes),
  };
}

/** Where, when and at which commit the costs were measured. */
export async function findMeasured(
  ground: BenchGround,
  found: ReadonlyMap<RowName, Turns>,
  given: { rounds: number; calibration: number },
): Promise<Costs['measured']> {
  const [row] = await ground.ask<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  const turns = [...found.values()].flatMap((byCount) => [...byCount.values()].flat());
  return {
    on: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    node: process.versions.node,
    postgres: row?.version ?? 'unknown',
    rounds: given.rounds,
    others: Number(median(turns.map(({ used }) => othersOf(used))).toFixed(2)),
    calibration: Number(given.calibration.toFixed(1)),
  };
}
