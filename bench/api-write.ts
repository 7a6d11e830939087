import { randomUUID } from 'node:crypto';
import { createProject, issueKey } from '../src/access/projects.ts';
import { newId } from '../src/contracts/ids.ts';
import { inProject, inTransaction, prepared } from '../src/db/transaction.ts';
import { cpuMs } from './support/cpu.ts';
import { calibrate, interleave, median, percentile, ratio } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { jsonRequest, load } from './support/load.ts';
import { findPgbench, preparePlainTransactions } from './support/pgbench.ts';
import { buildPrograms, freePort, serverEnvironment, startBuilt } from './support/programs.ts';

/**
 * Writes over HTTP, with key, wall, rate limit, Idempotency-Key, validation and event, each in one
 * transaction that is on disk before its answer, against plain transactions of two inserts from
 * pgbench on the same Postgres; both at eight connections.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 4);

const pgbench = findPgbench();
if (!pgbench) {
  console.log("skipped: pgbench is missing (Debian's postgresql-contrib has it)");
  process.exit(0);
}
buildPrograms();
const ground = await openBenchGround();
const port = await freePort();
const server = startBuilt('server', serverEnvironment(ground, port));
try {
  const owner = await ground.open(ground.urls.ownerUrl, 2);
  const { projectId } = await inTransaction(owner, (tx) => createProject(tx, 'bench'));
  const { secret } = await inTransaction(owner, (tx) =>
    issueKey(tx, projectId, {
      name: 'load',
      scopes: ['*'],
      write_per_minute: 100_000_000,
    }),
  );
  const api = await ground.open(ground.urls.apiUrl, 2);
  const objectId = newId('object');
  await inProject(api, projectId, (tx) =>
    prepared(
      tx,
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, pages, source_kind)
       VALUES ($1, $2, 'available', 'scan.pdf', 'application/pdf', 1000, repeat('0', 64), 3, 'upload')`,
      [objectId, projectId],
    ),
  );
  const plain = await preparePlainTransactions(pgbench, ground.benchSuperuserUrl, ground.folder);
  const headers = (): Record<string, string> => ({
    Authorization: `Bearer ${secret}`,
    'X-Service-Project-ID': projectId,
    'Idempotency-Key': randomUUID(),
  });
  const job = JSON.stringify({
    source_object_id: objectId,
    operations: [{ op: 'ocr', options: {} }],
    metadata: { case: '4711' },
  });
  const newKey = JSON.stringify({ name: 'one of many', scopes: ['documents:read'] });
  const latencies: Record<'job' | 'key', number[]> = { job: [], key: [] };
  const spent: Record<'job' | 'key' | 'postgres', number[]> = { job: [], key: [], postgres: [] };
  const write = async (
    arm: 'job' | 'key',
    status: number,
    path: string,
    body: string,
    length = seconds,
  ) => {
    const request = () => jsonRequest('POST', path, headers(), body);
    const before = [cpuMs(server.pid), cpuMs(ground.postgresPid)] as const;
    const found = await load({ port, connections: 8, seconds: length, status, request });
    const writes = found.latencies.length;
    spent[arm].push((cpuMs(server.pid) - before[0]) / writes);
    spent.postgres.push((cpuMs(ground.postgresPid) - before[1]) / writes);
    latencies[arm].push(...found.latencies);
    return found.rate;
  };
  const jobs = (length?: number) => write('job', 202, '/v1/documents/jobs', job, length);
  const keys = (length?: number) => write('key', 201, '/v1/keys', newKey, length);
  await ready(port);
  await plain.run(1);
  // Long enough for V8 to compile what is hot, which a server has behind it after its first minute.
  await jobs(Number(process.env.WARM_UP ?? 15));
  await keys(3);
  await ground.analyze();
  for (const list of [latencies.job, latencies.key, spent.job, spent.key, spent.postgres])
    list.length = 0;
  const found = await interleave(rounds, { plain: () => plain.run(seconds), jobs, keys });
  const times = (values: number[]): string =>
    `p50 ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms`;
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  console.log(`plain transactions:      ${median(found.plain).toFixed(0)} a second`);
  console.log(
    `POST /v1/documents/jobs: ${median(found.jobs).toFixed(0)} a second (${times(latencies.job)})`,
  );
  console.log(
    `POST /v1/keys:           ${median(found.keys).toFixed(0)} a second (${times(latencies.key)})`,
  );
  console.log(
    `the server's CPU:        ${median(spent.job).toFixed(2)} ms for a job, ${median(spent.key).toFixed(2)} ms for a key; Postgres's ${median(spent.postgres).toFixed(2)} ms`,
  );
  console.log(`ratio of jobs: ${ratio(found.jobs, found.plain)}`);
  console.log(`ratio of keys: ${ratio(found.keys, found.plain)}`);
} finally {
  await server.stop();
  await ground.close();
}

/** Waits until the server answers. */
async function ready(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The server does not answer.');
}
