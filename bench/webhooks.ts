import { once } from 'node:events';
import { type Arm, interleaveArms, sayArm, sayCpuRatio, sayRatio } from './support/arms.ts';
import { startChild } from './support/children.ts';
import { calibrate } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { startNaiveSender } from './support/naive/sender.ts';
import { openOutbox } from './support/outbox.ts';
import { buildPrograms, startBuilt, workerEnvironment } from './support/programs.ts';
import { machineMs, startReceiver } from './support/webhooks/receiver.ts';
import {
  byEight,
  openVariant,
  prepareBacklog,
  sendBacklog,
  sendFromCommit,
  type Variant,
} from './support/webhooks/variant.ts';

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
const warmUp = Math.min(events, 2_000);
/** The naive sender is slow, and as fast with fewer. */
const naiveEvents = Math.ceil(events / 5);

buildPrograms();
const ground = await openBenchGround();
const outbox = await openOutbox(ground);
const receiver = await startReceiver(100);
const sending = { ground, outbox, receiver };
const worker = startBuilt(
  'worker',
  workerEnvironment(ground, { secretKey: outbox.secretKey, queues: 'relay,webhooks' }),
);
const naive = await startNaiveSender(ground);
const naiveEndpoint = await naive.addEndpoint(`${receiver.origins[0]}/naive`);
const raw = await startChild('webhooks/raw-process.ts', { ORIGIN: receiver.origins[0] });
/** The size of our webhooks, as the receiver measured it. */
let bodyBytes = 0;

const stores = { Postgres: [ground.postgresPid], Redis: [ground.redisPid] };

function ours(variant: Variant, prepare: boolean, send: typeof sendBacklog): Arm {
  return {
    watched: { bench: [process.pid], sender: [worker.pid], ...stores },
    prepare: () => (prepare ? prepareBacklog(sending, variant, events) : Promise.resolve()),
    async run() {
      const { rate } = await send(sending, variant, events);
      return { operations: events, rate };
    },
  };
}

const rawTurn: Arm = {
  watched: { sender: [raw.pid] },
  async run() {
    const answer = once(raw.process, 'message');
    raw.process.send({ count: events, warmUp, bytes: bodyBytes });
    const [{ rate }] = await answer;
    return { operations: events + warmUp, rate };
  },
};

function naiveTurn(prepare: boolean): Arm {
  const pad = { pad: 'x'.repeat(Math.max(0, bodyBytes - 150)) };
  const commit = () =>
    byEight(naiveEvents, (count) => naive.commit(naiveEndpoint, ...Array(count).fill(pad)));
  return {
    watched: { bench: [process.pid], sender: [naive.pid], ...stores },
    async prepare() {
      await naive.pause(prepare);
      if (prepare) await commit();
    },
    async run() {
      const { all } = await receiver.expect(naiveEvents);
      const start = machineMs();
      if (prepare) await naive.pause(false);
      else await commit();
      const { at } = await all;
      await naive.idle();
      return { operations: naiveEvents, rate: (naiveEvents * 1_000) / (at - start) };
    },
  };
}

try {
  const one = await openVariant(sending, 1, 1);
  const hundred = await openVariant(sending, 4, 25);
  for (const variant of [one, hundred]) {
    await prepareBacklog(sending, variant, warmUp);
    bodyBytes = (await sendBacklog(sending, variant, warmUp)).bytes;
  }
  const { all } = await receiver.expect(naiveEvents);
  await byEight(naiveEvents, (count) => naive.commit(naiveEndpoint, ...Array(count).fill({})));
  await all;
  await ground.analyze();
  const found = await interleaveArms(rounds, {
    raw: rawTurn,
    one: ours(one, true, sendBacklog),
    hundred: ours(hundred, true, sendBacklog),
    commit: ours(one, false, sendFromCommit),
    naive: naiveTurn(true),
    naiveCommit: naiveTurn(false),
  });
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
  await worker.stop();
  await naive.close();
  await raw.end();
  await receiver.close();
  await outbox.close();
  await ground.close();
}
