import { integerFromEnv } from '../number-options.ts';
import { interleaveArms, printArm, printCpuRatio, printRatio } from './support/arms.ts';
import { openBench } from './support/bench.ts';
import { calibrate } from './support/figures.ts';
import { openWebhookArms } from './support/paths/webhooks.ts';
import { buildPrograms } from './support/programs.ts';

/**
 * Webhooks delivered per second, with the record of each attempt, leases and retries. The upper
 * bound is an undici Pool of fifty connections that posts as many bodies of the same size, signed
 * in the same way, and records nothing. The peer is a typical handwritten sender, a BullMQ worker
 * that inserts a row for each attempt (support/naive). Senders and receiver are separate processes.
 * A backlog for paused endpoints is sent when they are enabled: to one endpoint, and to a hundred.
 * A third figure starts before the first commit.
 */
const rounds = integerFromEnv('ROUNDS', 5);
const events = integerFromEnv('EVENTS', 10_000);

buildPrograms();
const bench = await openBench();
try {
  const { arms, bodyBytes, close } = await openWebhookArms(bench, { events });
  try {
    const results = await interleaveArms(rounds, arms);
    console.log(`calibration ${(await calibrate()).toFixed(1)}`);
    printArm(`raw undici, 50 connections, ${bodyBytes} bytes, signed`, results.raw);
    printArm('a backlog to one endpoint', results.one);
    printArm('a backlog to a hundred endpoints', results.hundred);
    printArm('from the first commit, one endpoint', results.commit);
    printArm('naive BullMQ sender, a backlog', results.naive);
    printArm('naive BullMQ sender, from the first commit', results.naiveCommit);
    printRatio('one endpoint to raw', results.one, results.raw);
    printRatio('a hundred endpoints to raw', results.hundred, results.raw);
    printRatio('from the first commit to raw', results.commit, results.raw);
    printRatio('one endpoint to naive', results.one, results.naive);
    printRatio('from the first commit to naive', results.commit, results.naiveCommit);
    printCpuRatio('one endpoint to naive', results.one, results.naive);
  } finally {
    await close();
  }
} finally {
  await bench.close();
}
