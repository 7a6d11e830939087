import { integerFromEnv } from '../number-options.ts';
import { openBench } from './support/bench.ts';
import { calibrate } from './support/figures.ts';
import { proveIntegrity } from './support/integrity/prove.ts';
import {
  buildPrograms,
  freePort,
  type Program,
  serverEnvironment,
  startBuilt,
  untilReady,
  workerEnvironment,
} from './support/programs.ts';

/**
 * A million events from 24 concurrent writers with rollbacks and two relays, while connections are
 * cut and relays killed at random. Readers by cursor and receivers of webhooks must both see
 * exactly the committed events, in sequences without gaps and in causal order. The test suite runs
 * the same with twenty thousand events (test/flows/integrity.test.ts).
 */
const events = integerFromEnv('EVENTS', 1_000_000);
const seed = integerFromEnv('SEED', Date.now() % 1_000_000, 0);

buildPrograms();
const bench = await openBench();
const port = await freePort();
const shared = serverEnvironment(bench, port);
const programs: Program[] = [];
const start = (name: 'server' | 'worker', env: NodeJS.ProcessEnv): Program => {
  const program = startBuilt(name, env);
  programs.push(program);
  return program;
};
const startWorker = (queues: string): Program =>
  start('worker', {
    ...workerEnvironment(bench, { secretKey: shared.SECRET_KEY, queues }),
    WEBHOOK_RETRY_SCHEDULE: '0,1,1,2,2,3,3,5,5,5',
    // Connections are cut constantly, and each cut would log a line.
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  });
try {
  console.log(`calibration ${(await calibrate()).toFixed(1)}, seed ${seed}`);
  // Unlike in production, receivers on this machine are allowed.
  const server = start('server', {
    ...shared,
    NODE_ENV: 'test',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  });
  await untilReady(port);
  const webhooks = startWorker('webhooks');
  const proof = await proveIntegrity(
    {
      processes: [server, webhooks],
      url: `http://127.0.0.1:${port}`,
      databaseUrl: bench.urls.apiUrl,
      superuserUrl: bench.benchSuperuserUrl,
      startRelay: () => startWorker('relay'),
    },
    {
      events,
      writers: 24,
      eventsPerFault: integerFromEnv('EVENTS_PER_FAULT', 3_000),
      seed,
      log: (line) => process.stderr.write(`  ${line}\n`),
    },
  );
  const { committed, secondsToWrite: written, secondsToObserve: seen, faults } = proof;
  console.log(
    `${committed} events committed in ${written.toFixed(1)} s, ${(committed / written).toFixed(0)} a second; all seen after ${seen.toFixed(1)} s, ${(committed / seen).toFixed(0)} a second`,
  );
  console.log(
    `${proof.cuts} connections cut, ${proof.kills} relays killed, ${proof.unknown} events with an unanswered commit, ${proof.rejected} webhooks rejected, ${proof.duplicates} received twice`,
  );
  for (const fault of faults) console.log(`fault: ${fault}`);
  console.log(`skipped, duplicated or out of order: ${faults.length}`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await Promise.all(programs.map((program) => program.kill()));
  await bench.close();
}
