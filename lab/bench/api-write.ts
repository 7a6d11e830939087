import { type Arm, interleaveArms, sayArm, sayCpuRatio, sayRatio } from './support/arms.ts';
import { calibrate } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { openApiArms } from './support/paths/api.ts';
import { findPgbench, preparePlainTransactions } from './support/postgres/pgbench.ts';
import { buildPrograms } from './support/programs.ts';

/**
 * Writes over HTTP, with authentication, row-level security, rate limit, Idempotency-Key,
 * validation and event, each in one transaction that is on disk before the response. Compared with
 * a typical handwritten service, a Koa handler that saves two entities with TypeORM and adds a
 * BullMQ job (support/naive), and with the upper bound, plain transactions of two inserts by
 * pgbench. All use the same Postgres and Redis, with 8 and with 32 connections. Reads of a job are
 * compared with the naive handler's `findOne`. Changes of an object's tags are compared with the
 * same changes without the object counters, whose triggers are disabled for these turns.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Math.ceil(Number(process.env.SECONDS ?? 4));
const warmUp = Number(process.env.WARM_UP ?? 12);

const pgbench = findPgbench();
if (!pgbench) console.log("skipped: pgbench is missing (Debian's postgresql-contrib has it)");
buildPrograms();
const ground = await openBenchGround();
const api = await openApiArms(ground, { seconds, warmUp });
try {
  const plain = pgbench
    ? await preparePlainTransactions(pgbench, ground.benchSuperuserUrl, ground.folder)
    : null;
  const limit = (connections: number): Arm | null =>
    plain && {
      watched: { Postgres: [ground.postgresPid], Redis: [ground.redisPid] },
      async run() {
        const rate = await plain.run(seconds, connections);
        return { operations: rate * seconds, rate };
      },
    };
  const [few, many] = [api.over(8), api.over(32)];
  const found = await interleaveArms(rounds, {
    plain8: limit(8),
    bare8: few.bare,
    checked8: few.checked,
    named8: few.named,
    one8: few.one,
    jobs8: few.jobs,
    keys8: few.keys,
    tags8: few.tags,
    uncounted8: few.uncounted,
    plain32: limit(32),
    bare32: many.bare,
    checked32: many.checked,
    named32: many.named,
    one32: many.one,
    jobs32: many.jobs,
    tags32: many.tags,
    uncounted32: many.uncounted,
    findOne8: few.findOne,
    reads8: few.reads,
    findOne32: many.findOne,
    reads32: many.reads,
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
    const checked = found[`checked${n}`];
    sayRatio(`jobs to naive with key and log, ${n} connections`, found[`jobs${n}`], checked);
    sayRatio(
      `jobs to the same with its own identifiers, ${n}`,
      found[`jobs${n}`],
      found[`named${n}`],
    );
    sayRatio(`jobs of one key to naive with key and log, ${n}`, found[`one${n}`], checked);
    sayRatio(`jobs to naive, bare, ${n}`, found[`jobs${n}`], found[`bare${n}`]);
    sayRatio(`jobs to pgbench, ${n}`, found[`jobs${n}`], found[`plain${n}`]);
    sayRatio(`tags to naive with key and log, ${n}`, found[`tags${n}`], checked);
    sayRatio(`tags to tags without counters, ${n}`, found[`tags${n}`], found[`uncounted${n}`]);
    sayRatio(`reads to naive findOne, ${n}`, found[`reads${n}`], found[`findOne${n}`]);
    sayCpuRatio(`jobs to naive with key and log, ${n}`, found[`jobs${n}`], checked);
    sayCpuRatio(
      `jobs to the same with its own identifiers, ${n}`,
      found[`jobs${n}`],
      found[`named${n}`],
    );
    sayCpuRatio(`tags to naive with key and log, ${n}`, found[`tags${n}`], checked);
    sayCpuRatio(`tags to tags without counters, ${n}`, found[`tags${n}`], found[`uncounted${n}`]);
    sayCpuRatio(`reads to naive findOne, ${n}`, found[`reads${n}`], found[`findOne${n}`]);
  }
  sayRatio('keys to pgbench, 8', found.keys8, found.plain8);
} finally {
  await api.close();
  await ground.close();
}
