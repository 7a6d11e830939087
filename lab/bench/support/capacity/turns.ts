import type { OperationName } from '@scriptorium/contracts/operations';
import pg from 'pg';
import { runLoad } from '../api/load.ts';
import type { NextRequest } from '../api/requests.ts';
import { makeScan, makeTextPages, type Scan } from '../scans.ts';
import { openVariant, prepareBacklog } from '../webhooks/variant.ts';
import { pidsOf, type TestBed, untilEmpty } from './test-bed.ts';
import { type TurnUsage, watch } from './watch.ts';

/** One measured turn. */
export interface Turn {
  operations: number;
  used: TurnUsage;
}

/** A kind of work on this many processes of its kind. */
export type RunTurn = (processes: number) => Promise<Turn>;

export const unnumberedEvents = 'SELECT FROM event WHERE sequence IS NULL';
export const unsentDeliveries = 'SELECT FROM due_delivery';
/** The pause between polls of jobs, which take seconds. */
export const jobPollMs = 200;
const unendedJobs = `SELECT FROM job WHERE state IN ('queued', 'running')`;

/** The processes that every turn watches. */
export function commonProcesses({ bench, receiver, apis }: TestBed) {
  return {
    client: [process.pid, receiver.pid],
    postgres: [bench.postgresPid],
    redis: [bench.redisPid],
    api: pidsOf(apis),
  };
}

/** Requests over 32 connections, distributed over this many API processes. */
export function requestTurn(
  testBed: TestBed,
  request: NextRequest,
  { seconds }: { seconds: number },
): RunTurn {
  return async (processes) => {
    const stopWatching = await watch(testBed.bench, commonProcesses(testBed));
    const loads = await Promise.all(
      testBed.apis
        .slice(0, processes)
        .map(({ port }) =>
          runLoad({ port, connections: 32 / processes, seconds, status: 200, request }),
        ),
    );
    const used = await stopWatching();
    return { operations: loads.reduce((sum, { latencies }) => sum + latencies.length, 0), used };
  };
}

/** A backlog of events numbered by this many relays; with endpoints, a delivery is created for each. */
export async function relayTurn(
  testBed: TestBed,
  { events, endpoints }: { events: number; endpoints: boolean },
): Promise<RunTurn> {
  const { bench, outbox } = testBed;
  const projects = await Promise.all(Array.from({ length: 32 }, () => bench.createProject()));
  for (const project of endpoints ? projects : []) {
    await outbox.addEndpoint(project, { url: 'http://127.0.0.1:9/', state: 'paused' });
  }
  const record = async (count: number) => {
    for (const project of projects) await outbox.recordMany(project, count / projects.length);
  };
  return async (processes) => {
    const relays = await testBed.startWorkers(processes, 'relay');
    const lock = new pg.Client({ connectionString: bench.benchSuperuserUrl });
    await lock.connect();
    try {
      // The first events compile the code that numbers them.
      await record(events / 4);
      await untilEmpty(bench, unnumberedEvents);
      await lock.query(`SELECT pg_advisory_lock(hashtext('number events'))`);
      await record(events);
      const stopWatching = await watch(bench, {
        ...commonProcesses(testBed),
        relay: pidsOf(relays),
      });
      await lock.query(`SELECT pg_advisory_unlock(hashtext('number events'))`);
      outbox.wake();
      await untilEmpty(bench, unnumberedEvents);
      return { operations: events, used: await stopWatching() };
    } finally {
      await lock.end();
      await Promise.all(relays.map((relay) => relay.stop()));
      await bench.query('TRUNCATE due_delivery');
    }
  };
}

/** A backlog for a hundred endpoints, sent by this many senders beside one relay. */
export async function sendTurn(testBed: TestBed, deliveries: number): Promise<RunTurn> {
  const { bench, outbox, receiver } = testBed;
  const variant = await openVariant(testBed, 4, 25);
  const setEndpoints = (state: 'enabled' | 'paused') =>
    Promise.all(variant.projects.map(({ id, endpoints }) => outbox.setState(id, endpoints, state)));
  const send = async (count: number): Promise<void> => {
    const { all } = await receiver.expect(count);
    await setEndpoints('enabled');
    await all;
    await untilEmpty(bench, unsentDeliveries);
  };
  return async (processes) => {
    const relay = await testBed.startWorkers(1, 'relay');
    await untilEmpty(bench, unnumberedEvents);
    const senders = await testBed.startWorkers(processes, 'webhooks');
    try {
      await prepareBacklog(testBed, variant, deliveries / 4);
      await send(deliveries / 4);
      await setEndpoints('paused');
      await prepareBacklog(testBed, variant, deliveries);
      const watched = { relay: pidsOf(relay), webhooks: pidsOf(senders) };
      const stopWatching = await watch(bench, { ...commonProcesses(testBed), ...watched });
      await send(deliveries);
      return { operations: deliveries, used: await stopWatching() };
    } finally {
      await setEndpoints('paused');
      await Promise.all([...relay, ...senders].map((one) => one.stop()));
    }
  };
}

/** Personal data on pages with text, so that redaction has something to remove. */
const heading =
  'Dr. Anna Keller, anna.keller@example.org, +49 30 901820, DE89 3704 0044 0532 0130 00';
let seed = 1;
/** Scans by number of pages: making one costs as much as recognising it. */
const scans = new Map<number, Promise<Scan>>();

async function makeDocument(kind: PageKind, pages: number): Promise<Buffer> {
  if (kind !== 'ocr') return (await makeTextPages(pages, seed++, heading)).pdf;
  const scan = scans.get(pages) ?? makeScan(pages, seed);
  scans.set(pages, scan);
  // A different file with the same pages.
  return Buffer.concat([(await scan).pdf, Buffer.from(`\n% ${seed++}\n`)]);
}

export const pageOperations = {
  ocr: 'ocr',
  normalize: 'normalize_for_llm',
  redact: 'redact_pii',
  classify: 'classify',
} as const satisfies Record<string, OperationName>;
export type PageKind = keyof typeof pageOperations;

/** Uploads new documents of this many pages each. */
export async function uploadDocuments(
  { client }: TestBed,
  kind: PageKind,
  documents: number,
  pages: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < documents; at++) {
    ids.push((await client.upload(await makeDocument(kind, pages), `${seed}.pdf`)).id);
  }
  return ids;
}

/** Runs a job for each, until all have ended. */
export async function runJobs(
  { client, bench }: TestBed,
  kind: PageKind,
  objects: readonly string[],
): Promise<void> {
  const operations = [{ op: pageOperations[kind] }];
  for (const id of objects) {
    await client.send('POST', '/documents/jobs', { source_object_id: id, operations });
  }
  await untilEmpty(bench, unendedJobs, jobPollMs);
  const [failed] = await bench.query<{ id: string; error: unknown }>(
    `SELECT id, error FROM job WHERE state <> 'succeeded' LIMIT 1`,
  );
  if (failed) throw new Error(`${failed.id} failed: ${JSON.stringify(failed.error)}`);
}

/** Pages of new documents through jobs, by this many workers of the queue, and of `ocr` for their text. */
export function pageTurn(
  testBed: TestBed,
  kind: PageKind,
  { documents, pages }: { documents: number; pages: number },
): RunTurn {
  return async (processes) => {
    const relay = await testBed.startWorkers(1, 'relay');
    await untilEmpty(testBed.bench, unnumberedEvents);
    const ocr = await testBed.startWorkers(processes, 'ocr');
    const workers = kind === 'ocr' ? [] : await testBed.startWorkers(processes, kind);
    try {
      await runJobs(testBed, kind, await uploadDocuments(testBed, kind, 2 * processes, 1));
      const objects = await uploadDocuments(testBed, kind, documents, pages);
      const watched = { relay: pidsOf(relay), ocr: pidsOf(ocr) };
      const ownProcesses = kind === 'ocr' ? {} : { [kind]: pidsOf(workers) };
      const all = { ...commonProcesses(testBed), ...watched, ...ownProcesses };
      const stopWatching = await watch(testBed.bench, all, jobPollMs);
      await runJobs(testBed, kind, objects);
      await untilEmpty(testBed.bench, unnumberedEvents);
      return { operations: documents * pages, used: await stopWatching() };
    } finally {
      await Promise.all([...relay, ...ocr, ...workers].map((one) => one.stop()));
    }
  };
}
