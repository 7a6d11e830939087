import { integerFromEnv } from '../number-options.ts';
import { interleaveArms, printArm, printCpuRatio, printRatio } from './support/arms.ts';
import { openBench } from './support/bench.ts';
import { calibrate } from './support/figures.ts';
import { openTaskArms } from './support/paths/tasks.ts';
import { buildPrograms } from './support/programs.ts';
import { isInstalled } from './support/tasks/installed.ts';
import type { TaskPeerName } from './support/tasks/peers.ts';

/**
 * Tasks per second from the first one scheduled to the last one finished: tasks of a document queue
 * that do nothing, on a worker process with fifty slots and the relay. Compared with BullMQ alone,
 * pg-boss and graphile-worker with as many slots, each in a separate process. This process adds all
 * tasks in batches, from four loops; ours in a transaction per batch, to several projects in turn.
 */
const rounds = integerFromEnv('ROUNDS', 5);
const options = {
  tasks: integerFromEnv('TASKS', 10_000),
  batch: integerFromEnv('BATCH', 50),
  slots: integerFromEnv('SLOTS', 50),
  projects: integerFromEnv('PROJECTS', 8),
};

const peers: TaskPeerName[] = ['bullmq'];
for (const name of ['pg-boss', 'graphile-worker'] as const) {
  if (isInstalled(name)) peers.push(name);
  else console.log(`skipped: ${name} is not installed (see lab/bench/README.md)`);
}

buildPrograms();
const bench = await openBench();
try {
  const { arms, close } = await openTaskArms(bench, options, peers);
  try {
    const results = await interleaveArms(rounds, arms);
    console.log(`calibration ${(await calibrate()).toFixed(1)}`);
    printArm('scheduled to finished, ours', results.ours);
    printArm('scheduled to finished, a transaction each', results.stored);
    printArm('BullMQ, added to processed', results.bullmq);
    printRatio('to BullMQ', results.ours, results.bullmq);
    printRatio('with a transaction each, to BullMQ', results.stored, results.bullmq);
    for (const name of peers.slice(1)) {
      printArm(name, results[name]);
      printRatio(`to ${name}`, results.ours, results[name]);
    }
    printCpuRatio('to BullMQ', results.ours, results.bullmq);
    printCpuRatio('with a transaction each, to BullMQ', results.stored, results.bullmq);
  } finally {
    await close();
  }
} finally {
  await bench.close();
}
