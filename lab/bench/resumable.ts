import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Upload } from 'tus-js-client';
import { createProject } from '../../src/access/projects.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { openBenchGround } from './support/ground.ts';
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
const megabytes = Number(process.env.MEGABYTES ?? 1024);
const kills = Number(process.env.KILLS ?? 3);

buildPrograms();
const ground = await openBenchGround();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const owner = await ground.open(ground.urls.ownerUrl, 2);
const project = await inTransaction(owner, (tx) => createProject(tx, 'bench'));
const headers = {
  Authorization: `Bearer ${project.secret}`,
  'X-Service-Project-ID': project.projectId,
};
const env = { ...serverEnvironment(ground, port), LOG_LEVEL: 'warn' };

const path = join(ground.folder, 'large.bin');
const hash = createHash('sha256');
const file = openSync(path, 'w');
for (let at = 0; at < megabytes; at++) {
  const block = randomBytes(MiB);
  hash.update(block);
  writeSync(file, block);
}
const sha256 = hash.digest('hex');

const peaks: number[] = [];
let down = 0;

async function startServer(): Promise<Program> {
  const from = performance.now();
  const program = startBuilt('server', env);
  for (;;) {
    const up = await fetch(`${url}/readyz`)
      .then(({ status }) => status === 200)
      .catch(() => false);
    if (up) break;
    await delay(20);
  }
  down += performance.now() - from;
  return program;
}

/** The peak memory of a process, in MiB. */
function peakMemory(pid: number): number {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
}

let server = await startServer();
down = 0;
const start = performance.now();
const marks = Array.from({ length: kills }, (_, at) => ((at + 1) / (kills + 1)) * megabytes * MiB);
const told: string[] = [];
let restarted = Promise.resolve();
const uploaded = await new Promise<string>((resolve, reject) => {
  const client = new Upload(createReadStream(path), {
    endpoint: `${url}/v1/uploads`,
    headers,
    metadata: { filename: 'large.bin' },
    retryDelays: Array.from({ length: 600 }, () => 100),
    onProgress: (sent) => {
      if (sent < (marks[0] ?? Number.POSITIVE_INFINITY)) return;
      marks.shift();
      peaks.push(peakMemory(server.pid));
      process.kill(server.pid, 'SIGKILL');
      told.push(`killed at ${Math.round(sent / MiB)} MiB`);
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
const arrived = createHash('sha256');
const content = await fetch(`${url}/v1/objects/${record.object_id}/content`, { headers });
for await (const piece of content.body ?? []) arrived.update(piece);
peaks.push(peakMemory(server.pid));
const right =
  record.state === 'completed' && object.sha256 === sha256 && arrived.digest('hex') === sha256;

console.log(
  `${megabytes} MiB, ${told.join(', ')}: ${right ? 'the right hash' : 'THE WRONG HASH'}, reported and downloaded`,
);
console.log(
  `time ${seconds.toFixed(1)} s, ${(down / 1_000).toFixed(1)} s of it while the API restarted`,
);
console.log(
  `peak memory of the API: ${Math.max(...peaks).toFixed(0)} MiB (each process: ${peaks.map((peak) => peak.toFixed(0)).join(', ')})`,
);
await server.stop();
await ground.close();
if (!right || Math.max(...peaks) >= 300) process.exitCode = 1;
