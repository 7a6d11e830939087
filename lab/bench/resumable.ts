import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Upload } from 'tus-js-client';
import { createProject } from '../../src/access/projects.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { integerFromEnv } from '../number-options.ts';
import { openBench } from './support/bench.ts';
import {
  buildPrograms,
  freePort,
  type Program,
  serverEnvironment,
  startBuilt,
} from './support/programs.ts';

/**
 * Uploads a large file with a tus client while the API is killed three times. Checks the hash, and
 * measures the duration and the peak memory of the API.
 */
const MiB = 1024 * 1024;
const megabytes = integerFromEnv('MEGABYTES', 1024);
const kills = integerFromEnv('KILLS', 3, 0);

buildPrograms();
const bench = await openBench();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const owner = await bench.openDatabase(bench.urls.ownerUrl, 2);
const project = await inTransaction(owner, (tx) => createProject(tx, 'bench'));
const headers = {
  Authorization: `Bearer ${project.secret}`,
  'X-Service-Project-ID': project.projectId,
};
const env = { ...serverEnvironment(bench, port), LOG_LEVEL: 'warn' };

const path = join(bench.folder, 'large.bin');
const hash = createHash('sha256');
const file = openSync(path, 'w');
for (let at = 0; at < megabytes; at++) {
  const block = randomBytes(MiB);
  hash.update(block);
  writeSync(file, block);
}
const sha256 = hash.digest('hex');

const peaks: number[] = [];
let downMs = 0;

async function startServer(): Promise<Program> {
  const startedAt = performance.now();
  const program = startBuilt('server', env);
  for (;;) {
    const isReady = await fetch(`${url}/readyz`)
      .then(({ status }) => status === 200)
      .catch(() => false);
    if (isReady) break;
    await delay(20);
  }
  downMs += performance.now() - startedAt;
  return program;
}

/** The peak memory of a process, in MiB. */
function peakMemory(pid: number): number {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
}

let server = await startServer();
downMs = 0;
const start = performance.now();
const killPositions = Array.from(
  { length: kills },
  (_, at) => ((at + 1) / (kills + 1)) * megabytes * MiB,
);
const killTexts: string[] = [];
let restarted = Promise.resolve();
const uploaded = await new Promise<string>((resolve, reject) => {
  const client = new Upload(createReadStream(path), {
    endpoint: `${url}/v1/uploads`,
    headers,
    metadata: { filename: 'large.bin' },
    retryDelays: Array.from({ length: 600 }, () => 100),
    onProgress: (sent) => {
      if (sent < (killPositions[0] ?? Number.POSITIVE_INFINITY)) return;
      killPositions.shift();
      peaks.push(peakMemory(server.pid));
      process.kill(server.pid, 'SIGKILL');
      killTexts.push(`killed at ${Math.round(sent / MiB)} MiB`);
      restarted = restarted.then(async () => {
        await server.stop();
        server = await startServer();
      });
    },
    onError: reject,
    onSuccess: () => resolve(new URL(client.url ?? '').pathname),
  });
  client.start();
});
const seconds = (performance.now() - start) / 1_000;
await restarted;
peaks.push(peakMemory(server.pid));

const record = (await (await fetch(url + uploaded, { headers })).json()) as {
  state: string;
  object_id: string;
};
const object = (await (
  await fetch(`${url}/v1/objects/${record.object_id}`, { headers })
).json()) as { sha256: string; bytes: number };
const downloadedHash = createHash('sha256');
const content = await fetch(`${url}/v1/objects/${record.object_id}/content`, { headers });
for await (const piece of content.body ?? []) downloadedHash.update(piece);
peaks.push(peakMemory(server.pid));
const isCorrect =
  record.state === 'completed' &&
  object.sha256 === sha256 &&
  downloadedHash.digest('hex') === sha256;

console.log(
  `${megabytes} MiB, ${killTexts.join(', ')}: ${isCorrect ? 'the right hash' : 'THE WRONG HASH'}, reported and downloaded`,
);
console.log(
  `time ${seconds.toFixed(1)} s, ${(downMs / 1_000).toFixed(1)} s of it while the API restarted`,
);
console.log(
  `peak memory of the API: ${Math.max(...peaks).toFixed(0)} MiB (each process: ${peaks.map((peak) => peak.toFixed(0)).join(', ')})`,
);
await server.stop();
await bench.close();
if (!isCorrect || Math.max(...peaks) >= 300) process.exitCode = 1;
