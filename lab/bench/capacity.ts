import { load } from './support/api/load.ts';
import { ourRequests } from './support/api/requests.ts';
import { type Costs, writeCosts } from './support/capacity/costs.ts';
import {
  findLockMs,
  findMeasured,
  findPer,
  readSizes,
  storedPerRow,
} from './support/capacity/find.ts';
import { mixedOf, mixedTurn } from './support/capacity/mixed.ts';
import { type RowName, ratesOf, rowNames, runRows } from './support/capacity/rows.ts';
import { openStage } from './support/capacity/stage.ts';
import { missesOf, replaceSection, tablesOf } from './support/capacity/tables.ts';
import {
  pageTurn,
  type RunTurn,
  relayTurn,
  requestTurn,
  sendTurn,
} from './support/capacity/turns.ts';
import { calibrate } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { buildPrograms } from './support/programs.ts';

/**
 * Measures the throughput of 1, 2 and 4 processes of each kind, the cost of each operation for
 * every kind of process, and the predictions of `script/capacity` from that: for the rates of 2 and
 * 4 processes, and for a mixed load that is not in the table. WRITE=1 stores the results in
 * support/capacity/costs.json and the tables in docs/history/capacity.md. Exits with 1 if a
 * prediction is off by 25 % or more.
 */
const rounds = Number(process.env.ROUNDS ?? 2);
/** Scales the lengths of all turns. */
const size = Number(process.env.SIZE ?? 1);
const counts = (process.env.PROCESSES ?? '1,2,4').split(',').map(Number);
const seconds = 4 * size;

buildPrograms();
const ground = await openBenchGround();
const stage = await openStage(ground, Math.max(...counts));
try {
  const empty = await readSizes(ground);
  const requests = await ourRequests(stage.tenants).objects(ground);
  for (let more = 0; more < 4; more++) await ourRequests(stage.tenants).objects(ground);
  const before = await readSizes(ground);
  for (const { port } of stage.apis) {
    for (const request of [requests.change, requests.read]) {
      await load({ port, connections: 8, seconds: 2 * size, status: 200, request });
    }
  }
  // Otherwise plans for empty tables would be made repeatedly.
  await ground.analyze();
  const all: Record<RowName, RunTurn> = {
    read: requestTurn(stage, requests.read, { seconds }),
    write: requestTurn(stage, requests.change, { seconds }),
    number: await relayTurn(stage, { events: 16_000 * size, endpoints: false }),
    number_and_fan_out: await relayTurn(stage, { events: 16_000 * size, endpoints: true }),
    deliver: await sendTurn(stage, 8_000 * size),
    ocr: pageTurn(stage, 'ocr', { documents: 2, pages: Math.ceil(8 * size) }),
    normalize: pageTurn(stage, 'normalize', { documents: 12 * size, pages: 20 }),
    redact: pageTurn(stage, 'redact', { documents: 3, pages: Math.ceil(8 * size) }),
    classify: pageTurn(stage, 'classify', { documents: 12 * size, pages: 20 }),
  };
  const found = await runRows(rounds, counts, new Map(rowNames.map((name) => [name, all[name]])));
  const calibration = await calibrate();
  const mixed = await mixedTurn(stage, { seconds: 3 * seconds, texts: Math.ceil(10 * size) });
  const bare = {
    per: findPer(found),
    ...findLockMs(found),
    stored_bytes: {
      ...storedPerRow(before, await readSizes(ground)),
      object: storedPerRow(empty, before).object,
    },
  };
  const costs: Costs = {
    measured: await findMeasured(ground, found, { rounds, calibration }),
    ...bare,
    rates: ratesOf(bare, found),
    mixed: mixedOf(bare, mixed),
  };
  console.log(tablesOf(costs));
  if (process.env.WRITE === '1') {
    writeCosts(costs);
    replaceSection('docs/history/capacity.md', '## As measured', tablesOf(costs));
  }
  const misses = missesOf(costs);
  if (misses.length > 0) {
    console.error(`Not within 25 %: ${misses.join(', ')}.`);
    process.exitCode = 1;
  }
} finally {
  await stage.close();
  await ground.close();
}
