import { once } from 'node:events';
import type { Arm } from '../arms.ts';
import { startChild } from '../children.ts';
import type { BenchGround } from '../ground.ts';
import { startNaiveSender } from '../naive/sender.ts';
import { openOutbox } from '../outbox.ts';
import { startBuilt, workerEnvironment } from '../programs.ts';
import { machineMs, startReceiver } from '../webhooks/receiver.ts';
import {
  byEight,
  openVariant,
  prepareBacklog,
  sendBacklog,
  sendFromCommit,
  type Variant,
} from '../webhooks/variant.ts';

/** Webhooks of the same size, signed in the same way. */
export interface WebhookArms {
  /** An undici Pool of fifty connections that records nothing. */
  raw: Arm;
  /** A backlog to one endpoint, to a hundred, and from the first commit to one. */
  one: Arm;
  hundred: Arm;
  commit: Arm;
  /** The naive sender, a BullMQ worker: a backlog, and from the first commit. */
  naive: Arm;
  naiveCommit: Arm;
}

interface WebhookLengths {
  /** Webhooks in a turn. */
  events: number;
  /** Ended deliveries of the one endpoint before the first turn. */
  history?: number;
}

/** Starts senders and a receiver, in separate processes, and warms them up. */
export async function openWebhookArms(
  ground: BenchGround,
  { events, history = 0 }: WebhookLengths,
): Promise<{ arms: WebhookArms; bodyBytes: number; close(): Promise<void> }> {
  const warmUp = Math.min(events, 2_000);
  /** The naive sender is slow, and equally fast with fewer. */
  const naiveEvents = Math.ceil(events / 5);
  /** The sender that records nothing is fast, and needs more for a measurable turn. */
  const rawEvents = 4 * events;
  const outbox = await openOutbox(ground);
  const receiver = await startReceiver(100);
  const sending = { ground, outbox, receiver };
  const one = await openVariant(sending, 1, 1, history);
  const hundred = await openVariant(sending, 4, 25);
  const worker = startBuilt(
    'worker',
    workerEnvironment(ground, { secretKey: outbox.secretKey, queues: 'relay,webhooks' }),
  );
  const naive = await startNaiveSender(ground);
  const naiveEndpoint = await naive.addEndpoint(`${receiver.origins[0]}/naive`);
  const raw = await startChild('webhooks/raw-process.ts', { ORIGIN: receiver.origins[0] });
  const stores = { Postgres: [ground.postgresPid], Redis: [ground.redisPid] };
  const close = async (): Promise<void> => {
    await worker.stop();
    await naive.close();
    await raw.end();
    await receiver.close();
    await outbox.close();
  };

  /** The size of the service's webhooks, as measured by the receiver. */
  let bodyBytes = 0;
  try {
    for (const variant of [one, hundred]) {
      await prepareBacklog(sending, variant, warmUp);
      bodyBytes = (await sendBacklog(sending, variant, warmUp)).bytes;
    }
    const { all } = await receiver.expect(naiveEvents);
    await byEight(naiveEvents, (count) => naive.commit(naiveEndpoint, ...Array(count).fill({})));
    await all;
    await ground.analyze();
  } catch (error) {
    await close();
    throw error;
  }

  const ours = (variant: Variant, prepare: boolean, send: typeof sendBacklog): Arm => ({
    watched: { bench: [process.pid], sender: [worker.pid], ...stores },
    prepare: () => (prepare ? prepareBacklog(sending, variant, events) : Promise.resolve()),
    async run() {
      const { rate } = await send(sending, variant, events);
      return { operations: events, rate };
    },
  });

  const rawTurn: Arm = {
    watched: { sender: [raw.pid] },
    async run() {
      const answer = once(raw.process, 'message');
      raw.process.send({ count: rawEvents, warmUp, bytes: bodyBytes });
      const [{ rate }] = await answer;
      return { operations: rawEvents + warmUp, rate };
    },
  };

  const naiveTurn = (prepare: boolean): Arm => {
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
  };

  const arms = {
    raw: rawTurn,
    one: ours(one, true, sendBacklog),
    hundred: ours(hundred, true, sendBacklog),
    commit: ours(one, false, sendFromCommit),
    naive: naiveTurn(true),
    naiveCommit: naiveTurn(false),
  };
  return { arms, bodyBytes, close };
}
