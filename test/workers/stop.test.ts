import { newId } from '@scriptorium/contracts/ids';
import { inProject, prepared } from '../../src/db/transaction.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

/** Each of these hangs until mocha's timeout if a worker waits for a Redis that does not come. */
describe('stopping workers without Redis', () => {
  let database: DatabaseFixture;
  let server: TestRedis;
  let workers: TestWorkers;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());
  beforeEach(async () => {
    server = await startPrivateRedis();
    workers = await prepareWorkers(database, server.url);
  });
  afterEach(() => server.remove());

  it('ends while they wait for work', async () => {
    workers.start('relay', 'maintenance', 'webhooks');
    await beating();
    await server.kill();
    await workers.stop(500);
  });

  it('ends if Redis was never available', async () => {
    await server.kill();
    workers.start('relay', 'maintenance', 'webhooks');
    await beating();
    await workers.stop(500);
  });

  it('ends with a task in progress, which is released', async () => {
    const project = await database.createProject();
    const id = newId('object');
    // Its purge waits for a lock that this test holds.
    await inProject(database.api, project, (tx) =>
      prepared(
        tx,
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, trashed_at)
         VALUES ($1, $2, 'trashed', 'a.txt', 'text/plain', 1, repeat('a', 64), 'upload', now() - interval '1 year')`,
        [id, project],
      ),
    );
    await inProject(database.worker, project, async (tx) => {
      await prepared(tx, 'SELECT FROM object WHERE id = $1 FOR UPDATE', [id]);
      await inProject(database.api, project, (other) =>
        schedule(other, project, id, { kind: 'object.purge', payload: { object_id: id } }),
      );
      workers.start('relay', 'maintenance');
      await eventually(async () => (await tasks(project))[0]?.state === 'running');
      await server.kill();
    });
    await workers.stop(500);
  });

  const tasks = (project: string) =>
    inProject(database.worker, project, (tx) =>
      prepared<{ state: string }>(tx, 'SELECT state FROM task WHERE project_id = $1', [project]),
    );
  const beating = () =>
    eventually(async () => {
      const [row] = await inProject(database.worker, 'none', (tx) =>
        prepared<{ n: number }>(tx, 'SELECT count(*) AS n FROM worker', []),
      );
      return row!.n >= 2;
    });
});
