import { once } from 'node:events';
import type { Arm } from '../arms.ts';
import type { Bench } from '../bench.ts';
import { startChild } from '../children.ts';
import { startNaiveSender } from '../naive/sender.ts';
import { openOutbox } from '../outbox.ts';
import { startBuilt, workerEnvironment } from '../programs.ts';
import { machineMs, startReceiver } from '../webhooks/receiver.ts';
import {
  inEightLoops,
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

interface WebhookOptions {
  /** Webhooks in a turn. */
  events: number;
  /** Ended deliveries of the one endpoint before the first turn. */
  history?: number;
}

/** Starts senders and a receiver, in separate processes, and warms them up. */
export async function openWebhookArms(
  bench: Bench,
  { events, history = 0 }: WebhookOptions,
): Promise<{ arms: WebhookArms; bodyBytes: number; close(): Promise<void> }> {
  const warmUp = Math.min(events, 2_000);
  /** The naive sender is slow, and equally fast with fewer. */
  const naiveEvents = Math.ceil(events / 5);
  /** The sender that records nothing is fast, and needs more for a measurable turn. */
  const rawEvents = 4 * events;
  const outbox = await openOutbox(bench);
  const receiver = await startReceiver(100);
  const setup = { bench, outbox, receiver };
  const oneEndpoint = await openVariant(setup, 1, 1, history);
  const hundredEndpoints = await openVariant(setup, 4, 25);
  const worker = startBuilt(
    'worker',
    workerEnvironment(bench, { secretKey: outbox.secretKey, queues: 'relay,webhooks' }),
  );
  const naive = await startNaiveSender(bench);
  const naiveEndpoint = await naive.addEndpoint(`${receiver.origins[0]}/naive`);
  const raw = await startChild('webhooks/raw-process.ts', { ORIGIN: receiver.origins[0] });
  const stores = { Postgres: [bench.postgresPid], Redis: [bench.redisPid] };
  const close = async (): Promise<void> => {
    await worker.stop();
    await naive.close();
    await raw.kill();
    await receiver.close();
    await outbox.close();
  };

  /** The size of the service's webhooks, as measured by the receiver. */
  let bodyBytes = 0;
  try {
    for (const variant of [oneEndpoint, hundredEndpoints]) {
      await prepareBacklog(setup, variant, warmUp);
      bodyBytes = (await sendBacklog(setup, variant, warmUp)).bytes;
    }
    const { all } = await receiver.expect(naiveEvents);
    await inEightLoops(naiveEvents, (count) =>
      naive.commit(naiveEndpoint, ...Array(count).fill({})),
    );
    await all;
    await bench.analyze();
  } catch (error) {
    await close();
    throw error;
  }

  const serviceArm = (variant: Variant, hasBacklog: boolean, send: typeof sendBacklog): Arm => ({
    processes: { bench: [process.pid], sender: [worker.pid], ...stores },
    prepare: () => (hasBacklog ? prepareBacklog(setup, variant, events) : Promise.resolve()),
    async run() {
      const { rate } = await send(setup, variant, events);
      return { operations: events, rate };
    },
  });

  const rawArm: Arm = {
    processes: { sender: [raw.pid] },
    async run() {
      const reply = once(raw.process, 'message');
      raw.process.send({ count: rawEvents, warmUp, bytes: bodyBytes });
      const [{ rate }] = await reply;
      return { operations: rawEvents + warmUp, rate };
    },
  };

  const naiveArm = (prepare: boolean): Arm => {
    const pad = { pad: 'x'.repeat(Math.max(0, bodyBytes - 150)) };
    const commit = () =>
      inEightLoops(naiveEvents, (count) => naive.commit(naiveEndpoint, ...Array(count).fill(pad)));
    return {
      processes: { bench: [process.pid], sender: [naive.pid], ...stores },
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
        await naive.untilIdle();
        return { operations: naiveEvents, rate: (naiveEvents * 1_000) / (at - start) };
      },
    };
  };

  const arms = {
    raw: rawArm,
    one: serviceArm(oneEndpoint, true, sendBacklog),
    hundred: serviceArm(hundredEndpoints, true, sendBacklog),
    commit: serviceArm(oneEndpoint, false, sendFromCommit),
    naive: naiveArm(true),
    naiveCommit: naiveArm(false),
  };
  return { arms, bodyBytes, close };
}
