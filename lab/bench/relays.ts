import pg from 'pg';
import { calibrate, interleave, median, ratio } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { openOutbox } from './support/outbox.ts';
import { buildPrograms, startBuilt, workerEnvironment } from './support/programs.ts';

/**
 * Events numbered and delivered per second by one, two and four relays: a backlog of many projects,
 * each with a paused endpoint. Relays start idle, held by the lock that excludes all numbering, which
 * is released as soon as the backlog is recorded. BEFORE names a built checkout of another release to
 * compare with, in the same rounds.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const backlog = Number(process.env.EVENTS ?? 20_000);
const count = Number(process.env.PROJECTS ?? 32);
const counts = [1, 2, 4];
const before = process.env.BEFORE;

buildPrograms();
const ground = await openBenchGround();
const outbox = await openOutbox(ground);
const projects = await Promise.all(Array.from({ length: count }, () => ground.project()));
for (const project of projects) {
  await outbox.addEndpoint(project, { url: 'http://127.0.0.1:9/', state: 'paused' });
}
const superuser = new pg.Client({ connectionString: ground.benchSuperuserUrl });
await superuser.connect();

async function relayed(relays: number, checkout?: string): Promise<number> {
  const env = workerEnvironment(ground, { secretKey: outbox.secretKey, queues: 'relay' });
  const running = Array.from({ length: relays }, () => startBuilt('worker', env, [], checkout));
  try {
    await superuser.query(`SELECT pg_advisory_lock(hashtext('number events'))`);
    for (const project of projects) await outbox.recordMany(project, Math.ceil(backlog / count));
    await superuser.query('CHECKPOINT');
    await untilListening(relays);
    const start = performance.now();
    await superuser.query(`SELECT pg_advisory_unlock(hashtext('number events'))`);
    outbox.wake();
    while (await unnumbered()) await new Promise((resolve) => setTimeout(resolve, 20));
    return (backlog * 1_000) / (performance.now() - start);
  } finally {
    await Promise.all(running.map((relay) => relay.stop()));
  }
}

async function unnumbered(): Promise<boolean> {
  const { rows } = await superuser.query<{ left: boolean }>(
    'SELECT EXISTS (SELECT FROM event WHERE sequence IS NULL) AS left',
  );
  return rows[0]!.left;
}

/** Waits until every relay has connected. */
async function untilListening(relays: number): Promise<void> {
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
  for (const relays of counts) {
    if (before) arms[`before, ${relays}`] = () => relayed(relays, before);
    arms[`now, ${relays}`] = () => relayed(relays);
  }
  await relayed(2);
  await superuser.query('ANALYZE');
  const found = await interleave(rounds, arms);
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  for (const [name, rates] of Object.entries(found)) {
    const than = before ? found['before, 1']! : found['now, 1']!;
    console.log(
      `relays ${name}: ${median(rates).toFixed(0)} events a second, ${ratio(rates, than)} of one`,
    );
  }
} finally {
  await superuser.end();
  await outbox.close();
  await ground.close();
}
