import type { OperationName } from '@scriptorium/contracts/operations';
import pg from 'pg';
import { load } from '../api/load.ts';
import type { Requests } from '../api/requests.ts';
import { makePrinted, makeScan, type Scan } from '../scans.ts';
import { openVariant, prepareBacklog } from '../webhooks/variant.ts';
import { pidsOf, type Stage, untilNone } from './stage.ts';
import { type Used, watch } from './watch.ts';

/** One measured turn. */
export interface Turn {
  operations: number;
  used: Used;
}

/** A kind of work on this many processes of its kind. */
export type RunTurn = (processes: number) => Promise<Turn>;

export const unnumbered = 'SELECT FROM event WHERE sequence IS NULL';
export const unsent = 'SELECT FROM due_delivery';
/** The pause between polls of jobs, which take seconds. */
export const slowMs = 200;
const unended = `SELECT FROM job WHERE state IN ('queued', 'running')`;

/** The processes that every turn watches. */
export function alwaysWatched({ ground, receiver, apis }: Stage) {
  return {
    client: [process.pid, receiver.pid],
    postgres: [ground.postgresPid],
    redis: [ground.redisPid],
    api: pidsOf(apis),
  };
}

/** Requests over 32 connections, distributed over this many API processes. */
export function requestTurn(
  stage: Stage,
  request: Requests,
  { seconds }: { seconds: number },
): RunTurn {
  return async (processes) => {
    const end = await watch(stage.ground, alwaysWatched(stage));
    const loads = await Promise.all(
      stage.apis
        .slice(0, processes)
        .map(({ port }) =>
          load({ port, connections: 32 / processes, seconds, status: 200, request }),
        ),
    );
    const used = await end();
    return { operations: loads.reduce((sum, { latencies }) => sum + latencies.length, 0), used };
  };
}

/** A backlog of events numbered by this many relays; with endpoints, a delivery is created for each. */
export async function relayTurn(
  stage: Stage,
  { events, endpoints }: { events: number; endpoints: boolean },
): Promise<RunTurn> {
  const { ground, outbox } = stage;
  const projects = await Promise.all(Array.from({ length: 32 }, () => ground.project()));
  for (const project of endpoints ? projects : []) {
    await outbox.addEndpoint(project, { url: 'http://127.0.0.1:9/', state: 'paused' });
  }
  const record = async (count: number) => {
    for (const project of projects) await outbox.recordMany(project, count / projects.length);
  };
  return async (processes) => {
    const relays = await stage.startWorkers(processes, 'relay');
    const lock = new pg.Client({ connectionString: ground.benchSuperuserUrl });
    await lock.connect();
    try {
      // The first events compile the code that numbers them.
      await record(events / 4);
      await untilNone(ground, unnumbered);
      await lock.query(`SELECT pg_advisory_lock(hashtext('number events'))`);
      await record(events);
      const end = await watch(ground, { ...alwaysWatched(stage), relay: pidsOf(relays) });
      await lock.query(`SELECT pg_advisory_unlock(hashtext('number events'))`);
      outbox.wake();
      await untilNone(ground, unnumbered);
      return { operations: events, used: await end() };
    } finally {
      await lock.end();
      await Promise.all(relays.map((relay) => relay.stop()));
      await ground.ask('TRUNCATE due_delivery');
    }
  };
}

/** A backlog for a hundred endpoints, sent by this many senders beside one relay. */
export async function sendTurn(stage: Stage, deliveries: number): Promise<RunTurn> {
  const { ground, outbox, receiver } = stage;
  const variant = await openVariant(stage, 4, 25);
  const set = (state: 'enabled' | 'paused') =>
    Promise.all(variant.projects.map(({ id, endpoints }) => outbox.setState(id, endpoints, state)));
  const send = async (count: number): Promise<void> => {
    const { all } = await receiver.expect(count);
    await set('enabled');
    await all;
    await untilNone(ground, unsent);
  };
  return async (processes) => {
    const relay = await stage.startWorkers(1, 'relay');
    await untilNone(ground, unnumbered);
    const senders = await stage.startWorkers(processes, 'webhooks');
    try {
      await prepareBacklog(stage, variant, deliveries / 4);
      await send(deliveries / 4);
      await set('paused');
      await prepareBacklog(stage, variant, deliveries);
      const watched = { relay: pidsOf(relay), webhooks: pidsOf(senders) };
      const end = await watch(ground, { ...alwaysWatched(stage), ...watched });
      await send(deliveries);
      return { operations: deliveries, used: await end() };
    } finally {
      await set('paused');
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
  if (kind !== 'ocr') return (await makePrinted(pages, seed++, heading)).pdf;
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
  { client }: Stage,
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
  { client, ground }: Stage,
  kind: PageKind,
  objects: readonly string[],
): Promise<void> {
  const operations = [{ op: pageOperations[kind] }];
  for (const id of objects) {
    await client.send('POST', '/documents/jobs', { source_object_id: id, operations });
  }
  await untilNone(ground, unended, slowMs);
  const [failed] = await ground.ask<{ id: string; error: unknown }>(
    `SELECT id, error FROM job WHERE state <> 'succeeded' LIMIT 1`,
  );
  if (failed) throw new Error(`${failed.id} failed: ${JSON.stringify(failed.error)}`);
}

/** Pages of new documents through jobs, by this many workers of the queue, and of `ocr` for their text. */
export function pageTurn(
  stage: Stage,
  kind: PageKind,
  { documents, pages }: { documents: number; pages: number },
): RunTurn {
  return async (processes) => {
    const relay = await stage.startWorkers(1, 'relay');
    await untilNone(stage.ground, unnumbered);
    const ocr = await stage.startWorkers(processes, 'ocr');
    const own = kind === 'ocr' ? [] : await stage.startWorkers(processes, kind);
    try {
      await runJobs(stage, kind, await uploadDocuments(stage, kind, 2 * processes, 1));
      const objects = await uploadDocuments(stage, kind, documents, pages);
      const watched = { relay: pidsOf(relay), ocr: pidsOf(ocr) };
      const its = kind === 'ocr' ? {} : { [kind]: pidsOf(own) };
      const all = { ...alwaysWatched(stage), ...watched, ...its };
      const end = await watch(stage.ground, all, slowMs);
      await runJobs(stage, kind, objects);
      await untilNone(stage.ground, unnumbered);
      return { operations: documents * pages, used: await end() };
    } finally {
      await Promise.all([...relay, ...ocr, ...own].map((one) => one.stop()));
    }
  };
}
