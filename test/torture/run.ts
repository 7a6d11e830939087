import { eventually } from '../support/eventually.ts';
import { pickFrom } from '../support/random.ts';
import { runChecks, type Violation } from './check/index.ts';
import { type Client, createClient, isUnanswered } from './client.ts';
import { deeds } from './deeds/index.ts';
import { subscribeTo } from './deeds/webhooks.ts';
import { createStriking, type Striking } from './faults.ts';
import { Ledger } from './ledger.ts';
import type { Plan } from './plan.ts';
import { followAsConsumer, followFeed, type Reader } from './readers.ts';
import { openWorld, type World } from './world.ts';

/** What came of a run. */
export interface Outcome {
  violations: Violation[];
  /** Logical requests, and attempts over the wire. */
  requests: number;
  attempts: number;
  events: number;
  deliveries: number;
  faults: Striking['counts'];
  seconds: number;
  /** The logs of the programs, if something was wrong. */
  logs: string;
}

/** How long everything has to come to rest once nothing is broken any more. */
const usualQuietMs = 150_000;

/** Runs a plan on a system of its own, heals everything, waits until all is quiet, and checks. */
export async function runPlan(plan: Plan, quietMs = usualQuietMs): Promise<Outcome> {
  const started = Date.now();
  const world = await openWorld();
  try {
    return await torture(plan, world, started, quietMs);
  } finally {
    await world.close();
  }
}

async function torture(
  plan: Plan,
  world: World,
  started: number,
  quietMs: number,
): Promise<Outcome> {
  const ledger = new Ledger(plan.seed);
  const over = new AbortController();
  const clients = world.projects.flatMap((project) =>
    Array.from({ length: plan.clients }, (_, at) => at)
      .filter((at) => world.projects[at % world.projects.length] === project)
      .map((at) =>
        createClient(at, project, ledger, {
          url: world.url,
          patienceMs: quietMs,
          over: over.signal,
        }),
      ),
  );
  const byNumber = new Map(clients.map((client) => [client.number, client]));
  for (const project of world.projects) {
    const client = clients.find((one) => one.project === project);
    if (client) await subscribeTo({ client }, ['*'], originOf(world));
  }
  const readers = startReaders(world);
  const striking = createStriking(world);
  await play(plan, world, { byNumber, ledger, striking });
  await striking.heal();
  const violations: Violation[] = [];
  const left = await untilQuiet(world, readers, quietMs);
  for (const what of left) violations.push({ check: 'quiet', what });
  over.abort();
  await Promise.all(readers.map((reader) => reader.stop()));
  const isDisturbed = Object.keys(striking.counts).length > 0;
  violations.push(...(await runChecks({ world, ledger, readers, isDisturbed })));
  for (const what of ledger.violations) violations.push({ check: 'answers', what });
  for (const what of striking.errors) violations.push({ check: 'programs', what });
  for (const what of world.programs.flatMap(({ deaths }) => deaths)) {
    violations.push({ check: 'programs', what });
  }
  const [counted] = await world.rows<{ events: number }>('SELECT count(*) AS events FROM event');
  return {
    violations,
    requests: ledger.entries.length,
    attempts: ledger.entries.reduce((sum, { attempts }) => sum + attempts, 0),
    events: Number(counted!.events),
    deliveries: world.receiver.requests.length,
    faults: striking.counts,
    seconds: (Date.now() - started) / 1_000,
    logs:
      violations.length > 0
        ? world.programs.map(({ name, log }) => `--- ${name}\n${log()}`).join('\n')
        : '',
  };
}

const originOf = (world: World) => new URL(world.receiver.url).origin;

function startReaders(world: World): Reader[] {
  const [north, south] = world.projects;
  return [
    followFeed(world.url, north!, 'domain'),
    followFeed(world.url, north!, 'audit'),
    followFeed(world.url, south!, 'domain'),
    followAsConsumer(world.url, north!, 'mirror', false),
    followAsConsumer(world.url, north!, 'index', true),
  ];
}

/** Steps in order: each client has one request at a time, and clients do not wait for each other. */
async function play(
  plan: Plan,
  world: World,
  {
    byNumber,
    ledger,
    striking,
  }: { byNumber: Map<number, Client>; ledger: Ledger; striking: Striking },
): Promise<void> {
  const inHand = new Map<number, Promise<void>>();
  for (const step of plan.steps) {
    const pick = pickFrom(step.dice);
    if (step.kind === 'fault') {
      striking.strike(step.fault, pick);
      continue;
    }
    const client = byNumber.get(step.client);
    if (!client) continue;
    await inHand.get(step.client);
    const foreign = {
      objects: () =>
        [...ledger.objects.values()]
          .filter(({ project, state }) => project !== client.project.id && state !== 'purged')
          .map(({ id }) => id),
    };
    const deed = deeds[step.deed]({ client, pick, receiver: originOf(world), foreign }).catch(
      (error: unknown) => {
        if (!isUnanswered(error)) ledger.violations.push(`${step.deed} failed: ${String(error)}`);
      },
    );
    inHand.set(step.client, deed);
  }
  await striking.heal();
  await Promise.all(inHand.values());
}

/** Waits until nothing is due, everything is numbered and sent, and the readers have it all. */
async function untilQuiet(
  world: World,
  readers: readonly Reader[],
  quietMs: number,
): Promise<string[]> {
  let left: string[] = [];
  try {
    await eventually(async () => {
      left = await restless(world, readers);
      return left.length === 0;
    }, quietMs);
  } catch (error) {
    return left.length > 0 ? left : [String(error)];
  }
  return [];
}

async function restless(world: World, readers: readonly Reader[]): Promise<string[]> {
  const rows = await world.rows<{ what: string }>(
    `SELECT 'task ' || kind || ' ' || state || ' ' || coalesce(last_error, '') AS what FROM task
       WHERE state <> 'pending' OR due_at < now() + interval '10 minutes'
     UNION ALL SELECT 'an event without sequence: ' || type FROM event WHERE sequence IS NULL
     UNION ALL SELECT 'an event to be fanned out: ' || type FROM event WHERE sequence IS NOT NULL AND fanned_out_at IS NULL
     UNION ALL SELECT 'a delivery is due: ' || endpoint_id || ' at ' || due_at || ', failures ' || failures FROM due_delivery
     UNION ALL SELECT 'a job is ' || state FROM job WHERE finished_at IS NULL`,
  );
  const ends = await world.rows<{ project_id: string; category: string; last: number }>(
    'SELECT project_id, category, last FROM sequence_counter',
  );
  const behind = readers.flatMap((reader) => {
    const end = ends.find(
      (row) => row.project_id === reader.project && row.category === reader.category,
    );
    return end && reader.latest() < end.last
      ? [`${reader.name} is at ${reader.latest()} of ${end.last}`]
      : [];
  });
  return [...rows.map(({ what }) => what), ...behind];
}
