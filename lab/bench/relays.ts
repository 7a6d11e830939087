import pg from 'pg';
import { integerFromEnv } from '../number-options.ts';
import { openBench } from './support/bench.ts';
import { calibrate, interleave, median, ratio } from './support/figures.ts';
import { openOutbox } from './support/outbox.ts';
import { buildPrograms, startBuilt, workerEnvironment } from './support/programs.ts';

/**
 * Events numbered and delivered per second by one, two and four relays: a backlog of many projects,
 * each with a paused endpoint. Relays start idle, held by the lock that excludes all numbering,
 * which is released as soon as the backlog is recorded. BEFORE names a built checkout of another
 * release to compare with, in the same rounds.
 */
const rounds = integerFromEnv('ROUNDS', 5);
const backlog = integerFromEnv('EVENTS', 20_000);
const projectCount = integerFromEnv('PROJECTS', 32);
const relayCounts = [1, 2, 4];
const previousCheckout = process.env.BEFORE;

buildPrograms();
const bench = await openBench();
const outbox = await openOutbox(bench);
const projects = await Promise.all(
  Array.from({ length: projectCount }, () => bench.createProject()),
);
for (const project of projects) {
  await outbox.addEndpoint(project, { url: 'http://127.0.0.1:9/', state: 'paused' });
}
const superuser = new pg.Client({ connectionString: bench.benchSuperuserUrl });
await superuser.connect();

async function measureRelays(relays: number, checkout?: string): Promise<number> {
  const env = workerEnvironment(bench, { secretKey: outbox.secretKey, queues: 'relay' });
  const programs = Array.from({ length: relays }, () => startBuilt('worker', env, [], checkout));
  try {
    await superuser.query(`SELECT pg_advisory_lock(hashtext('number events'))`);
    for (const project of projects)
      await outbox.recordMany(project, Math.ceil(backlog / projectCount));
    await superuser.query('CHECKPOINT');
    await untilConnected(relays);
    const start = performance.now();
    await superuser.query(`SELECT pg_advisory_unlock(hashtext('number events'))`);
    outbox.wake();
    while (await hasUnnumbered()) await new Promise((resolve) => setTimeout(resolve, 20));
    return (backlog * 1_000) / (performance.now() - start);
  } finally {
    await Promise.all(programs.map((relay) => relay.stop()));
  }
}

async function hasUnnumbered(): Promise<boolean> {
  const { rows } = await superuser.query<{ left: boolean }>(
    'SELECT EXISTS (SELECT FROM event WHERE sequence IS NULL) AS left',
  );
  return rows[0]!.left;
}

/** Waits until every relay has connected. */
async function untilConnected(relays: number): Promise<void> {
  for (;;) {
    const { rows } = await superuser.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE usename = 'relay'`,
    );
    if (rows[0]!.n >= relays * 2) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

try {
  const arms: Record<string, () => Promise<number>> = {};
  for (const relays of relayCounts) {
    if (previousCheckout) arms[`before, ${relays}`] = () => measureRelays(relays, previousCheckout);
    arms[`now, ${relays}`] = () => measureRelays(relays);
  }
  await measureRelays(2);
  await superuser.query('ANALYZE');
  const ratesByArm = await interleave(rounds, arms);
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  for (const [name, rates] of Object.entries(ratesByArm)) {
    const reference = previousCheckout ? ratesByArm['before, 1']! : ratesByArm['now, 1']!;
    console.log(
      `relays ${name}: ${median(rates).toFixed(0)} events a second, ${ratio(rates, reference)} of one`,
    );
  }
} finally {
  await superuser.end();
  await outbox.close();
  await bench.close();
}
