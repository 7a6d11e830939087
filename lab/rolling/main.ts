import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { FleetProcess } from '../../test/support/fleet.ts';
import { mochaHooks } from '../../test/support/services.ts';
import { readInteger, readNumber } from '../number-options.ts';
import { runChecks } from '../torture/check/index.ts';
import { untilQuiet } from '../torture/quiet.ts';
import { startReaders } from '../torture/readers.ts';
import { type BulkData, loadBulkData } from './bulk-data.ts';
import { type Load, startLoad } from './load.ts';
import { buildCheckout, buildRelease, lastRelease, type Release } from './release.ts';
import { openSystem, type System } from './system.ts';
import { readWaits } from './waits.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** How long each combination of versions runs, in seconds. */
    hold: { type: 'string', default: '10' },
    clients: { type: 'string', default: '6' },
    /** The mean pause of a client between requests, in milliseconds. */
    pause: { type: 'string', default: '80' },
    /** Objects, events and jobs in another project before the migration. */
    rows: { type: 'string', default: '0' },
    /** How often every process is replaced: forward, back, forward again. */
    rolls: { type: 'string', default: '3' },
    /** SHUTDOWN_DELAY_SECONDS: a value below the balancer's detection time shows its purpose. */
    delay: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
  },
});
const holdMs = readNumber('--hold', values.hold) * 1_000;
const seed = readInteger('--seed', values.seed, 0);
const clients = readInteger('--clients', values.clients);
const pauseMs = readNumber('--pause', values.pause);
const rows = readInteger('--rows', values.rows, 0);
const rollCount = readInteger('--rolls', values.rolls);
const shutdownDelaySeconds = readNumber('--delay', values.delay);
const quietMs = 150_000;

/** The processes of a release, in the order in which they are replaced: two of each. */
const workers = [
  'relay,webhooks',
  'relay,webhooks,maintenance,imaging',
  'normalize,classify',
  'normalize,classify,ocr,redact',
] as const;

interface Fleet {
  workers: FleetProcess[];
  apis: FleetProcess[];
}

async function startFleet(system: System, release: Release): Promise<Fleet> {
  const fleet: Fleet = { workers: [], apis: [] };
  for (const queues of workers) fleet.workers.push(await system.startWorker(release, queues));
  for (let at = 0; at < 2; at += 1) fleet.apis.push(await system.startApi(release));
  return fleet;
}

/**
 * Replaces every process, one after the other: relays, other workers, API. Pauses half way for a
 * while.
 */
async function replaceProcesses(
  system: System,
  fleet: Fleet,
  release: Release,
  onHalfway: () => Promise<void>,
): Promise<void> {
  for (const half of [0, 1]) {
    for (const at of [half, half + 2]) {
      const old = fleet.workers[at]!;
      fleet.workers[at] = await system.startWorker(release, workers[at]!);
      await system.retire(old);
    }
    const old = fleet.apis[half]!;
    fleet.apis[half] = await system.startApi(release);
    await system.retire(old);
    if (half === 0) await onHalfway();
  }
}

/** Processes that exited unexpectedly; retiring one fails if it has. */
const unexpectedExitsIn = ({ workers: some, apis }: Fleet): string[] =>
  [...some, ...apis]
    .filter((member) => member.hasDied())
    .map(({ name, log }) => `programs: ${name} ended: ${log().slice(-2_000)}`);

function logProgress(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

/** Whether a migration has this name without the time at its end. */
const isNamed = (migration: string, name: string): boolean =>
  migration.replace(/\d{13}$/, '') === name;

/** Counts and latencies of the requests since the last phase, and the phases without any. */
function createPhaseReport(load: Load): { phase: (name: string) => void; idlePhases: string[] } {
  let from = 0;
  let failureCount = 0;
  const idle: string[] = [];
  const phase = (name: string): void => {
    const entries = load.ledger.entries.slice(from).filter(({ answeredAt }) => answeredAt !== null);
    from = load.ledger.entries.length;
    const times = entries.map((entry) => entry.answeredAt! - entry.sentAt).sort((a, b) => a - b);
    const at = (part: number) => times[Math.floor(part * (times.length - 1))] ?? 0;
    const failed = load.ledger.failedAttempts.slice(failureCount);
    failureCount = load.ledger.failedAttempts.length;
    logProgress(
      `${name}: ${entries.length} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms, ${failed.length} failed`,
    );
    if (entries.length === 0) idle.push(name);
    for (const what of failed.slice(0, 10)) console.log(`    ${what}`);
  };
  return { phase, idlePhases: idle };
}

/** @param newMigrations the migrations that only the later release has */
async function runUpgrade(
  before: Release,
  after: Release,
  newMigrations: string[],
): Promise<string[]> {
  const system = await openSystem(before, {
    SHUTDOWN_DELAY_SECONDS: String(shutdownDelaySeconds),
  });
  try {
    const fleet = await startFleet(system, before);
    let bulkData: BulkData | null = null;
    if (rows > 0) bulkData = await loadBulkData(system, before, rows);
    const load = await startLoad(system, { seed, clients, pauseMs });
    const readers = startReaders([system.url], system.projects);
    const { phase, idlePhases: idle } = createPhaseReport(load);
    await delay(holdMs);
    phase(`${before.name} alone`);
    const began = Date.now();
    await system.admin(after, 'migrate');
    phase('during the migration');
    await delay(holdMs);
    phase(`${before.name} on the new schema`);
    const mixed = async (name: string) => {
      await delay(holdMs);
      phase(name);
    };
    const rolls = [
      [after, 'forward'],
      [before, 'back'],
      [after, 'forward again'],
    ] as const;
    for (const [release, name] of rolls.slice(0, rollCount)) {
      await replaceProcesses(system, fleet, release, () => mixed(`${name}, half way`));
      await mixed(`${name}, all ${release.name}`);
    }
    await load.stop();
    const pending = await untilQuiet(system, readers, { quietMs, stillMs: quietMs });
    await Promise.all(readers.map((reader) => reader.stop()));
    await bulkData?.remove();
    const { ledger } = load;
    const violations = await runChecks({ world: system, ledger, readers, downloadsSince: 0 });
    const migrations = await readWaits(system.dataDir, { began });
    const missingMigrations = newMigrations.filter(
      (each) => !migrations.some(({ name }) => isNamed(each, name)),
    );
    console.log('\nMigration | Took | Waits | Longest wait of another process');
    for (const { name, durationMs: took, waitCount: waits, longestWaitMs: longest } of migrations) {
      const wait = longest === 0 ? '< 20 ms' : `${longest.toFixed(0)} ms`;
      console.log(`${name} | ${took} ms | ${waits} | ${wait}`);
    }
    const [counted] = await system.rows<{ events: number }>('SELECT count(*) AS events FROM event');
    console.log(
      `\n${ledger.entries.length} requests, ${counted!.events} events, ${system.receiver.requests.length} deliveries`,
    );
    return [
      ...missingMigrations.map((name) => `log: ${name} has not run`),
      ...idle.map((name) => `load: no request was answered in '${name}'`),
      ...unexpectedExitsIn(fleet),
      ...pending.map((what) => `quiet: ${what}`),
      ...violations.map(({ check, what }) => `${check}: ${what}`),
      ...ledger.violations.map((what) => `answers: ${what}`),
      ...ledger.failedAttempts.map((what) => `client: ${what}`),
      ...readers.flatMap(({ name, failedRequests: troubles }) =>
        troubles.map((what) => `${name}: ${what}`),
      ),
    ];
  } finally {
    await system.close();
  }
}

const ref = positionals[0] ?? (await lastRelease());
try {
  logProgress(`building ${ref} and the checkout`);
  const [before, after] = [await buildRelease(ref), await buildCheckout()];
  const fresh = after.migrations.filter((name) => !before.migrations.includes(name));
  const lost = before.migrations.filter((name) => !after.migrations.includes(name));
  if (lost.length > 0) throw new Error(`Released migrations are missing: ${lost.join(', ')}.`);
  logProgress(`from ${before.name} to ${after.name}: ${fresh.length} migrations`);
  if (before.otherPackages.length > 0) {
    console.log(`  Its lockfile has other versions of: ${before.otherPackages.join(', ')}`);
  }
  const faults = await runUpgrade(before, after, fresh);
  for (const fault of faults.slice(0, 60)) console.log(fault);
  console.log(faults.length === 0 ? 'all well' : `${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await mochaHooks.afterAll();
}
