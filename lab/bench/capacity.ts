import { integerFromEnv, numberFromEnv } from '../number-options.ts';
import { runLoad } from './support/api/load.ts';
import { createRequests } from './support/api/requests.ts';
import { openBench } from './support/bench.ts';
import { type Costs, writeCosts } from './support/capacity/costs.ts';
import {
  computeLockMs,
  computeUnitCosts,
  describeMeasurement,
  readSizes,
  storedPerRow,
} from './support/capacity/derive-costs.ts';
import { compareMixed, mixedTurn } from './support/capacity/mixed.ts';
import { compareRates, type RowName, rowNames, runRows } from './support/capacity/rows.ts';
import { formatTables, missesOf, replaceSection } from './support/capacity/tables.ts';
import { openTestBed } from './support/capacity/test-bed.ts';
import {
  pageTurn,
  type RunTurn,
  relayTurn,
  requestTurn,
  sendTurn,
} from './support/capacity/turns.ts';
import { calibrate } from './support/figures.ts';
import { buildPrograms } from './support/programs.ts';

/**
 * Measures the throughput of 1, 2 and 4 processes of each kind, the cost of each operation for
 * every kind of process, and the predictions of `script/capacity` from that: for the rates of 2 and
 * 4 processes, and for a mixed load that is not in the table. WRITE=1 stores the results in
 * support/capacity/costs.json and the tables in docs/history/capacity.md. Exits with 1 if a
 * prediction is off by 25 % or more.
 */
const rounds = integerFromEnv('ROUNDS', 2);
/** Scales the lengths of all turns. */
const scale = numberFromEnv('SIZE', 1);
const counts = (process.env.PROCESSES ?? '1,2,4').split(',').map(Number);
const seconds = 4 * scale;

buildPrograms();
const bench = await openBench();
const testBed = await openTestBed(bench, Math.max(...counts));
try {
  const empty = await readSizes(bench);
  const requests = await createRequests(testBed.tenants).objects(bench);
  for (let more = 0; more < 4; more++) await createRequests(testBed.tenants).objects(bench);
  const before = await readSizes(bench);
  for (const { port } of testBed.apis) {
    for (const request of [requests.change, requests.read]) {
      await runLoad({ port, connections: 8, seconds: 2 * scale, status: 200, request });
    }
  }
  // Otherwise plans for empty tables would be made repeatedly.
  await bench.analyze();
  const turns: Record<RowName, RunTurn> = {
    read: requestTurn(testBed, requests.read, { seconds }),
    write: requestTurn(testBed, requests.change, { seconds }),
    number: await relayTurn(testBed, { events: 16_000 * scale, endpoints: false }),
    number_and_fan_out: await relayTurn(testBed, { events: 16_000 * scale, endpoints: true }),
    deliver: await sendTurn(testBed, 8_000 * scale),
    ocr: pageTurn(testBed, 'ocr', { documents: 2, pages: Math.ceil(8 * scale) }),
    normalize: pageTurn(testBed, 'normalize', { documents: 12 * scale, pages: 20 }),
    redact: pageTurn(testBed, 'redact', { documents: 3, pages: Math.ceil(8 * scale) }),
    classify: pageTurn(testBed, 'classify', { documents: 12 * scale, pages: 20 }),
  };
  const results = await runRows(
    rounds,
    counts,
    new Map(rowNames.map((name) => [name, turns[name]])),
  );
  const calibration = await calibrate();
  const mixed = await mixedTurn(testBed, { seconds: 3 * seconds, texts: Math.ceil(10 * scale) });
  const unitCosts = {
    per: computeUnitCosts(results),
    ...computeLockMs(results),
    stored_bytes: {
      ...storedPerRow(before, await readSizes(bench)),
      object: storedPerRow(empty, before).object,
    },
  };
  const costs: Costs = {
    measured: await describeMeasurement(bench, results, { rounds, calibration }),
    ...unitCosts,
    rates: compareRates(unitCosts, results),
    mixed: compareMixed(unitCosts, mixed),
  };
  console.log(formatTables(costs));
  if (process.env.WRITE === '1') {
    writeCosts(costs);
    replaceSection('docs/history/capacity.md', '## As measured', formatTables(costs));
  }
  const misses = missesOf(costs);
  if (misses.length > 0) {
    console.error(`Not within 25 %: ${misses.join(', ')}.`);
    process.exitCode = 1;
  }
} finally {
  await testBed.close();
  await bench.close();
}
