import { newId } from '@scriptorium/contracts/ids';
import { inProject, prepared } from '../../src/db/transaction.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { eventually } from '../support/eventually.ts';
import { type Ground, openGround } from '../support/outbox.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

/** Each of these hangs until mocha's timeout if a worker waits for a Redis that does not come. */
describe('stopping workers without Redis', () => {
  let ground: Ground;
  let server: TestRedis;
  let workers: TestWorkers;
  before(async () => {
    ground = await openGround();
  });
  after(() => ground.close());
  beforeEach(async () => {
    server = await startPrivateRedis();
    workers = await prepareWorkers(ground, server.url);
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
    const project = await ground.project();
    const id = newId('object');
    // Its purge waits for a lock that this test holds.
    await inProject(ground.api, project, (tx) =>
      prepared(
        tx,
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, trashed_at)
         VALUES ($1, $2, 'trashed', 'a.txt', 'text/plain', 1, repeat('a', 64), 'upload', now() - interval '1 year')`,
        [id, project],
      ),
    );
    await inProject(ground.worker, project, async (tx) => {
      await prepared(tx, 'SELECT FROM object WHERE id = $1 FOR UPDATE', [id]);
      await inProject(ground.api, project, (other) =>
        schedule(other, project, id, { kind: 'object.purge', payload: { object_id: id } }),
      );
      workers.start('relay', 'maintenance');
      await eventually(async () => (await tasks(project))[0]?.state === 'running');
      await server.kill();
    });
    await workers.stop(500);
  });

  const tasks = (project: string) =>
    inProject(ground.worker, project, (tx) =>
      prepared<{ state: string }>(tx, 'SELECT state FROM task WHERE project_id = $1', [project]),
    );
  const beating = () =>
    eventually(async () => {
      const [row] = await inProject(ground.worker, 'none', (tx) =>
        prepared<{ n: number }>(tx, 'SELECT count(*) AS n FROM worker', []),
      );
      return row!.n >= 2;
    });
});
