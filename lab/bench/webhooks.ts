import { interleaveArms, sayArm, sayCpuRatio, sayRatio } from './support/arms.ts';
import { calibrate } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
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
const rounds = Number(process.env.ROUNDS ?? 5);
const events = Number(process.env.EVENTS ?? 10_000);

buildPrograms();
const ground = await openBenchGround();
try {
  const { arms, bodyBytes, close } = await openWebhookArms(ground, { events });
  try {
    const found = await interleaveArms(rounds, arms);
    console.log(`calibration ${(await calibrate()).toFixed(1)}`);
    sayArm(`raw undici, 50 connections, ${bodyBytes} bytes, signed`, found.raw);
    sayArm('a backlog to one endpoint', found.one);
    sayArm('a backlog to a hundred endpoints', found.hundred);
    sayArm('from the first commit, one endpoint', found.commit);
    sayArm('naive BullMQ sender, a backlog', found.naive);
    sayArm('naive BullMQ sender, from the first commit', found.naiveCommit);
    sayRatio('one endpoint to raw', found.one, found.raw);
    sayRatio('a hundred endpoints to raw', found.hundred, found.raw);
    sayRatio('from the first commit to raw', found.commit, found.raw);
    sayRatio('one endpoint to naive', found.one, found.naive);
    sayRatio('from the first commit to naive', found.commit, found.naiveCommit);
    sayCpuRatio('one endpoint to naive', found.one, found.naive);
  } finally {
    await close();
  }
} finally {
  await ground.close();
}
