import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arm } from '../arms.ts';
import type { Bench } from '../bench.ts';
import { startNaiveSender } from '../naive/sender.ts';
import { createSmallEvent, openOutbox } from '../outbox.ts';
import { startBuilt, workerEnvironment } from '../programs.ts';
import { startDirect } from '../webhooks/direct.ts';
import { atRate, createReceipts } from '../webhooks/receipts.ts';
import type { Trip } from '../webhooks/stages.ts';
import { fillEventHistory } from './history.ts';

export interface ReceiptOptions {
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
export async function openReceipts(bench: Bench, options: ReceiptOptions) {
  const { seconds, warmUp, perSecond, projects, history = 0 } = options;
  const receipts = createReceipts();
  const receiver = createServer((request, response) => {
    receipts.recordArrival(String(request.headers['webhook-id']));
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  receiver.keepAliveTimeout = 60_000;
  await new Promise((resolve) => receiver.once('listening', resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const committers: Committer[] = [];

  /** Commits at the given rate and waits for every receipt; returns the times in milliseconds. */
  const measure = async ({ commit }: Committer, length: number, trips: Trip[] = []) => {
    const latencies = await atRate(perSecond, length, async () => {
      const { id, committed } = await commit();
      const received = await receipts.waitForArrival(id);
      const { timeOrigin } = performance;
      trips.push({ id, committed: timeOrigin + committed, received: timeOrigin + received });
      return received - committed;
    });
    return { operations: latencies.length, rate: perSecond, latencies };
  };

  /** Warms it up, and turns it into an arm. */
  const warmUpArm = async (committer: Committer, length: number, trips?: Trip[]): Promise<Arm> => {
    committers.push(committer);
    await measure(committer, length);
    return {
      processes: {
        bench: [process.pid],
        Node: committer.pids,
        Postgres: [bench.postgresPid],
        Redis: [bench.redisPid],
      },
      run: () => measure(committer, seconds, trips),
    };
  };

  return {
    /**
     * Processes of this service with a separate database.
     * @param queues of each process
     * @param trips receives the measurements after the warm-up
     */
    async serviceArm(ownBench: Bench, queues: readonly string[], trips: Trip[] = []): Promise<Arm> {
      const outbox = await openOutbox(ownBench);
      const ids = await Promise.all(
        Array.from({ length: projects }, () => ownBench.createProject()),
      );
      const endpoints: string[] = [];
      for (const id of ids)
        endpoints.push(await outbox.addEndpoint(id, { url: `${origin}/${id}` }));
      if (history > 0) {
        await fillEventHistory(
          ownBench,
          { projectId: ids[0]!, endpointId: endpoints[0]! },
          history,
        );
      }
      const workers = queues.map((workerQueues) =>
        startBuilt(
          'worker',
          workerEnvironment(ownBench, { secretKey: outbox.secretKey, queues: workerQueues }),
        ),
      );
      let next = 0;
      return warmUpArm(
        {
          pids: workers.map(({ pid }) => pid),
          async commit() {
            const [id] = await outbox.record(ids[next++ % ids.length]!, createSmallEvent());
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
      const sender = await startNaiveSender(bench);
      const ids: string[] = [];
      for (let at = 0; at < projects; at++) ids.push(await sender.addEndpoint(`${origin}/${at}`));
      let next = 0;
      return warmUpArm(
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
      const { commit, stop } = await startDirect(bench.benchSuperuserUrl, origin);
      return warmUpArm({ pids: [], commit, stop }, warmUp / 4);
    },
    async close(): Promise<void> {
      for (const one of committers) await one.stop();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
