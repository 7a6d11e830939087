import type { Job } from 'bullmq';
import { expect } from 'chai';
import { startQueueWorker } from '../../src/workers/runtime.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

describe('a hint that a worker has taken', () => {
  let database: DatabaseFixture;
  let server: TestRedis;
  let workers: TestWorkers;
  before(async () => {
    database = await openDatabaseFixture();
    server = await startPrivateRedis();
    workers = await prepareWorkers(database, server.url);
  });
  after(async () => {
    await workers.stop();
    await server.remove();
    await database.close();
  });

  const down = () => Object.assign(new Error('Postgres is down.'), { code: 'ECONNREFUSED' });
  const hint = (): Promise<Job> => workers.deps.queues.maintenance.add('maintenance', {});
  const ended = (job: Job): Promise<'completed' | 'failed'> =>
    eventually(async () => {
      const state = await job.getState();
      return state === 'completed' || state === 'failed' ? state : null;
    });

  it('is kept and followed again after a fault of the machine', async () => {
    let runs = 0;
    const worker = startQueueWorker(workers.deps, 'maintenance', 1, async () => {
      runs += 1;
      if (runs < 3) throw down();
      return 'done';
    });
    try {
      expect(await ended(await hint())).to.equal('completed');
      expect(runs).to.equal(3);
    } finally {
      await worker.close();
    }
  });

  it('is not followed again after any other failure', async () => {
    let runs = 0;
    const worker = startQueueWorker(workers.deps, 'maintenance', 1, async () => {
      runs += 1;
      throw new Error('A bug.');
    });
    try {
      expect(await ended(await hint())).to.equal('failed');
      expect(runs).to.equal(1);
    } finally {
      await worker.close();
    }
  });

  it('is let go when the worker stops', async () => {
    let taken = (): void => undefined;
    const follows = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const worker = startQueueWorker(workers.deps, 'maintenance', 1, async () => {
      taken();
      throw down();
    });
    const job = await hint();
    await follows;
    await worker.close();
    expect(await job.getState()).to.equal('failed');
  });
});
