import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { numberFromEnv } from '../number-options.ts';
import { createApiClient } from './support/api/client.ts';
import { runLoad } from './support/api/load.ts';
import { createRequests } from './support/api/requests.ts';
import { createTenants } from './support/api/tenants.ts';
import { openBench } from './support/bench.ts';
import { type Heap, openHeap } from './support/heap.ts';
import { openOutbox } from './support/outbox.ts';
import {
  buildPrograms,
  freePort,
  type Program,
  serverEnvironment,
  startBuilt,
  untilReady,
  workerEnvironment,
} from './support/programs.ts';
import { makePicture, makeScan } from './support/scans.ts';

/**
 * Memory of the API and the workers under a steady mixed load: writes and reads over HTTP, events
 * sent as webhooks, images, and an occasional scan. Prints the heap after a forced collection and
 * the resident memory every minute, and the growth per hour at the end. Run it manually:
 * `MINUTES=60 npx tsx lab/bench/memory.ts`.
 */
const minutes = numberFromEnv('MINUTES', 60);
/** The warm-up, not measured: caches fill and V8 compiles. */
const warmUpMinutes = Math.min(10, Math.floor(minutes / 3));

buildPrograms();
const bench = await openBench();
const port = await freePort();
const environment = { ...serverEnvironment(bench, port), LOG_LEVEL: 'warn' };
const processes: { name: string; program: Program; heap: Heap }[] = [];

async function start(name: 'server' | 'worker', env: NodeJS.ProcessEnv): Promise<Program> {
  const inspectPort = await freePort();
  const program = startBuilt(name, env, [
    `--inspect=127.0.0.1:${inspectPort}`,
    '--inspect-publish-uid=http',
  ]);
  processes.push({ name, program, heap: await openHeap(inspectPort, program.pid) });
  return program;
}

const receiver = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const address = receiver.address();
const receiverPort = typeof address === 'object' && address ? address.port : 0;
const secretKey = environment.SECRET_KEY;
const server = await start('server', environment);
const worker = await start('worker', workerEnvironment(bench, { secretKey, queues: 'all' }));
const outbox = await openOutbox(bench, 4, secretKey);

interface Reading {
  minute: number;
  heapMiB: number;
  rssMiB: number;
}

/** The growth of a figure per hour, by least squares. */
function slope(readings: readonly Reading[], figure: 'heapMiB' | 'rssMiB'): number {
  const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;
  const meanMinute = mean(readings.map(({ minute }) => minute));
  const meanFigure = mean(readings.map((reading) => reading[figure]));
  const numerator = readings.reduce(
    (sum, r) => sum + (r.minute - meanMinute) * (r[figure] - meanFigure),
    0,
  );
  const denominator = readings.reduce((sum, r) => sum + (r.minute - meanMinute) ** 2, 0);
  return (numerator / denominator) * 60;
}

try {
  await untilReady(port);
  const tenants = await createTenants(bench, 4, 4);
  for (const { projectId } of tenants) {
    await outbox.addEndpoint(projectId, { url: `http://127.0.0.1:${receiverPort}/hook` });
  }
  const { projectId, secrets } = tenants[0]!;
  const api = createApiClient(port, { projectId, secret: secrets[0]! }, 500);
  const requests = createRequests(tenants);
  const readings = new Map(processes.map(({ name }) => [name, [] as Reading[]]));
  const end = performance.now() + minutes * 60_000;

  const scan = async (seed: number): Promise<void> => {
    const { id } = await api.upload((await makeScan(1, seed)).pdf, `${seed}.pdf`);
    await api.runOcr(id);
  };
  await scan(0);
  const reads = await requests.reads(bench);
  const sendRequests = async (): Promise<void> => {
    const burst = { port, connections: 2, seconds: 0.2 };
    while (performance.now() < end) {
      await runLoad({ ...burst, status: 201, request: requests.keys });
      await runLoad({ ...burst, status: 200, request: reads });
      await delay(600);
    }
  };
  const processFiles = async (): Promise<void> => {
    for (let seed = 1; performance.now() < end; seed++) {
      const { image_id: imageId } = await api.upload(await makePicture(seed, 'png'), `${seed}.png`);
      if (imageId) await api.waitForImage(imageId);
      if (seed % 30 === 0) await scan(seed);
    }
  };
  const recordReadings = async (): Promise<void> => {
    for (let minute = 0; minute <= minutes; minute++) {
      for (const { name, heap } of processes) {
        const reading = { minute, ...(await heap.read()) };
        readings.get(name)!.push(reading);
        console.log(
          `minute ${minute}, ${name}: heap ${reading.heapMiB.toFixed(1)} MiB after collection, resident ${reading.rssMiB.toFixed(0)}`,
        );
      }
      const waitMs = end - (minutes - minute - 1) * 60_000 - performance.now();
      if (minute < minutes) await delay(Math.max(0, waitMs));
    }
  };
  await Promise.all([sendRequests(), processFiles(), recordReadings()]);
  for (const [name, all] of readings) {
    const measuredReadings = all.filter(({ minute }) => minute >= warmUpMinutes);
    console.log(
      `growth an hour, ${name}: heap ${slope(measuredReadings, 'heapMiB').toFixed(1)} MiB, resident ${slope(measuredReadings, 'rssMiB').toFixed(1)} MiB, from minute ${warmUpMinutes} on`,
    );
  }
} finally {
  for (const { heap } of processes) heap.close();
  await worker.stop();
  await server.stop();
  await outbox.close();
  receiver.closeAllConnections();
  receiver.close();
  await bench.close();
}
