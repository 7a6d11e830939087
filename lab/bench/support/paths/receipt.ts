import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arm } from '../arms.ts';
import type { BenchGround } from '../ground.ts';
import { startNaiveSender } from '../naive/sender.ts';
import { openOutbox, smallEvent } from '../outbox.ts';
import { startBuilt, workerEnvironment } from '../programs.ts';
import { startDirect } from '../webhooks/direct.ts';
import { atRate, createReceipts } from '../webhooks/rate.ts';
import type { Trip } from '../webhooks/stages.ts';
import { fillEventHistory } from './history.ts';

export interface ReceiptLengths {
  /** Seconds of a turn. */
  seconds: number;
  /** Seconds until query plans and compiled code have stabilised. */
  warmUp: number;
  /** Events per second. */
  perSecond: number;
  /** The projects that commit in turn. */
  projects: number;
  /** Ended deliveries of one project before the first turn. */
  history?: number;
}

/** How events are committed. */
interface Committer {
  /** The processes that deliver them. */
  pids: readonly number[];
  commit(): Promise<{ id: string; committed: number }>;
  stop(): Promise<void>;
}

/** Measures the time from a commit to the receipt of its webhook, both in this process. */
export async function openReceipts(ground: BenchGround, lengths: ReceiptLengths) {
  const { seconds, warmUp, perSecond, projects, history = 0 } = lengths;
  const receipts = createReceipts();
  const receiver = createServer((request, response) => {
    receipts.arrived(String(request.headers['webhook-id']));
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  receiver.keepAliveTimeout = 60_000;
  await new Promise((resolve) => receiver.once('listening', resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const started: Committer[] = [];

  /** Commits at the given rate and waits for every receipt; returns the times in milliseconds. */
  const measure = async ({ commit }: Committer, length: number, trips: Trip[] = []) => {
    const latencies = await atRate(perSecond, length, async () => {
      const { id, committed } = await commit();
      const received = await receipts.of(id);
      const { timeOrigin } = performance;
      trips.push({ id, committed: timeOrigin + committed, received: timeOrigin + received });
      return received - committed;
    });
    return { operations: latencies.length, rate: perSecond, latencies };
  };

  /** Warms it up, and turns it into an arm. */
  const armOf = async (of: Committer, length: number, trips?: Trip[]): Promise<Arm> => {
    started.push(of);
    await measure(of, length);
    return {
      watched: {
        bench: [process.pid],
        Node: of.pids,
        Postgres: [ground.postgresPid],
        Redis: [ground.redisPid],
      },
      run: () => measure(of, seconds, trips),
    };
  };

  return {
    /**
     * Processes of this service with a separate database.
     * @param queues of each process
     * @param trips receives the measurements after the warm-up
     */
    async ours(at: BenchGround, queues: readonly string[], trips: Trip[] = []): Promise<Arm> {
      const outbox = await openOutbox(at);
      const ids = await Promise.all(Array.from({ length: projects }, () => at.project()));
      const endpoints: string[] = [];
      for (const id of ids)
        endpoints.push(await outbox.addEndpoint(id, { url: `${origin}/${id}` }));
      if (history > 0) {
        await fillEventHistory(at, { projectId: ids[0]!, endpointId: endpoints[0]! }, history);
      }
      const workers = queues.map((some) =>
        startBuilt('worker', workerEnvironment(at, { secretKey: outbox.secretKey, queues: some })),
      );
      let next = 0;
      return armOf(
        {
          pids: workers.map(({ pid }) => pid),
          async commit() {
            const [id] = await outbox.record(ids[next++ % ids.length]!, smallEvent());
            return { id: id!, committed: performance.now() };
          },
          async stop() {
            await Promise.all(workers.map((worker) => worker.stop()));
            await outbox.close();
          },
        },
        warmUp,
        trips,
      );
    },
    /** The naive BullMQ sender. */
    async naive(): Promise<Arm> {
      const sender = await startNaiveSender(ground);
      const ids: string[] = [];
      for (let at = 0; at < projects; at++) ids.push(await sender.addEndpoint(`${origin}/${at}`));
      let next = 0;
      return armOf(
        {
          pids: [sender.pid],
          commit: () => sender.commit(ids[next++ % ids.length]!, { pad: 'x'.repeat(300) }),
          stop: () => sender.close(),
        },
        warmUp,
      );
    },
    /** The minimal sender in this process. */
    async direct(): Promise<Arm> {
      const { commit, stop } = await startDirect(ground.benchSuperuserUrl, origin);
      return armOf({ pids: [], commit, stop }, warmUp / 4);
    },
    async close(): Promise<void> {
      for (const one of started) await one.stop();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
