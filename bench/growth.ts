import pg from 'pg';
import { createTenants } from './support/api/tenants.ts';
import { calibrate, median, percentile } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { fillHistory, fillSettings } from './support/growth/fill.ts';
import { type Known, type Reply, requests, type Send } from './support/growth/load.ts';
import {
  readStatements,
  resetStatements,
  type StatementCost,
} from './support/growth/statements.ts';
import { openOutbox } from './support/outbox.ts';
import { openAnotherGround } from './support/postgres/another-ground.ts';
import {
  buildPrograms,
  freePort,
  serverEnvironment,
  startBuilt,
  untilReady,
  workerEnvironment,
} from './support/programs.ts';
import { startReceiver } from './support/webhooks/receiver.ts';

/**
 * What requests and statements cost as history grows: one project with SIZES events, as many ended
 * deliveries and as many ended jobs over twelve weeks, each size in its own database with its own API,
 * relay and sender. Prints the times of requests, then the pages each statement looked at per call.
 */
const sizes = (process.env.SIZES ?? '100000,1000000,10000000').split(',').map(Number);
const rounds = Number(process.env.ROUNDS ?? 50);

/** What was measured with one size. */
interface Measured {
  times: Map<string, number[]>;
  statements: Map<string, StatementCost>;
}

buildPrograms();
const ground = await openBenchGround({ counting: true, settings: fillSettings });
const receiver = await startReceiver(1);

async function measure(size: number, at: number): Promise<Measured> {
  const arm = await openAnotherGround(ground, at + 1);
  const [tenant] = await createTenants(arm, 1, 1);
  if (!tenant) throw new Error('No project.');
  const { projectId, objectId } = tenant;
  const port = await freePort();
  const env = serverEnvironment(arm, port);
  const outbox = await openOutbox(arm, 2, env.SECRET_KEY);
  const [url] = receiver.origins;
  const endpointId = await outbox.addEndpoint(projectId, { url: `${url}/` });
  const client = new pg.Client({ connectionString: arm.benchSuperuserUrl });
  await client.connect();
  const start = performance.now();
  await fillHistory(client, { projectId, endpointId }, size);
  const { rows } = await client.query<{ gigabytes: string }>(
    `SELECT round(pg_database_size(current_database()) / 1e9, 1) AS gigabytes`,
  );
  await client.end();
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  console.log(`${size} of each: ${rows[0]?.gigabytes} GB, filled in ${seconds} s`);

  const server = startBuilt('server', env);
  const worker = startBuilt(
    'worker',
    workerEnvironment(arm, { secretKey: env.SECRET_KEY, queues: 'relay,webhooks,maintenance' }),
  );
  try {
    await untilReady(port);
    const send: Send = async (method, path, body) => {
      const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${tenant.secrets[0]}`,
          'X-Service-Project-ID': projectId,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return JSON.parse(text) as Reply;
    };
    const first = async (path: string): Promise<string> => {
      const [found] = (await send('GET', path)).data;
      if (!found) throw new Error(`${path} is empty.`);
      return found.id;
    };
    const middle = Math.floor(size / 2);
    const consumer = await send('POST', '/events/consumers', {
      name: 'growth',
      category: 'domain',
    });
    const known: Known = {
      ...{ objectId, endpointId, middle, consumerId: consumer.id },
      jobId: await first('/documents/jobs?limit=1'),
      eventId: await first(`/events?limit=1&after=${middle}`),
      deliveryId: await first(`/webhooks/${endpointId}/deliveries?limit=1&state=succeeded`),
    };
    await send('POST', `/events/consumers/${consumer.id}/seek`, { sequence: middle });
    const times = new Map(Object.keys(requests).map((name) => [name, [] as number[]]));
    const run = async (name: string): Promise<void> => {
      const began = performance.now();
      await requests[name]?.(send, known);
      times.get(name)?.push(performance.now() - began);
    };
    for (const name of times.keys()) await run(name);
    for (const taken of times.values()) taken.length = 0;
    await resetStatements(arm);
    for (let round = 0; round < rounds; round++) for (const name of times.keys()) await run(name);
    return { times, statements: await readStatements(arm) };
  } finally {
    await Promise.all([server.stop(), worker.stop()]);
    await outbox.close();
    await arm.close();
  }
}

const columns = (values: readonly string[]): string =>
  values.map((value) => value.padStart(14)).join('');

try {
  const found: Measured[] = [];
  for (const [at, size] of sizes.entries()) found.push(await measure(size, at));
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  console.log(`\nRequests, ms: median / p95${' '.repeat(22)}${columns(sizes.map(String))}`);
  for (const name of Object.keys(requests)) {
    const cells = found.map(({ times }) => {
      const taken = times.get(name) ?? [];
      return `${median(taken).toFixed(1)} / ${percentile(taken, 0.95).toFixed(1)}`;
    });
    console.log(name.padEnd(48) + columns(cells));
  }
  const smallest = found[0]?.statements ?? new Map<string, StatementCost>();
  const growth = (text: string): number => {
    const last = found.at(-1)?.statements.get(text)?.pages ?? 0;
    return last / Math.max(1, smallest.get(text)?.pages ?? 1);
  };
  const texts = [...new Set(found.flatMap(({ statements }) => [...statements.keys()]))].sort(
    (one, other) => growth(other) - growth(one),
  );
  console.log(`\nStatements, pages / ms per call${' '.repeat(17)}${columns(sizes.map(String))}`);
  for (const text of texts) {
    const cells = found.map(({ statements }) => {
      const cost = statements.get(text);
      return cost ? `${cost.pages.toFixed(0)} / ${cost.milliseconds.toFixed(2)}` : '-';
    });
    const shown = process.env.WIDE ? text : text.slice(0, 46);
    console.log(shown.padEnd(48) + columns(cells));
  }
} finally {
  await receiver.close();
  await ground.close();
}
