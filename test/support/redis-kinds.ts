import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { inProject } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { connectFailFast, endConnection } from '../../src/queues/connection.ts';
import { rejectUnfitRedis } from '../../src/queues/fitness.ts';
import { openDatabaseFixture } from './database-fixture.ts';
import { eventually } from './eventually.ts';
import { startReceiver } from './receiver.ts';
import { openRedisNodes, type RedisNodes } from './redis-nodes.ts';
import { checkout } from './run.ts';
import { openWebhookFixture } from './webhook-fixture.ts';
import { prepareWorkers } from './workers.ts';

/** The rights that docs/configuration.md says are enough, and those of a user of a cluster. */
const documented = readFileSync(join(checkout, 'docs', 'configuration.md'), 'utf8');
export const sufficientRights = /^~\{scriptorium\}.+$/m.exec(documented)?.[0];
export const sufficientClusterRights = `${sufficientRights} ${/In a cluster, add `(.+)`/.exec(documented)?.[1]}`;
/** A user with these rights, besides the test's own. */
export const aclLinesOf = (rights: string) => [
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
  runRounds(url: string, betweenRounds?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function openRedisKind(): Promise<RedisKind> {
  const database = await openDatabaseFixture();
  const nodes = await openRedisNodes();
  const fixture = await openWebhookFixture(database);
  const receiver = await startReceiver();
  await fixture.addEndpoint({ url: receiver.url, secret: receiver.secret });
  const addTasks = (count: number) =>
    inProject(database.api, fixture.projectId, (tx) =>
      schedule(
        tx,
        fixture.projectId,
        null,
        ...Array.from(
          { length: count },
          () => ({ kind: 'object.purge', payload: { object_id: newId('object') } }) as const,
        ),
      ),
    );
  const countTasks = async (): Promise<number> =>
    (await fixture.rows('SELECT FROM task WHERE project_id = $1', [fixture.projectId])).length;

  const work: RedisKind['runRounds'] = async (url, betweenRounds) => {
    const workers = await prepareWorkers(database, url);
    const ids: string[] = [];
    try {
      workers.start('relay', 'webhooks', 'maintenance');
      const round = async (): Promise<void> => {
        await addTasks(20);
        for (let at = 0; at < 10; at++) ids.push(await fixture.recordTrashed());
        workers.deps.wake();
      };
      await round();
      if (betweenRounds) {
        await receiver.untilReceived(1);
        await round();
        const killedAt = performance.now();
        await betweenRounds();
        const promotedAt = performance.now();
        await round();
        await receiver.untilReceived(ids.length);
        await eventually(async () => (await countTasks()) === 0);
        if (process.env.FAIL_OVER_TIMES) {
          const [promoted, done] = [promotedAt, performance.now()].map((at) =>
            Math.round(at - killedAt),
          );
          console.log(`killed at 0 ms, promoted at ${promoted} ms, all done at ${done} ms`);
        }
      }
      await receiver.untilReceived(ids.length);
      await eventually(async () => (await countTasks()) === 0);
      // Tasks only end through BullMQ.
      await eventually(
        async () => ((await workers.deps.queues.maintenance.getJobCounts()).completed ?? 0) > 0,
      );
      const receivedIds = receiver.requests.map(({ headers }) => headers['webhook-id']);
      expect(receivedIds.sort()).to.deep.equal(ids.sort());
    } finally {
      await workers.stop();
    }
  };
  return {
    nodes,
    runRounds: work,
    close: async () => {
      await receiver.close();
      await nodes.close();
      await database.close();
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
