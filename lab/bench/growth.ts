import pg from 'pg';
import { integerFromEnv } from '../number-options.ts';
import { createTenants } from './support/api/tenants.ts';
import { openBench } from './support/bench.ts';
import { calibrate, median, percentile } from './support/figures.ts';
import { fillSettings } from './support/growth/fill.ts';
import { history } from './support/growth/history.ts';
import type { Reply, Send } from './support/growth/history-requests.ts';
import { objects } from './support/growth/objects.ts';
import {
  readPages,
  readStatements,
  resetStatements,
  type StatementCost,
} from './support/growth/statements.ts';
import { openOutbox } from './support/outbox.ts';
import { openAnotherBench } from './support/postgres/another-bench.ts';
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
 * The cost of requests and statements as history grows: one project with SIZES events, as many
 * ended deliveries and as many ended jobs over twelve weeks, or with SUBJECT=objects a library of
 * SIZES objects. Each size has its own database, API, relay and sender. Prints the times of
 * requests and the number of pages that Postgres read for each, then the same for each statement
 * per call.
 */
const sizes = (process.env.SIZES ?? '100000,1000000,10000000').split(',').map(Number);
const subject = process.env.SUBJECT === 'objects' ? objects : history;
const rounds = integerFromEnv('ROUNDS', 50);

/** The measurements for one size. */
interface Measurements {
  times: Map<string, number[]>;
  /** How many pages Postgres read for each request. */
  pages: Map<string, number>;
  statements: Map<string, StatementCost>;
}

buildPrograms();
const bench = await openBench({ counting: true, settings: fillSettings });
const receiver = await startReceiver(1);

async function measure(size: number, at: number): Promise<Measurements> {
  const arm = await openAnotherBench(bench, at + 1);
  const [tenant] = await createTenants(arm, 1, 1);
  if (!tenant) throw new Error('No project.');
  const { projectId } = tenant;
  const port = await freePort();
  const env = serverEnvironment(arm, port);
  const outbox = await openOutbox(arm, 2, env.SECRET_KEY);
  const [url] = receiver.origins;
  const endpointId = await outbox.addEndpoint(projectId, { url: `${url}/` });
  const client = new pg.Client({ connectionString: arm.benchSuperuserUrl });
  await client.connect();
  const start = performance.now();
  const target = { bench: arm, tenant, endpointId };
  try {
    await subject.fill(target, client, size);
  } catch (error) {
    // Otherwise the end of Postgres would be reported as an error.
    console.error(error);
    throw error;
  }
  const { rows } = await client.query<{ gigabytes: string }>(
    `SELECT round(pg_database_size(current_database()) / 1e9, 1) AS gigabytes`,
  );
  await client.end();
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  console.log(`${size}: ${rows[0]?.gigabytes} GB, filled in ${seconds} s`);

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
    const requests = await subject.requests(send, target, size);
    const times = new Map(Object.keys(requests).map((name) => [name, [] as number[]]));
    const run = async (name: string): Promise<void> => {
      const began = performance.now();
      await requests[name]?.();
      times.get(name)?.push(performance.now() - began);
    };
    for (const name of [...times.keys()]) {
      // Requests that take longer than the API allows are left out for this size.
      await run(name).catch((error: unknown) => {
        console.log(`${size}, ${name}: ${String(error).slice(0, 200)}`);
        times.delete(name);
      });
    }
    for (const durations of times.values()) durations.length = 0;
    await resetStatements(arm);
    for (let round = 0; round < rounds; round++) for (const name of times.keys()) await run(name);
    const statements = await readStatements(arm);
    const pages = new Map<string, number>();
    for (const name of times.keys()) {
      await resetStatements(arm);
      await run(name);
      pages.set(name, await readPages(arm));
    }
    return { times, pages, statements };
  } finally {
    await Promise.all([server.stop(), worker.stop()]);
    await outbox.close();
    await arm.close();
  }
}

const columns = (values: readonly string[]): string =>
  values.map((value) => value.padStart(24)).join('');

try {
  const measurements: Measurements[] = [];
  for (const [at, size] of sizes.entries()) measurements.push(await measure(size, at));
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  console.log(
    `\nRequests: median ms / p95 ms / pages${' '.repeat(12)}${columns(sizes.map(String))}`,
  );
  for (const name of measurements[0]?.times.keys() ?? []) {
    const cells = measurements.map(({ times, pages }) => {
      const durations = times.get(name);
      if (!durations) return 'failed';
      const ms = [median(durations), percentile(durations, 0.95)]
        .map((one) => one.toFixed(1))
        .join(' / ');
      return `${ms} / ${pages.get(name)}`;
    });
    console.log(name.padEnd(48) + columns(cells));
  }
  const smallest = measurements[0]?.statements ?? new Map<string, StatementCost>();
  const growth = (text: string): number => {
    const last = measurements.at(-1)?.statements.get(text)?.pages ?? 0;
    return last / Math.max(1, smallest.get(text)?.pages ?? 1);
  };
  const texts = [...new Set(measurements.flatMap(({ statements }) => [...statements.keys()]))].sort(
    (one, other) => growth(other) - growth(one),
  );
  console.log(`\nStatements, pages / ms per call${' '.repeat(17)}${columns(sizes.map(String))}`);
  for (const text of texts) {
    const cells = measurements.map(({ statements }) => {
      const cost = statements.get(text);
      return cost ? `${cost.pages.toFixed(0)} / ${cost.milliseconds.toFixed(2)}` : '-';
    });
    const label = process.env.WIDE ? text : text.slice(0, 46);
    console.log(label.padEnd(48) + columns(cells));
  }
} finally {
  await receiver.close();
  await bench.close();
}
