import { mock } from 'node:test';
import { inProject, query } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

describe('a relay whose clock is two days ahead and stands still', () => {
  let database: DatabaseFixture;
  let server: TestRedis;
  let workers: TestWorkers;
  before(async () => {
    [database, server] = await Promise.all([openDatabaseFixture(), startPrivateRedis()]);
    workers = await prepareWorkers(database, server.url);
  });
  after(async () => {
    mock.timers.reset();
    await workers.stop();
    await Promise.all([database.close(), server.remove()]);
  });

  it('numbers one event after the other', async () => {
    const project = await database.createProject();
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * 86_400_000 });
    workers.start('relay');
    for (let numbered = 1; numbered <= 3; numbered++) {
      await inProject(database.api, project, (tx) =>
        record(tx, originOf(project), {
          type: 'dam.object.trashed',
          resourceId: 'obj_00000000000000000000000000',
          data: {},
        }),
      );
      workers.deps.wake();
      await eventually(async () => {
        const found = await inProject(database.api, project, (tx) =>
          query(tx, 'SELECT FROM event WHERE project_id = $1 AND sequence IS NOT NULL', [project]),
        );
        return found.length === numbered;
      });
    }
  });
});
