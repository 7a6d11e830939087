import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { inProject } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { connectFailFast, endConnection } from '../../src/queues/connection.ts';
import { rejectUnfitRedis } from '../../src/queues/fitness.ts';
import { openBench } from './endpoints.ts';
import { eventually } from './eventually.ts';
import { openGround } from './outbox.ts';
import { startReceiver } from './receiver.ts';
import { openRedisNodes, type RedisNodes } from './redis-nodes.ts';
import { checkout } from './run.ts';
import { prepareWorkers } from './workers.ts';

/** The rights that docs/configuration.md says are enough, and those of a user of a cluster. */
const documented = readFileSync(join(checkout, 'docs', 'configuration.md'), 'utf8');
export const enough = /^~\{scriptorium\}.+$/m.exec(documented)?.[0];
export const enoughInCluster = `${enough} ${/In a cluster, add `(.+)`/.exec(documented)?.[1]}`;
/** A user with these rights, besides the test's own. */
export const asUser = (rights: string) => [
  'user default on nopass ~* &* +@all',
  `user app on >secret ${rights}`,
];

/** The main flow over a kind of Redis. */
export interface RedisKind {
  nodes: RedisNodes;
  /**
   * Runs tasks and deliveries in rounds, with `between` after the first, and requires that all of
   * them are done, each once.
   */
  work(url: string, between?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function openRedisKind(): Promise<RedisKind> {
  const ground = await openGround();
  const nodes = await openRedisNodes();
  const bench = await openBench(ground);
  const receiver = await startReceiver();
  await bench.endpoint({ url: receiver.url, secret: receiver.secret });
  const addTasks = (count: number) =>
    inProject(ground.api, bench.projectId, (tx) =>
      schedule(
        tx,
        bench.projectId,
        null,
        ...Array.from(
          { length: count },
          () => ({ kind: 'object.purge', payload: { object_id: newId('object') } }) as const,
        ),
      ),
    );
  const tasksLeft = async (): Promise<number> =>
    (await bench.rows('SELECT FROM task WHERE project_id = $1', [bench.projectId])).length;

  const work: RedisKind['work'] = async (url, between) => {
    const workers = await prepareWorkers(ground, url);
    const ids: string[] = [];
    try {
      workers.start('relay', 'webhooks', 'maintenance');
      const round = async (): Promise<void> => {
        await addTasks(20);
        for (let at = 0; at < 10; at++) ids.push(await bench.trash());
        workers.deps.wake();
      };
      await round();
      if (between) {
        await receiver.received(1);
        await round();
        const killedAt = performance.now();
        await between();
        const promotedAt = performance.now();
        await round();
        await receiver.received(ids.length);
        await eventually(async () => (await tasksLeft()) === 0);
        if (process.env.FAIL_OVER_TIMES) {
          const [promoted, done] = [promotedAt, performance.now()].map((at) =>
            Math.round(at - killedAt),
          );
          console.log(`killed at 0 ms, promoted at ${promoted} ms, all done at ${done} ms`);
        }
      }
      await receiver.received(ids.length);
      await eventually(async () => (await tasksLeft()) === 0);
      // Tasks only end through BullMQ.
      await eventually(
        async () => ((await workers.deps.queues.maintenance.getJobCounts()).completed ?? 0) > 0,
      );
      const got = receiver.requests.map(({ headers }) => headers['webhook-id']);
      expect(got.sort()).to.deep.equal(ids.sort());
    } finally {
      await workers.stop();
    }
  };
  return {
    nodes,
    work,
    close: async () => {
      await receiver.close();
      await nodes.close();
      await ground.close();
    },
  };
}

/** Why a worker would not start with a Redis; null if it would. */
export async function rejectionOf(url: string): Promise<string | null> {
  const redis = connectFailFast(url, createLogger('silent', 'test'));
  try {
    await rejectUnfitRedis(redis);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    endConnection(redis);
  }
}
