import { setTimeout as delay } from 'node:timers/promises';
import { createPick } from '../../test/support/random.ts';
import { foreignResources } from './actions/action.ts';
import { type ActionName, actions } from './actions/index.ts';
import { subscribeTo } from './actions/webhooks.ts';
import { runChecks, type Violation } from './check/index.ts';
import { type Client, createClient, isRequestUndecided } from './client.ts';
import { createFaultInjector, type FaultCounts, type FaultInjector } from './fault-injector.ts';
import { Ledger } from './ledger.ts';
import type { Plan } from './plan.ts';
import { untilQuiet } from './quiet.ts';
import { startReaders } from './readers.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

/** The outcome of a run. */
export interface Outcome {
  violations: Violation[];
  /** Logical requests, and attempts sent. */
  requests: number;
  attempts: number;
  events: number;
  deliveries: number;
  /** Begun, and planned. */
  begun: FaultCounts;
  planned: FaultCounts;
  seconds: number;
  /** Where they went. */
  phases: Record<Phase, number>;
  /** The logs of the programs, if there were violations. */
  logs: string;
}

type Phase = 'opening' | 'play' | 'quiet' | 'checks';

export interface RunOptions extends WorldOptions {
  /** The time limit for becoming quiet once all faults are over. */
  quietMs: number;
  /** The time limit without any change meanwhile. */
  stillMs: number;
}

/** Lost hints are searched for after 30 s, every 10 s, and a lease lasts 15 s. */
export const defaultOptions: RunOptions = {
  size: 'all',
  postgres: 'own',
  quietMs: 150_000,
  stillMs: 75_000,
};

/**
 * Runs a plan on a separate system, ends all faults, waits until everything is quiet, and checks.
 */
export async function runPlan(plan: Plan, options: Partial<RunOptions> = {}): Promise<Outcome> {
  const requests = plan.steps.filter(({ kind }) => kind === 'request').length;
  // Each leaves some files of a few blocks.
  const storageMebibytes = 32 + Math.ceil(requests / 10);
  const fullOptions = { storageMebibytes, ...defaultOptions, ...options };
  const started = Date.now();
  const world = await openWorld(fullOptions);
  try {
    return await runInWorld(plan, world, started, fullOptions);
  } finally {
    await world.close();
  }
}

async function runInWorld(
  plan: Plan,
  world: World,
  started: number,
  options: RunOptions,
): Promise<Outcome> {
  const phases: Outcome['phases'] = { opening: 0, play: 0, quiet: 0, checks: 0 };
  let phaseFrom = started;
  const endPhase = (name: Phase): void => {
    phases[name] = (Date.now() - phaseFrom) / 1_000;
    phaseFrom = Date.now();
  };
  const ledger = new Ledger(plan.seed);
  const aborted = new AbortController();
  const clients = Array.from({ length: plan.clients }, (_, at) =>
    createClient(at, world.projects[at % world.projects.length]!, ledger, {
      urls: world.urls,
      recoveryMs: options.quietMs,
      abortSignal: aborted.signal,
    }),
  );
  for (const project of world.projects) {
    const client = clients.find((one) => one.project === project);
    if (client) await subscribeTo({ client }, ['*'], originOf(world));
  }
  const readers = startReaders(world.urls, world.projects);
  const injector = createFaultInjector(world);
  endPhase('opening');
  await playSteps(plan, world, { clients, ledger, striking: injector });
  endPhase('play');
  const violations: Violation[] = [];
  const pending = await untilQuiet(world, readers, options);
  for (const what of pending) violations.push({ check: 'quiet', what });
  aborted.abort();
  await Promise.all(readers.map((reader) => reader.stop()));
  endPhase('quiet');
  const servers = world.programs.filter((program) => !world.workers.includes(program));
  const downloadsSince = Math.max(...servers.map((server) => server.killedAt()));
  violations.push(...(await runChecks({ world, ledger, readers, downloadsSince })));
  const readerViolations = readers.flatMap((reader) =>
    reader.violations.map((what) => `${reader.name}: ${what}`),
  );
  for (const what of [...ledger.violations, ...readerViolations])
    violations.push({ check: 'answers', what });
  for (const what of injector.errors) violations.push({ check: 'programs', what });
  for (const what of world.programs.flatMap(({ unexpectedExits: deaths }) => deaths)) {
    violations.push({ check: 'programs', what });
  }
  endPhase('checks');
  const [countRow] = await world.rows<{ events: number }>('SELECT count(*) AS events FROM event');
  return {
    violations,
    requests: ledger.entries.length,
    attempts: ledger.entries.reduce((sum, { attempts }) => sum + attempts, 0),
    events: Number(countRow!.events),
    deliveries: world.receiver.requests.length,
    begun: injector.counts,
    planned: countPlanned(plan),
    seconds: (Date.now() - started) / 1_000,
    phases,
    logs:
      violations.length > 0
        ? world.programs.map(({ name, log }) => `--- ${name}\n${log()}`).join('\n')
        : '',
  };
}

function countPlanned({ steps }: Plan): FaultCounts {
  const counts: FaultCounts = {};
  for (const step of steps)
    if (step.kind === 'fault') counts[step.fault] = (counts[step.fault] ?? 0) + 1;
  return counts;
}

const originOf = (world: World) => new URL(world.receiver.url).origin;

/**
 * How many requests may wait for their client, so that a client in trouble does not delay the
 * others.
 */
const maxWaiting = 4;

/** Steps in order: each client has one request at a time, and clients do not wait for each other. */
async function playSteps(
  plan: Plan,
  world: World,
  {
    clients,
    ledger,
    striking: injector,
  }: { clients: Client[]; ledger: Ledger; striking: FaultInjector },
): Promise<void> {
  const queues = clients.map((client) => ({ client, last: Promise.resolve(), waiting: 0 }));
  for (const step of plan.steps) {
    const pick = createPick(step.dice);
    if (step.kind === 'fault') {
      await injector.inject(step.fault, pick);
      continue;
    }
    const queue = queues[step.client];
    if (!queue) continue;
    while (queue.waiting >= maxWaiting) await delay(20);
    queue.waiting += 1;
    queue.last = queue.last.then(async () => {
      await perform(step.deed, queue.client, pick, { world, ledger });
      queue.waiting -= 1;
    });
  }
  await injector.endAll();
  await Promise.all(queues.map(({ last }) => last));
}

async function perform(
  name: ActionName,
  client: Client,
  pick: (below: number) => number,
  { world, ledger }: { world: World; ledger: Ledger },
): Promise<void> {
  try {
    await actions[name]({
      client,
      pick,
      receiver: originOf(world),
      foreign: foreignResources(client),
    });
  } catch (error) {
    if (!isRequestUndecided(error)) ledger.violations.push(`${name} failed: ${String(error)}`);
  }
}
