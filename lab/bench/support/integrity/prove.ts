import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createProject } from '../../../../src/access/projects.ts';
import { openDatabase } from '../../../../src/db/database.ts';
import { inTransaction } from '../../../../src/db/transaction.ts';
import { createRandom } from '../library/seed.ts';
import { type Chaos, type KillableProcess, startChaos } from './chaos.ts';
import { Ledger } from './ledger.ts';
import { type ObservedProject, readFeed, receiveWebhooks } from './observers.ts';
import { runWriters } from './writers.ts';

/** The processes of a service, and how relays are started. */
export interface ServiceUnderTest {
  /** The API and a webhook worker. Cutting connections must not end them. */
  processes: KillableProcess[];
  /** The URL of the API. */
  url: string;
  /** URLs of the service's database: for the API's role, and for a superuser. */
  databaseUrl: string;
  superuserUrl: string;
  startRelay(): KillableProcess;
}

export interface Proof {
  committed: number;
  /** Seconds until the last commit, and until both observers had seen all events. */
  secondsToWrite: number;
  secondsToObserve: number;
  cuts: number;
  kills: number;
  /** Events of transactions whose commit was not confirmed. */
  unknown: number;
  rejected: number;
  /** Webhooks received more than once, except those that were rejected. */
  duplicates: number;
  /** The faults; empty if integrity holds. */
  faults: string[];
}

const projectCount = 2;
const relayCount = 2;
/** Events that are missing after this time without progress count as lost. */
const stallTimeoutMs = 120_000;

/**
 * Writes events with many concurrent writers while connections are cut and relays killed, reads
 * them by cursor, receives them as webhooks, and returns the faults.
 */
export async function proveIntegrity(
  service: ServiceUnderTest,
  options: {
    events: number;
    writers: number;
    /** Events read and received between two faults, on average. */
    eventsPerFault: number;
    seed: number;
    log?: (line: string) => void;
  },
): Promise<Proof> {
  const random = createRandom(options.seed);
  const ledger = new Ledger(Math.ceil(options.events * 1.3) + 2_000, projectCount);
  const projects = await makeProjects(service.superuserUrl);
  const ids = projects.map(({ id }) => id);
  const receiver = await receiveWebhooks(projects, ledger, random);
  const database = await openDatabase(service.databaseUrl, { poolSize: options.writers });
  const superuser = new pg.Client({ connectionString: service.superuserUrl });
  const stop = new AbortController();
  const exitFaults: string[] = [];
  for (const program of service.processes) {
    void program.exited.then(() => exitFaults.push('a process exited that was not killed'));
  }
  let chaos: Chaos | undefined;
  const progressTimer = setInterval(() => {
    const { feed, webhooks } = ledger.observations;
    options.log?.(`${ledger.committed} committed, ${feed.count} read, ${webhooks.count} received`);
  }, 10_000);
  try {
    await superuser.connect();
    for (const project of projects) await addEndpoint(service.url, project, receiver);
    const feeds = projects.map((_, at) => readFeed(service.url, projects, at, ledger, stop.signal));
    chaos = await startChaos({
      databaseUrl: service.superuserUrl,
      startRelay: service.startRelay,
      relays: relayCount,
      // Progress is measured by the feed while writing and by the webhooks afterwards, so faults
      // affect both.
      progress: () => (ledger.observations.feed.count + ledger.observations.webhooks.count) / 2,
      progressPerFault: options.eventsPerFault,
      random,
    });
    const start = performance.now();
    const faultsBegun = beginWhenSeen(ledger, chaos, stop.signal);
    await runWriters({ ...options, database, projects: ids, ledger, random });
    await faultsBegun;
    const written = (performance.now() - start) / 1_000;
    const unknown = await settleUnknown(superuser, ids, ledger);
    // Faults affect the remaining deliveries too, which shows that everything recovers.
    await untilSeen(ledger, 0.9);
    await chaos.finish();
    await untilSeen(ledger, 1);
    const seen = (performance.now() - start) / 1_000;
    stop.abort();
    await Promise.all(feeds);
    return {
      committed: ledger.committed,
      secondsToWrite: written,
      secondsToObserve: seen,
      cuts: chaos.cuts,
      kills: chaos.kills,
      unknown,
      rejected: receiver.rejected(),
      duplicates: ledger.observations.webhooks.duplicates,
      faults: [...exitFaults, ...ledger.faults(), ...(await checkTable(superuser, ids, ledger))],
    };
  } finally {
    clearInterval(progressTimer);
    stop.abort();
    await chaos?.close();
    receiver.close();
    await superuser.end();
    await database.destroy();
  }
}

async function makeProjects(superuserUrl: string): Promise<ObservedProject[]> {
  const owner = await openDatabase(superuserUrl, { poolSize: 1 });
  const projects: ObservedProject[] = [];
  for (let at = 0; at < projectCount; at++) {
    const { projectId, secret } = await inTransaction(owner, (tx) => createProject(tx, 'proof'));
    projects.push({ id: projectId, key: secret });
  }
  await owner.destroy();
  return projects;
}

async function addEndpoint(
  url: string,
  { id, key }: ObservedProject,
  receiver: { url: string; secret: string },
): Promise<void> {
  const response = await fetch(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'X-Service-Project-ID': id,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      url: receiver.url,
      secret: receiver.secret,
      event_types: ['documents.*'],
      max_in_flight: 100,
    }),
  });
  if (response.status !== 201) throw new Error(`No webhook: ${await response.text()}`);
}

/** Reads from the table the outcome of transactions whose commit was not confirmed. */
async function settleUnknown(
  superuser: pg.Client,
  projects: readonly string[],
  ledger: Ledger,
): Promise<number> {
  const unknownEvents = ledger.unknown();
  const { rows } = await superuser.query<{ event: number }>(
    `SELECT (data ->> 'pages_total')::integer AS event FROM event
     WHERE project_id = ANY($1) AND category = 'domain'
       AND (data ->> 'pages_total')::integer = ANY($2)`,
    [projects, unknownEvents],
  );
  const committedEvents = new Set(rows.map(({ event }) => event));
  for (const event of unknownEvents)
    ledger.settle(event, committedEvents.has(event) ? 'committed' : 'rolled_back');
  return unknownEvents.length;
}

/** Starts the faults once everything runs: faults at the start would prove little. */
async function beginWhenSeen(ledger: Ledger, chaos: Chaos, stop: AbortSignal): Promise<void> {
  const end = performance.now() + stallTimeoutMs;
  while (seenByBoth(ledger) === 0 && performance.now() < end) {
    if (stop.aborted) return;
    await delay(50);
  }
  chaos.begin();
}

/**
 * Waits until both observers have seen this share of the committed events, or nothing new arrives.
 */
async function untilSeen(ledger: Ledger, share: number): Promise<void> {
  const { feed, webhooks } = ledger.observations;
  let previousCount = -1;
  let lastProgressAt = performance.now();
  while (seenByBoth(ledger) < share * ledger.committed) {
    const now = feed.count + webhooks.count;
    if (now !== previousCount) lastProgressAt = performance.now();
    previousCount = now;
    if (performance.now() - lastProgressAt > stallTimeoutMs) return;
    await delay(50);
  }
}

function seenByBoth({ observations: { feed, webhooks } }: Ledger): number {
  return Math.min(feed.count, webhooks.count);
}

/** Checks the table: it must contain the committed events, all with a sequence. */
async function checkTable(
  superuser: pg.Client,
  projects: readonly string[],
  ledger: Ledger,
): Promise<string[]> {
  const { rows } = await superuser.query<{ events: number; numbered: number }>(
    `SELECT count(*)::integer AS events, count(sequence)::integer AS numbered FROM event
     WHERE project_id = ANY($1) AND category = 'domain'`,
    [projects],
  );
  const { events, numbered } = rows[0]!;
  const faults: string[] = [];
  if (events !== ledger.committed) {
    faults.push(`table: ${events} events, and ${ledger.committed} were committed`);
  }
  if (numbered !== events) faults.push(`table: ${numbered} of ${events} have a sequence`);
  return faults;
}
