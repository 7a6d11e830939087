import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { FleetProcess } from '../../test/support/fleet.ts';
import { checkout } from '../../test/support/run.ts';
import { mochaHooks } from '../../test/support/services.ts';
import { findFreePort } from '../embedded/processes/ports.ts';
import { readInteger, readNumber } from '../number-options.ts';
import { buildCheckout, type Release } from '../rolling/release.ts';
import { openSystem, type System } from '../rolling/system.ts';
import { reasonOf } from '../torture/client.ts';
import { type Comparison, compareLatencies, compareSamples, minSamples } from './compare.ts';
import { startTraffic } from './load.ts';
import { shortenPartitions } from './partitions.ts';
import { createSampler, type Sample, type SampleTarget } from './sampler.ts';
import { findUndoneWork } from './undone-work.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '0' },
    apis: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    /** Requests a second. */
    rate: { type: 'string', default: '10' },
    /**
     * Minutes that are not judged, in which caches fill and tables reach their size. Default: a
     * quarter.
     */
    'warm-up': { type: 'string' },
    /** Seconds between samples. */
    every: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const minutes =
  readNumber('--hours', values.hours) * 60 + readNumber('--minutes', values.minutes) || 60;
const warmUpMinutes =
  values['warm-up'] === undefined
    ? Math.min(30, minutes / 4)
    : readNumber('--warm-up', values['warm-up']);
const apiCount = readInteger('--apis', values.apis);
const workerCount = readInteger('--workers', values.workers);
const perSecond = readInteger('--rate', values.rate);
const secondsBetweenSamples = readInteger('--every', values.every);
const seed = readInteger('--seed', values.seed, 0);
/** The period of a partition; it is dropped one and a half periods later. */
const partitionMinutes = Math.max(2, Math.round(minutes / 20));

/** A figure that is neither small nor stable. */
const isNotable = ({ name, first, last, isWithinBound: isWell }: Comparison): boolean =>
  !isWell || !name.startsWith('table ') || (first !== last && Math.max(first, last) >= 100);

function table(title: string, rows: readonly Comparison[]): void {
  console.log(`\n${title} | First third | Last third | Change |`);
  for (const { name, first, last, change, isJudged, isWithinBound: isWell } of rows.filter(
    isNotable,
  )) {
    const verdict = isJudged ? (isWell ? 'flat' : 'GROWS') : '';
    console.log(
      `${name} | ${first.toFixed(1)} | ${last.toFixed(1)} | ${change >= 0 ? '+' : ''}${change.toFixed(0)}% | ${verdict}`,
    );
  }
}

/** @returns whether everything passed */
async function soak(release: Release, system: System): Promise<boolean> {
  const folder = join(checkout, '.data', 'soak');
  mkdirSync(folder, { recursive: true });
  await shortenPartitions(system, { minutes: partitionMinutes, kept: partitionMinutes * 1.5 });
  const isFailingPath = (path: string) => path.startsWith('/failing');
  let receipts = 0;
  system.receiver.respondWith(({ path }) => {
    if (isFailingPath(path)) return 500;
    receipts += 1;
    return 204;
  });
  const targets: SampleTarget[] = [];
  const processes: FleetProcess[] = [];
  const addTarget = async (name: string): Promise<NodeJS.ProcessEnv> => {
    const port = await findFreePort();
    targets.push({ name, port });
    return { METRICS_PORT: String(port) };
  };
  for (let at = 1; at <= apiCount; at += 1)
    processes.push(await system.startApi(release, await addTarget(`api-${at}`)));
  for (let at = 1; at <= workerCount; at += 1)
    processes.push(await system.startWorker(release, 'all', await addTarget(`worker-${at}`)));
  const sampler = createSampler(system, targets);
  const samples: Sample[] = [];
  const traffic = await startTraffic(system, { perSecond, seed });
  const began = Date.now();
  const problems: string[] = [];
  while (Date.now() < began + minutes * 60_000 && problems.length === 0) {
    await delay(secondsBetweenSamples * 1_000);
    try {
      samples.push(await sampler.take());
    } catch (error) {
      problems.push(`no sample after ${sinceMinutes(began)} minutes: ${reasonOf(error)}`);
    }
    // The received webhooks are not used here, and would accumulate.
    system.receiver.requests.length = 0;
    const died = processes.filter((member) => member.hasDied()).map(({ name }) => name);
    console.log(
      `${new Date().toISOString().slice(11, 19)} ${traffic.timings.length} requests, ${traffic.open()} open, ${traffic.faults.length} failed${died.length > 0 ? `, died: ${died.join(' ')}` : ''}`,
    );
    writeFileSync(join(folder, 'samples.json'), JSON.stringify(samples));
  }
  const durationMinutes = sinceMinutes(began);
  await traffic.stop();
  sampler.close();
  const from = began + warmUpMinutes * 60_000;
  const judgedSamples = samples.filter(({ at }) => at >= from);
  const latencies = compareLatencies(
    traffic.timings.filter(({ at }) => at >= from),
    10,
  );
  table('Latency', latencies);
  const growing = latencies.filter((row) => !row.isWithinBound);
  if (judgedSamples.length >= minSamples) {
    const figures = compareSamples(judgedSamples);
    table('Figure', figures);
    growing.push(...figures.filter((row) => !row.isWithinBound));
  } else {
    problems.push(`${judgedSamples.length} samples after the warm-up, ${minSamples} are needed`);
  }
  problems.push(...growing.map(({ name }) => name));
  problems.push(...(await findUndoneWork(system, receipts)));
  console.log(
    `\n${durationMinutes} minutes, the first ${warmUpMinutes} not judged; ${traffic.timings.length} requests at ${perSecond} a second over ${apiCount} API and ${workerCount} worker processes; partitions of ${partitionMinutes} minutes; ${traffic.faults.length} failed`,
  );
  for (const fault of traffic.faults.slice(0, 20)) console.log(fault);
  if (traffic.faults.length > 0) problems.push('requests failed');
  for (const member of processes.filter((each) => each.hasDied())) {
    console.log(`${member.name} died: ${member.log().slice(-2_000)}`);
    problems.push(`${member.name} died`);
  }
  console.log(problems.length === 0 ? 'all flat' : `not flat: ${problems.join(', ')}`);
  return problems.length === 0;
}

const sinceMinutes = (began: number): string => ((Date.now() - began) / 60_000).toFixed(0);

const expected = Math.floor(((minutes - warmUpMinutes) * 60) / secondsBetweenSamples);
if (expected < minSamples) {
  throw new Error(
    `There would be ${expected} samples after the warm-up, and ${minSamples} are needed: make --every shorter, or --minutes longer.`,
  );
}
let passed = false;
try {
  const release = await buildCheckout();
  const settings = {
    // At most five minutes of attempts, so that nothing is due when its partition is dropped.
    WEBHOOK_RETRY_SCHEDULE: '0,1,2,4,8,15',
    SHUTDOWN_DELAY_SECONDS: '0',
  };
  const system = await openSystem(release, settings, apiCount);
  try {
    passed = await soak(release, system);
  } finally {
    await system.close();
  }
} finally {
  await mochaHooks.afterAll();
}
process.exit(passed ? 0 : 1);
