import { interleaveArms, sayArm, sayCpuRatio, sayRatio } from './support/arms.ts';
import { calibrate } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
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
const rounds = Number(process.env.ROUNDS ?? 5);
const lengths = {
  tasks: Number(process.env.TASKS ?? 10_000),
  batch: Number(process.env.BATCH ?? 50),
  slots: Number(process.env.SLOTS ?? 50),
  projects: Number(process.env.PROJECTS ?? 8),
};

const peers: TaskPeerName[] = ['bullmq'];
for (const name of ['pg-boss', 'graphile-worker'] as const) {
  if (isInstalled(name)) peers.push(name);
  else console.log(`skipped: ${name} is not installed (see lab/bench/README.md)`);
}

buildPrograms();
const ground = await openBenchGround();
try {
  const { arms, close } = await openTaskArms(ground, lengths, peers);
  try {
    const found = await interleaveArms(rounds, arms);
    console.log(`calibration ${(await calibrate()).toFixed(1)}`);
    sayArm('scheduled to finished, ours', found.ours);
    sayArm('scheduled to finished, a transaction each', found.stored);
    sayArm('BullMQ, added to processed', found.bullmq);
    sayRatio('to BullMQ', found.ours, found.bullmq);
    sayRatio('with a transaction each, to BullMQ', found.stored, found.bullmq);
    for (const name of peers.slice(1)) {
      sayArm(name, found[name]);
      sayRatio(`to ${name}`, found.ours, found[name]);
    }
    sayCpuRatio('to BullMQ', found.ours, found.bullmq);
    sayCpuRatio('with a transaction each, to BullMQ', found.stored, found.bullmq);
  } finally {
    await close();
  }
} finally {
  await ground.close();
}
