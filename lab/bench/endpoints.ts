import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { integerFromEnv, numberFromEnv } from '../number-options.ts';
import { openBench } from './support/bench.ts';
import { calibrate, median, percentile, ratio } from './support/figures.ts';
import { createSmallEvent, openOutbox } from './support/outbox.ts';
import { buildPrograms, freePort, startBuilt, workerEnvironment } from './support/programs.ts';
import { atRate, createReceipts } from './support/webhooks/receipts.ts';
import { type Behaviour, behaviours, startHostile } from './support/webhooks/receiver.ts';

/**
 * The effect of failing endpoints on healthy ones. First with a thousand endpoints, a hundred of
 * them dead (a third each hang, refuse connections or return 500): the time from commit to receipt
 * at the healthy ones, with the dead ones paused and enabled. Then each failure mode alone: a
 * project with one failing and one healthy endpoint, compared with two healthy ones. One process
 * commits at a fixed rate and receives; failing receivers run in another.
 */
const rounds = integerFromEnv('ROUNDS', 2);
const seconds = numberFromEnv('SECONDS', 20);
const count = integerFromEnv('ENDPOINTS', 1_000);
/** Commits per second; each is delivered to the 25 endpoints of its project. */
const rate = integerFromEnv('RATE', 10);
const selectedBehaviours = (process.env.KINDS?.split(',') ??
  behaviours.filter((kind) => kind !== 'polite')) as Behaviour[];
const perProject = 25;
const pairRate = 50;
const pairSeconds = seconds / 2;
const burstSize = integerFromEnv('BURST', 1_000);
/** The deadline of a request, plus the time to detect it. */
const hangMs = 16_000;

interface Times {
  p50: number;
  p99: number;
}
interface Pair extends Times {
  /** Receipts per second in a burst. */
  rate: number;
}

buildPrograms();
const bench = await openBench();
const outbox = await openOutbox(bench);
const receipts = createReceipts();
const receiver = createServer((request, response) => {
  receipts.recordArrival(`${request.url} ${request.headers['webhook-id']}`);
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
const servers = [receiver];
const hostile = await startHostile(Math.max(100, Math.ceil(count / 10)));
const worker = startBuilt(
  'worker',
  workerEnvironment(bench, { secretKey: outbox.secretKey, queues: 'relay,webhooks' }),
);

/** Another origin for the receiver in this process. */
async function newOrigin(): Promise<string> {
  const server = createServer();
  server.on('request', (request, response) => receiver.emit('request', request, response));
  servers.push(server.listen(0, '127.0.0.1'));
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The times from commit to receipt per path, in milliseconds. */
async function timeToReceipts(projectId: string, paths: readonly string[]): Promise<number[]> {
  const [id] = await outbox.record(projectId, createSmallEvent());
  const committed = performance.now();
  return Promise.all(
    paths.map(async (path) => (await receipts.waitForArrival(`${path} ${id}`)) - committed),
  );
}

function timesOf(all: number[][]): Times {
  const times = all.flat();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function measureManyEndpoints(): Promise<void> {
  const refused = await freePort();
  const projects: { id: string; healthyPaths: string[]; failingIds: string[] }[] = [];
  for (let at = 0; at < count; at++) {
    if (at % perProject === 0) {
      projects.push({ id: await bench.createProject(), healthyPaths: [], failingIds: [] });
    }
    const project = projects.at(-1)!;
    if (at % 10 === 0) {
      const which = at / 10;
      const url =
        which % 3 === 0
          ? `http://127.0.0.1:${refused}/`
          : hostile.url(which, which % 3 === 1 ? 'hang' : '500');
      project.failingIds.push(await outbox.addEndpoint(project.id, { url, state: 'paused' }));
    } else {
      project.healthyPaths.push(`/${at}`);
      await outbox.addEndpoint(project.id, { url: `${await newOrigin()}/${at}` });
    }
  }
  const setDead = (state: 'enabled' | 'paused') =>
    Promise.all(projects.map(({ id, failingIds: dead }) => outbox.setState(id, dead, state)));
  const measureSteady = async (length: number): Promise<Times> =>
    timesOf(
      await atRate(rate, length, (at) => {
        const project = projects[at % projects.length]!;
        return timeToReceipts(project.id, project.healthyPaths);
      }),
    );
  const results: Record<'without' | 'with', Times[]> = { without: [], with: [] };
  const recordTimes = (name: keyof typeof results, times: Times): void => {
    results[name].push(times);
    process.stderr.write(`  ${name} dead ones: ${formatTimes(times)}\n`);
  };
  await measureSteady(5);
  await bench.analyze();
  for (let round = 0; round < rounds; round++) {
    recordTimes('without', await measureSteady(seconds));
    await setDead('enabled');
    // The time until the hanging endpoints occupy all the connections that they can.
    await measureSteady(hangMs / 1_000);
    recordTimes('with', await measureSteady(seconds));
    await setDead('paused');
    await untilSettled(projects.flatMap(({ failingIds: dead }) => dead));
  }
  const valuesOf = (name: keyof typeof results, what: keyof Times): number[] =>
    results[name].map((times) => times[what]);
  const dead = Math.ceil(count / 10);
  console.log(`${count} endpoints, ${rate} commits a second, each to ${perProject} of them`);
  for (const name of ['without', 'with'] as const) {
    const medians = { p50: median(valuesOf(name, 'p50')), p99: median(valuesOf(name, 'p99')) };
    console.log(`living ones, ${name} ${dead} dead ones: ${formatTimes(medians)}`);
  }
  console.log(
    `ratio of p50, with the dead ones: ${ratio(valuesOf('with', 'p50'), valuesOf('without', 'p50'))}`,
  );
  console.log(
    `ratio of p99, with the dead ones: ${ratio(valuesOf('with', 'p99'), valuesOf('without', 'p99'))}`,
  );
}

/** Creates a project with two endpoints; returns the times of the healthy one. */
async function measurePair(kind: Behaviour): Promise<Pair> {
  const projectId = await bench.createProject();
  await outbox.addEndpoint(projectId, { url: `${await newOrigin()}/living`, max_in_flight: 50 });
  const other = await outbox.addEndpoint(projectId, {
    url: hostile.url(0, kind),
    max_in_flight: 50,
  });
  const commit = () => timeToReceipts(projectId, ['/living']);
  await atRate(pairRate, 2, commit);
  const times = timesOf(await atRate(pairRate, pairSeconds, commit));
  const start = performance.now();
  const sent = await Promise.all(
    Array.from({ length: burstSize / 50 }, () =>
      outbox.record(projectId, ...Array.from({ length: 50 }, createSmallEvent)),
    ),
  );
  await Promise.all(sent.flat().map((id) => receipts.waitForArrival(`/living ${id}`)));
  const elapsedMs = performance.now() - start;
  await checkOutcome(kind, other);
  await outbox.setState(projectId, [other], 'disabled');
  await untilSettled([other]);
  return { ...times, rate: (burstSize * 1_000) / elapsedMs };
}

/** Checks that no failing endpoint was recorded as successful. */
async function checkOutcome(kind: Behaviour, endpoint: string): Promise<void> {
  const states = await bench.query<{ state: string; n: number }>(
    `SELECT state, count(*)::integer AS n FROM delivery WHERE endpoint_id = $1 GROUP BY state ORDER BY 1`,
    [endpoint],
  );
  const succeeded = states.find(({ state }) => state === 'succeeded')?.n ?? 0;
  // Of a 10 GB response, only the status is read.
  const mayReceive = kind === 'polite' || kind === 'endless';
  if (!mayReceive && succeeded > 0) throw new Error(`${succeeded} succeeded with ${kind}.`);
  const [found] = await bench.query<{ state: string }>(
    'SELECT state FROM webhook_endpoint WHERE id = $1',
    [endpoint],
  );
  if ((kind === '410') !== (found!.state === 'disabled')) {
    throw new Error(`After ${kind} the endpoint is ${found!.state}.`);
  }
  const stateCounts = states.map(({ state, n }) => `${n} ${state}`).join(', ');
  process.stderr.write(`    deliveries to the other: ${stateCounts}; it is ${found!.state}\n`);
}

/** Waits until no delivery to an ended endpoint is in progress. */
async function untilSettled(endpoints: readonly string[]): Promise<void> {
  const end = performance.now() + 60_000;
  for (;;) {
    const [row] = await bench.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM due_delivery
       WHERE endpoint_id = ANY($1) AND lease_until IS NOT NULL`,
      [endpoints],
    );
    if (row!.n === 0) return;
    if (performance.now() > end) throw new Error(`${row!.n} deliveries are still in progress.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function measureBehaviours(): Promise<void> {
  await measurePair('polite');
  await bench.analyze();
  const lines: string[] = [];
  const worst = { p50: 0, p99: 0, rate: 0 };
  for (const kind of selectedBehaviours) {
    const polite: Pair[] = [];
    const found: Pair[] = [];
    for (let round = 0; round < rounds; round++) {
      polite.push(await measurePair('polite'));
      found.push(await measurePair(kind));
      process.stderr.write(
        `  beside ${kind}: ${formatPair(found.at(-1)!)}; beside polite: ${formatPair(polite.at(-1)!)}\n`,
      );
    }
    const ratios = (['p50', 'p99', 'rate'] as const).map((what) => {
      const [of, to] = [found, polite].map((pairs) => pairs.map((pair) => pair[what]));
      const slower = what === 'rate' ? ratio(to!, of!) : ratio(of!, to!);
      worst[what] = Math.max(worst[what], Number.parseFloat(slower));
      return `${what} ${slower}`;
    });
    lines.push(`slowed beside ${kind.padEnd(8)} ${ratios.join(', ')}`);
  }
  for (const line of lines) console.log(line);
  console.log(
    `ratio, the worst of them: p50 ${worst.p50}, p99 ${worst.p99}, a burst of ${burstSize} ${worst.rate}`,
  );
}

function formatTimes({ p50, p99 }: Times): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

function formatPair(pair: Pair): string {
  return `${formatTimes(pair)}, ${pair.rate.toFixed(0)} a second`;
}

try {
  if (count > 0) await measureManyEndpoints();
  if (selectedBehaviours.length > 0) await measureBehaviours();
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
} finally {
  await worker.stop();
  await hostile.close();
  await outbox.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await bench.close();
}
