import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import type { Bench } from '../bench.ts';
import { median } from '../figures.ts';
import { type Cost, type Costs, processKinds, storedKinds, storedTables } from './costs.ts';
import { cpuOf, type RowName, type Turns } from './rows.ts';
import { otherCores } from './watch.ts';

/**
 * Bytes of a group of tables with their indexes and partitions, and the rows of the first of them.
 */
interface Size {
  bytes: number;
  rows: number;
}
export type Sizes = Record<keyof typeof storedTables, Size>;

/** The current size of the kept tables. */
export async function readSizes(bench: Bench): Promise<Sizes> {
  const sizes = {} as Sizes;
  for (const name of storedKinds) {
    const tables = storedTables[name];
    // Pages of documents are counted by their rows, other data by the rows of their first table.
    const counted = name === 'page' ? 'job_page' : tables[0];
    const [row] = await bench.query<{ bytes: string; rows: string }>(
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
export function computeUnitCosts(turnsByRow: ReadonlyMap<RowName, Turns>): Costs['per'] {
  const rowCost = (name: RowName): Cost => {
    const turns = turnsByRow.get(name)?.get(1) ?? [];
    const middle = (kind: string): number =>
      roundCost(median(turns.map((turn) => cpuOf(turn, kind))));
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
    read: rowCost('read'),
    write: rowCost('write'),
    number: rowCost('number'),
    fan_out: difference(rowCost('number_and_fan_out'), rowCost('number')),
    deliver: rowCost('deliver'),
    ocr: rowCost('ocr'),
    normalize: rowCost('normalize'),
    redact: rowCost('redact'),
    classify: rowCost('classify'),
  };
}

/** Returns how long numbering an event and creating a delivery hold the lock, in milliseconds. */
export function computeLockMs(
  turnsByRow: ReadonlyMap<RowName, Turns>,
): Pick<Costs, 'numbering_ms' | 'fan_out_ms'> {
  const lockMs = (name: RowName): number =>
    median(
      (turnsByRow.get(name)?.get(1) ?? []).map(
        ({ used, operations }) => (used.numbering * used.seconds * 1_000) / operations,
      ),
    );
  const numbering = lockMs('number');
  return {
    numbering_ms: roundCost(numbering),
    fan_out_ms: roundCost(Math.max(0, lockMs('number_and_fan_out') - numbering)),
  };
}

const roundCost = (ms: number): number => Number(ms.toPrecision(3));

function difference(cost: Cost, baseline: Cost): Cost {
  const subtract = (one: number, other: number): number => roundCost(Math.max(0, one - other));
  return {
    cpu_ms: Object.fromEntries(
      processKinds.map((kind) => [kind, subtract(cost.cpu_ms[kind], baseline.cpu_ms[kind])]),
    ) as Cost['cpu_ms'],
    client_ms: subtract(cost.client_ms, baseline.client_ms),
    wal_bytes: Math.max(0, cost.wal_bytes - baseline.wal_bytes),
  };
}

/** Describes where, when and at which commit the costs were measured. */
export async function describeMeasurement(
  bench: Bench,
  turnsByRow: ReadonlyMap<RowName, Turns>,
  run: { rounds: number; calibration: number },
): Promise<Costs['measured']> {
  const [row] = await bench.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  const turns = [...turnsByRow.values()].flatMap((byCount) => [...byCount.values()].flat());
  return {
    on: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    node: process.versions.node,
    postgres: row?.version ?? 'unknown',
    rounds: run.rounds,
    others: Number(median(turns.map(({ used }) => otherCores(used))).toFixed(2)),
    calibration: Number(run.calibration.toFixed(1)),
  };
}
