import { integerFromEnv, numberFromEnv } from '../number-options.ts';
import { type Arm, interleaveArms, printArm, printCpuRatio, printRatio } from './support/arms.ts';
import { openBench } from './support/bench.ts';
import { calibrate } from './support/figures.ts';
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
const rounds = integerFromEnv('ROUNDS', 5);
const seconds = Math.ceil(numberFromEnv('SECONDS', 4));
const warmUp = numberFromEnv('WARM_UP', 12);

const pgbench = findPgbench();
if (!pgbench) console.log("skipped: pgbench is missing (Debian's postgresql-contrib has it)");
buildPrograms();
const bench = await openBench();
const api = await openApiArms(bench, { seconds, warmUp });
try {
  const plainTransactions = pgbench
    ? await preparePlainTransactions(pgbench, bench.benchSuperuserUrl, bench.folder)
    : null;
  const plainArm = (connections: number): Arm | null =>
    plainTransactions && {
      processes: { Postgres: [bench.postgresPid], Redis: [bench.redisPid] },
      async run() {
        const rate = await plainTransactions.run(seconds, connections);
        return { operations: rate * seconds, rate };
      },
    };
  const [over8, over32] = [api.armsFor(8), api.armsFor(32)];
  const results = await interleaveArms(rounds, {
    plain8: plainArm(8),
    bare8: over8.bare,
    checked8: over8.checked,
    named8: over8.named,
    one8: over8.one,
    jobs8: over8.jobs,
    keys8: over8.keys,
    tags8: over8.tags,
    uncounted8: over8.uncounted,
    plain32: plainArm(32),
    bare32: over32.bare,
    checked32: over32.checked,
    named32: over32.named,
    one32: over32.one,
    jobs32: over32.jobs,
    tags32: over32.tags,
    uncounted32: over32.uncounted,
    findOne8: over8.findOne,
    reads8: over8.reads,
    findOne32: over32.findOne,
    reads32: over32.reads,
  });
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  for (const n of [8, 32] as const) {
    printArm(`plain transactions, ${n} connections`, results[`plain${n}`]);
    printArm(`naive handler, bare, ${n}`, results[`bare${n}`]);
    printArm(`naive handler with key and log, ${n}`, results[`checked${n}`]);
    printArm(`the same with its own identifiers, ${n}`, results[`named${n}`]);
    printArm(`POST /v1/documents/jobs, 16 keys, ${n}`, results[`jobs${n}`]);
    printArm(`POST /v1/documents/jobs, 1 key, ${n}`, results[`one${n}`]);
    if (n === 8) printArm(`POST /v1/keys, 16 keys, ${n}`, results.keys8);
    printArm(`PATCH /v1/objects/{id}, 16 keys, ${n}`, results[`tags${n}`]);
    printArm(`the same without counters, ${n}`, results[`uncounted${n}`]);
    printArm(`naive findOne with key and log, ${n}`, results[`findOne${n}`]);
    printArm(`GET /v1/documents/jobs/{id}, ${n}`, results[`reads${n}`]);
  }
  for (const n of [8, 32] as const) {
    const checked = results[`checked${n}`];
    printRatio(`jobs to naive with key and log, ${n} connections`, results[`jobs${n}`], checked);
    printRatio(
      `jobs to the same with its own identifiers, ${n}`,
      results[`jobs${n}`],
      results[`named${n}`],
    );
    printRatio(`jobs of one key to naive with key and log, ${n}`, results[`one${n}`], checked);
    printRatio(`jobs to naive, bare, ${n}`, results[`jobs${n}`], results[`bare${n}`]);
    printRatio(`jobs to pgbench, ${n}`, results[`jobs${n}`], results[`plain${n}`]);
    printRatio(`tags to naive with key and log, ${n}`, results[`tags${n}`], checked);
    printRatio(
      `tags to tags without counters, ${n}`,
      results[`tags${n}`],
      results[`uncounted${n}`],
    );
    printRatio(`reads to naive findOne, ${n}`, results[`reads${n}`], results[`findOne${n}`]);
    printCpuRatio(`jobs to naive with key and log, ${n}`, results[`jobs${n}`], checked);
    printCpuRatio(
      `jobs to the same with its own identifiers, ${n}`,
      results[`jobs${n}`],
      results[`named${n}`],
    );
    printCpuRatio(`tags to naive with key and log, ${n}`, results[`tags${n}`], checked);
    printCpuRatio(
      `tags to tags without counters, ${n}`,
      results[`tags${n}`],
      results[`uncounted${n}`],
    );
    printCpuRatio(`reads to naive findOne, ${n}`, results[`reads${n}`], results[`findOne${n}`]);
  }
  printRatio('keys to pgbench, 8', results.keys8, results.plain8);
} finally {
  await api.close();
  await bench.close();
}
