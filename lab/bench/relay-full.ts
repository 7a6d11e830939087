import { newId } from '@scriptorium/contracts/ids';
import pg from 'pg';
import { integerFromEnv } from '../number-options.ts';
import { type Bench, openBench } from './support/bench.ts';
import { calibrate, interleave, median, ratio } from './support/figures.ts';
import { openOutbox } from './support/outbox.ts';
import { openAnotherBench } from './support/postgres/another-bench.ts';
import { buildPrograms, type Program, startBuilt, workerEnvironment } from './support/programs.ts';

/**
 * Relay throughput with ten million events in the table, over thirteen weeks, compared with an
 * empty table: a backlog is numbered and fanned out to one paused endpoint. Uses two databases of
 * one Postgres, each with a relay that is stopped (SIGSTOP) while its backlog is recorded and while
 * the other one runs.
 */
const rounds = integerFromEnv('ROUNDS', 5);
const rows = integerFromEnv('ROWS', 10_000_000);
const backlog = integerFromEnv('EVENTS', 20_000);
const weeks = 13;

buildPrograms();
const bench = await openBench();

/** A database with its relay, and the project of all its events. */
interface Arm {
  bench: Bench;
  outbox: Awaited<ReturnType<typeof openOutbox>>;
  project: string;
  relay: Program;
}

/** Runs statements as a superuser of an arm's database. */
async function asSuperuser<T>(arm: Bench, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: arm.benchSuperuserUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Fills the table with finished events. Partitions of earlier weeks are filled first and then
 * attached, so that their indexes are built in one pass.
 */
async function fillEvents(arm: Bench, project: string): Promise<void> {
  await asSuperuser(arm, async (client) => {
    await client.query(`SET maintenance_work_mem = '512MB'; SET synchronous_commit = off`);
    // A thousand timestamps per week, with the events spread over them.
    const perMoment = Math.ceil(rows / weeks / 1_000);
    for (let week = 0; week < weeks; week++) {
      const ago = weeks - 1 - week;
      const { rows: found } = await client.query<{ name: string; there: boolean }>(
        `SELECT name, to_regclass(name) IS NOT NULL AS there FROM (
           SELECT 'event_' || to_char(date_trunc('week', now() AT TIME ZONE 'UTC')
             - $1 * interval '7 days', 'YYYYMMDD') AS name) AS n`,
        [ago],
      );
      const { name, there } = found[0]!;
      if (!there)
        await client.query(
          `CREATE TABLE ${name} (LIKE event INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
        );
      await client.query(
        `INSERT INTO ${name} (id, project_id, category, type, resource_type, resource_id, occurred_at,
           data, actor_type, ordinal, sequence, body, fanned_out_at, owed, delivered, published_at)
         SELECT left(moment.floor, 14) || lpad(s::text, 16, '0'), $1, 'domain', 'dam.object.trashed',
           'object', 'obj_' || left(md5(s::text), 26), moment.at, '{}', 'system', s, s, '{}',
           moment.at, 1, 1, moment.at
         FROM (SELECT m, id_floor('evt', at) AS floor, at FROM generate_series(0, 999) AS m,
             LATERAL (SELECT monday + m * length / 1000 AS at FROM (
               SELECT monday, least(monday + interval '7 days', now()) - monday AS length FROM (
                 SELECT (date_trunc('week', now() AT TIME ZONE 'UTC') - $2 * interval '7 days')
                   AT TIME ZONE 'UTC' AS monday) AS w) AS l) AS a) AS moment,
           generate_series($3::bigint + moment.m * $4::bigint + 1, $3::bigint + (moment.m + 1) * $4::bigint) AS s`,
        [project, ago, week * 1_000 * perMoment, perMoment],
      );
      if (!there) {
        await client.query(
          `DO $$ DECLARE monday timestamptz := (date_trunc('week', now() AT TIME ZONE 'UTC')
               - ${ago} * interval '7 days') AT TIME ZONE 'UTC';
           BEGIN
             EXECUTE format('ALTER TABLE event ATTACH PARTITION ${name} FOR VALUES FROM (%L) TO (%L)',
               id_floor('evt', monday), id_floor('evt', monday + interval '7 days'));
             ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
             ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;
           END $$`,
        );
      }
      await client.query(`VACUUM (ANALYZE) ${name}`);
      process.stderr.write(`  filled ${name}\n`);
    }
    const { rows: last } = await client.query<{ n: string }>(
      `SELECT setval('event_ordinal', max(ordinal)) AS n FROM event`,
    );
    await client.query(
      `INSERT INTO sequence_counter (project_id, category, last) VALUES ($1, 'domain', $2)
       ON CONFLICT (project_id, category) DO UPDATE SET last = excluded.last`,
      [project, last[0]!.n],
    );
    await client.query('CHECKPOINT');
  });
}

async function openArm(arm: Bench): Promise<Arm> {
  const outbox = await openOutbox(arm);
  const project = newId('project');
  await asSuperuser(arm, (client) =>
    client.query(`INSERT INTO project (id, name) VALUES ($1, 'bench')`, [project]),
  );
  const relay = startBuilt(
    'worker',
    workerEnvironment(arm, { secretKey: outbox.secretKey, queues: 'relay' }),
  );
  return { bench: arm, outbox, project, relay };
}

/** Events numbered and fanned out per second. */
async function measureRelay(arm: Arm): Promise<number> {
  const { outbox, project, relay } = arm;
  process.kill(relay.pid, 'SIGSTOP');
  const endpoint = await outbox.addEndpoint(project, {
    url: 'http://127.0.0.1:9/',
    state: 'paused',
  });
  await outbox.recordMany(project, backlog);
  await asSuperuser(arm.bench, (client) => client.query('CHECKPOINT'));
  const rate = await asSuperuser(arm.bench, async (client) => {
    const start = performance.now();
    process.kill(relay.pid, 'SIGCONT');
    const end = start + 120_000;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const { rows: counted } = await client.query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM due_delivery WHERE project_id = $1 AND endpoint_id = $2
           AND lease_until IS NULL`,
        [project, endpoint],
      );
      if (counted[0]!.n >= backlog) return (backlog * 1_000) / (performance.now() - start);
      if (performance.now() > end) throw new Error(`Only ${counted[0]!.n} were fanned out.`);
    }
  });
  // Cancel the deliveries, so that the next round starts from the same state.
  await outbox.setState(project, [endpoint], 'enabled');
  await outbox.setState(project, [endpoint], 'disabled');
  process.kill(relay.pid, 'SIGSTOP');
  return rate;
}

const arms: Arm[] = [];
try {
  const empty = await openArm(bench);
  arms.push(empty);
  const full = await openArm(await openAnotherBench(bench, 1));
  arms.push(full);
  for (const arm of arms) process.kill(arm.relay.pid, 'SIGSTOP');
  const start = performance.now();
  await fillEvents(full.bench, full.project);
  console.log(`${rows} events filled in ${((performance.now() - start) / 1_000).toFixed(0)} s`);
  for (const arm of arms) {
    await measureRelay(arm);
    await asSuperuser(arm.bench, (client) => client.query('ANALYZE'));
  }
  const rates = await interleave(rounds, {
    empty: () => measureRelay(empty),
    full: () => measureRelay(full),
  });
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  console.log(`numbered and fanned out, empty table:  ${median(rates.empty).toFixed(0)} a second`);
  console.log(`numbered and fanned out, ${rows}: ${median(rates.full).toFixed(0)} a second`);
  console.log(`ratio: ${ratio(rates.full, rates.empty)}`);
} finally {
  for (const arm of arms) {
    process.kill(arm.relay.pid, 'SIGCONT');
    await arm.relay.stop();
    await arm.outbox.close();
    if (arm.bench !== bench) await arm.bench.close();
  }
  await bench.close();
}
