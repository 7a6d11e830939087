/**
 * Latency for small files, through an API and a worker of all queues as deployed: a three-page scan
 * from upload to searchable PDF, compared with `ocrmypdf` on the same file if that is on PATH; a
 * small image from upload to thumbnail; and the first requests after a start. Both sides of the
 * scan run in turn. CPU is user and system, of the API, the worker, all engine processes, Postgres
 * and Redis.
 *
 * npx tsx lab/bench/documents/short.ts
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '../../../test/support/samples.ts';
import { integerFromEnv } from '../../number-options.ts';
import { createApiClient } from '../support/api/client.ts';
import { createTenants } from '../support/api/tenants.ts';
import { openBench } from '../support/bench.ts';
import { watchCpu } from '../support/cpu.ts';
import { calibrate, median, percentile, ratio } from '../support/figures.ts';
import {
  buildPrograms,
  freePort,
  serverEnvironment,
  startBuilt,
  untilReady,
  workerEnvironment,
} from '../support/programs.ts';
import { makePicture, makeScan, shareOfWordsFound } from '../support/scans.ts';
import { hasCommand, measureCommand } from './recognition.ts';

const rounds = integerFromEnv('ROUNDS', 5);
const pages = integerFromEnv('PAGES', 3);
const pictures = integerFromEnv('PICTURES', 40);

buildPrograms();
const bench = await openBench();
const port = await freePort();
const environment = { ...serverEnvironment(bench, port), LOG_LEVEL: 'warn' };
const server = startBuilt('server', environment);
const secretKey = environment.SECRET_KEY;
const worker = startBuilt('worker', workerEnvironment(bench, { secretKey, queues: 'all' }));
const watchedProcesses = {
  ours: [server.pid, worker.pid],
  stores: [bench.postgresPid, bench.redisPid],
};

interface Run {
  wall: number;
  cpu: number;
}

try {
  await untilReady(port);
  const [tenant] = await createTenants(bench, 1, 1);
  const credentials = { projectId: tenant!.projectId, secret: tenant!.secrets[0]! };
  const api = createApiClient(port, credentials);

  const runService = async (seed: number): Promise<Run & { words: number }> => {
    const scan = await makeScan(pages, seed);
    const stopCpuWatch = watchCpu(watchedProcesses);
    const start = performance.now();
    const { id } = await api.upload(scan.pdf, `scan-${seed}.pdf`);
    const { outputs } = await api.runOcr(id);
    const pdf = await api.download(outputs[0]!.object_id);
    const wall = (performance.now() - start) / 1_000;
    const { ours, stores } = stopCpuWatch();
    const text = (await textOf(pdf)).join('\n');
    process.stderr.write(
      `  ours: ${wall.toFixed(1)} s, CPU ${(ours! / 1_000).toFixed(1)} s and stores ${(stores! / 1_000).toFixed(2)}\n`,
    );
    return { wall, cpu: (ours! + stores!) / 1_000, words: shareOfWordsFound(scan.words, text) };
  };
  const runOcrmypdf = async (seed: number): Promise<Run> => {
    const input = join(bench.folder, `scan-${seed}.pdf`);
    await writeFile(input, (await makeScan(pages, seed)).pdf);
    const output = join(bench.folder, 'theirs.pdf');
    const run = await measureCommand('ocrmypdf', [
      '-q',
      '-O0',
      '-j2',
      '--output-type',
      'pdf',
      input,
      output,
    ]);
    process.stderr.write(`  ocrmypdf: ${run.wall.toFixed(1)} s, CPU ${run.cpu.toFixed(1)} s\n`);
    return run;
  };
  const hasOcrmypdf = hasCommand('ocrmypdf');
  if (!hasOcrmypdf) console.log('skipped: ocrmypdf is not on PATH, so nothing is compared with it');
  await runService(0);
  await bench.analyze();
  const ours: (Run & { words: number })[] = [];
  const theirs: Run[] = [];
  for (let round = 1; round <= rounds; round++) {
    ours.push(await runService(round));
    if (hasOcrmypdf) theirs.push(await runOcrmypdf(round));
  }

  /** From the start of an upload until the thumbnail exists. */
  const untilThumbnail = async (seed: number): Promise<number> => {
    const format = seed % 2 === 0 ? 'png' : 'jpeg';
    const bytes = await makePicture(seed, format);
    const start = performance.now();
    const { image_id: imageId } = await api.upload(bytes, `picture-${seed}.${format}`);
    if (!imageId) throw new Error('The upload did not create an image.');
    const image = await api.waitForImage(imageId);
    if (!image.renditions.thumb) throw new Error(`${imageId} has no thumbnail.`);
    return performance.now() - start;
  };
  await untilThumbnail(0);
  const thumbnails: number[] = [];
  for (let seed = 1; seed <= pictures; seed++) thumbnails.push(await untilThumbnail(seed));

  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  const printRuns = (name: string, runs: readonly Run[]): void =>
    console.log(
      `${name}: ${median(runs.map(({ wall }) => wall)).toFixed(2)} s, ${median(runs.map(({ cpu }) => cpu)).toFixed(2)} s of CPU (medians of ${runs.length})`,
    );
  printRuns(`a scan of ${pages} pages through the API`, ours);
  console.log(
    `words read: ${(100 * Math.min(...ours.map(({ words }) => words))).toFixed(1)} % at least`,
  );
  if (hasOcrmypdf) {
    printRuns('ocrmypdf -O0 -j2 on the same', theirs);
    const cpus = (runs: readonly Run[]) => runs.map(({ cpu }) => cpu);
    const walls = (runs: readonly Run[]) => runs.map(({ wall }) => wall);
    console.log(`ratio, CPU of ocrmypdf to ours: ${ratio(cpus(theirs), cpus(ours))}`);
    console.log(`ratio, wall time of ocrmypdf to ours: ${ratio(walls(theirs), walls(ours))}`);
  }
  console.log(
    `thumbnail: p50 ${percentile(thumbnails, 0.5).toFixed(0)} ms, p95 ${percentile(thumbnails, 0.95).toFixed(0)} ms from upload to ready, of ${pictures} pictures`,
  );
  await measureFirstRequests(credentials);
} finally {
  await worker.stop();
  await server.stop();
  await bench.close();
}

/** A new API process: the time until it is ready, and its first requests compared with later ones. */
async function measureFirstRequests(credentials: {
  projectId: string;
  secret: string;
}): Promise<void> {
  const otherPort = await freePort();
  const start = performance.now();
  const other = startBuilt('server', { ...environment, PORT: String(otherPort) });
  try {
    await untilReady(otherPort);
    const ready = performance.now() - start;
    const api = createApiClient(otherPort, credentials);
    const timeUpload = async (seed: number): Promise<number> => {
      const bytes = await makePicture(1_000 + seed, 'png');
      const begun = performance.now();
      await api.upload(bytes, `first-${seed}.png`);
      return performance.now() - begun;
    };
    const first = await timeUpload(0);
    const later: number[] = [];
    for (let seed = 1; seed <= 30; seed++) later.push(await timeUpload(seed));
    console.log(
      `first request: ready ${ready.toFixed(0)} ms after the start, the first upload ${first.toFixed(0)} ms, later ones p50 ${percentile(later, 0.5).toFixed(0)} ms`,
    );
  } finally {
    await other.stop();
  }
}
