import { load } from './support/api/load.ts';
import { naiveRequests, ourRequests, type Requests } from './support/api/requests.ts';
import { createTenants } from './support/api/tenants.ts';
import { type Arm, interleaveArms, sayArm, sayCpuRatio, sayRatio } from './support/arms.ts';
import { calibrate } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { startNaiveApi } from './support/naive/api.ts';
import { findPgbench, preparePlainTransactions } from './support/postgres/pgbench.ts';
import {
  buildPrograms,
  freePort,
  serverEnvironment,
  startBuilt,
  untilReady,
} from './support/programs.ts';

/**
 * Writes over HTTP, with authentication, row-level security, rate limit, Idempotency-Key, validation
 * and event, each in one transaction that is on disk before the response. Compared with a typical
 * handwritten service, a Koa handler that saves two entities with TypeORM and adds a BullMQ job
 * (support/naive), and with the upper bound, plain transactions of two inserts by pgbench. All use the
 * same Postgres and Redis, at 8 and at 32 connections. Reads of a job are compared with the naive
 * handler's `findOne`. Changes of an object's tags are compared with the same without the counters of
 * objects: their triggers are disabled for these turns.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Math.ceil(Number(process.env.SECONDS ?? 4));
const warmUp = Number(process.env.WARM_UP ?? 12);

const pgbench = findPgbench();
if (!pgbench) console.log("skipped: pgbench is missing (Debian's postgresql-contrib has it)");
buildPrograms();
const ground = await openBenchGround();
const port = await freePort();
const server = startBuilt('server', serverEnvironment(ground, port));
const naive = await startNaiveApi(ground, 16);
const stores = { Postgres: [ground.postgresPid], Redis: [ground.redisPid] };

/** Sends requests to one of the two servers over a number of connections. */
function requests(to: 'ours' | 'naive', status: number, next: Requests, connections: number): Arm {
  const at = { ours: { port, pid: server.pid }, naive }[to];
  return {
    watched: { Node: [at.pid], ...stores },
    run: () => send(at.port, status, next, connections, seconds),
  };
}

/** Changes of tags, with the counters of objects or without them. */
function retag(next: Requests, connections: number, counted: boolean): Arm {
  const does = counted ? 'ENABLE' : 'DISABLE';
  return {
    ...requests('ours', 200, next, connections),
    async prepare() {
      const names = ['object_count_added', 'object_count_changed', 'object_count_removed'];
      const changes = names.map((name) => `${does} TRIGGER ${name}`);
      await ground.ask(`ALTER TABLE object ${changes.join(', ')}`);
    },
  };
}

async function send(
  to: number,
  status: number,
  request: Requests,
  connections: number,
  length: number,
) {
  const { rate, latencies } = await load({
    port: to,
    connections,
    seconds: length,
    status,
    request,
  });
  return { operations: latencies.length, rate, latencies };
}

try {
  await untilReady(port);
  const tenants = await createTenants(ground, 4, 4);
  const ours = ourRequests(tenants);
  const theirs = naiveRequests(naive.secrets, tenants[0]!.objectId);
  // Long enough for V8 to compile hot code, as in a server that has run for a minute.
  await send(port, 202, ours.jobs, 16, warmUp);
  await send(naive.port, 202, theirs.checked, 16, warmUp);
  await send(naive.port, 202, theirs.named, 16, warmUp / 4);
  await send(naive.port, 202, theirs.bare, 16, warmUp / 4);
  await send(port, 201, ours.keys, 8, warmUp / 4);
  const { change: tags } = await ours.objects(ground);
  await send(port, 200, tags, 8, warmUp / 4);
  await ground.analyze();
  const [ourReads, theirReads] = [await ours.reads(ground), await theirs.reads(ground)];
  await send(port, 200, ourReads, 8, warmUp / 4);
  await send(naive.port, 200, theirReads, 8, warmUp / 4);
  const plain = pgbench
    ? await preparePlainTransactions(pgbench, ground.benchSuperuserUrl, ground.folder)
    : null;
  const limit = (connections: number): Arm | null =>
    plain && {
      watched: stores,
      async run() {
        const rate = await plain.run(seconds, connections);
        return { operations: rate * seconds, rate };
      },
    };
  const found = await interleaveArms(rounds, {
    plain8: limit(8),
    bare8: requests('naive', 202, theirs.bare, 8),
    checked8: requests('naive', 202, theirs.checked, 8),
    named8: requests('naive', 202, theirs.named, 8),
    one8: requests('ours', 202, ours.jobsOfOne, 8),
    jobs8: requests('ours', 202, ours.jobs, 8),
    keys8: requests('ours', 201, ours.keys, 8),
    tags8: retag(tags, 8, true),
    uncounted8: retag(tags, 8, false),
    plain32: limit(32),
    bare32: requests('naive', 202, theirs.bare, 32),
    checked32: requests('naive', 202, theirs.checked, 32),
    named32: requests('naive', 202, theirs.named, 32),
    one32: requests('ours', 202, ours.jobsOfOne, 32),
    jobs32: requests('ours', 202, ours.jobs, 32),
    tags32: retag(tags, 32, true),
    uncounted32: retag(tags, 32, false),
    findOne8: requests('naive', 200, theirReads, 8),
    reads8: requests('ours', 200, ourReads, 8),
    findOne32: requests('naive', 200, theirReads, 32),
    reads32: requests('ours', 200, ourReads, 32),
  });
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  for (const n of [8, 32] as const) {
    sayArm(`plain transactions, ${n} connections`, found[`plain${n}`]);
    sayArm(`naive handler, bare, ${n}`, found[`bare${n}`]);
    sayArm(`naive handler with key and log, ${n}`, found[`checked${n}`]);
    sayArm(`the same with its own identifiers, ${n}`, found[`named${n}`]);
    sayArm(`POST /v1/documents/jobs, 16 keys, ${n}`, found[`jobs${n}`]);
    sayArm(`POST /v1/documents/jobs, 1 key, ${n}`, found[`one${n}`]);
    if (n === 8) sayArm(`POST /v1/keys, 16 keys, ${n}`, found.keys8);
    sayArm(`PATCH /v1/objects/{id}, 16 keys, ${n}`, found[`tags${n}`]);
    sayArm(`the same without counters, ${n}`, found[`uncounted${n}`]);
    sayArm(`naive findOne with key and log, ${n}`, found[`findOne${n}`]);
    sayArm(`GET /v1/documents/jobs/{id}, ${n}`, found[`reads${n}`]);
  }
  for (const n of [8, 32] as const) {
    sayRatio(
      `jobs to naive with key and log, ${n} connections`,
      found[`jobs${n}`],
      found[`checked${n}`],
    );
    sayRatio(
      `jobs to the same with its own identifiers, ${n}`,
      found[`jobs${n}`],
      found[`named${n}`],
    );
    sayRatio(
      `jobs of one key to naive with key and log, ${n}`,
      found[`one${n}`],
      found[`checked${n}`],
    );
    sayRatio(`jobs to naive, bare, ${n}`, found[`jobs${n}`], found[`bare${n}`]);
    sayRatio(`jobs to pgbench, ${n}`, found[`jobs${n}`], found[`plain${n}`]);
    sayRatio(`tags to tags without counters, ${n}`, found[`tags${n}`], found[`uncounted${n}`]);
    sayRatio(`reads to naive findOne, ${n}`, found[`reads${n}`], found[`findOne${n}`]);
    sayCpuRatio(`jobs to naive with key and log, ${n}`, found[`jobs${n}`], found[`checked${n}`]);
    sayCpuRatio(
      `jobs to the same with its own identifiers, ${n}`,
      found[`jobs${n}`],
      found[`named${n}`],
    );
    sayCpuRatio(`tags to tags without counters, ${n}`, found[`tags${n}`], found[`uncounted${n}`]);
    sayCpuRatio(`reads to naive findOne, ${n}`, found[`reads${n}`], found[`findOne${n}`]);
  }
  sayRatio('keys to pgbench, 8', found.keys8, found.plain8);
} finally {
  await naive.close();
  await server.stop();
  await ground.close();
}
