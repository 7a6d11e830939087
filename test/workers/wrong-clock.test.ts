import { mock } from 'node:test';
import { inProject, query } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import { eventually } from '../support/eventually.ts';
import { type Ground, openGround, originOf } from '../support/outbox.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

describe('a relay whose clock is two days ahead and stands still', () => {
  let ground: Ground;
  let server: TestRedis;
  let workers: TestWorkers;
  before(async () => {
    [ground, server] = await Promise.all([openGround(), startPrivateRedis()]);
    workers = await prepareWorkers(ground, server.url);
  });
  after(async () => {
    mock.timers.reset();
    await workers.stop();
    await Promise.all([ground.close(), server.remove()]);
  });

  it('numbers one event after the other', async () => {
    const project = await ground.project();
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * 86_400_000 });
    workers.start('relay');
    for (let numbered = 1; numbered <= 3; numbered++) {
      await inProject(ground.api, project, (tx) =>
        record(tx, originOf(project), {
          type: 'dam.object.trashed',
          resourceId: 'obj_00000000000000000000000000',
          data: {},
        }),
      );
      workers.deps.wake();
      await eventually(async () => {
        const found = await inProject(ground.api, project, (tx) =>
          query(tx, 'SELECT FROM event WHERE project_id = $1 AND sequence IS NOT NULL', [project]),
        );
        return found.length === numbered;
      });
    }
  });
});
