import { expect } from 'chai';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { claimTask } from '../../src/outbox/lease-queries.ts';
import { record, setCause } from '../../src/outbox/record.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';

const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const cause = { requestId: 'req_1', traceParent };

describe('the cause of events and tasks', () => {
  let database: DatabaseFixture;
  let project: string;
  before(async () => {
    database = await openDatabaseFixture();
    project = await database.createProject();
  });
  after(() => database.close());

  const trashed = {
    type: 'dam.object.trashed',
    resourceId: 'obj_1',
    data: {},
  } as const;
  const eventOf = (id: string) =>
    inTransaction(database.relay, async (tx) => {
      const [row] = await query<{ request_id: string | null; trace_parent: string | null }>(
        tx,
        'SELECT request_id, trace_parent FROM event WHERE id = $1',
        [id],
      );
      return row;
    });

  it('applies to its own transaction only', async () => {
    const [caused] = await inProject(database.worker, project, (tx) => {
      setCause(tx, cause);
      return record(tx, originOf(project), trashed);
    });
    expect(await eventOf(caused!)).to.deep.equal({
      request_id: 'req_1',
      trace_parent: traceParent,
    });
    const [other] = await inProject(database.worker, project, (tx) =>
      record(tx, originOf(project), trashed),
    );
    expect(await eventOf(other!)).to.deep.equal({ request_id: null, trace_parent: null });
  });

  it('yields to the request ID of an origin', async () => {
    const [id] = await inProject(database.worker, project, (tx) => {
      setCause(tx, cause);
      return record(tx, { ...originOf(project), requestId: 'req_2' }, trashed);
    });
    expect(await eventOf(id!)).to.deep.equal({ request_id: 'req_2', trace_parent: traceParent });
  });

  it('is passed with a task to its worker, without the trace for later tasks', async () => {
    const [now, later] = await inProject(database.api, project, (tx) => {
      setCause(tx, cause);
      return schedule(
        tx,
        project,
        project,
        { kind: 'project.tidy', payload: {} },
        { kind: 'project.tidy', payload: {}, dueInSeconds: 3_600 },
      );
    });
    const claim = (id: string) => inTransaction(database.worker, (tx) => claimTask(tx, id));
    expect(await claim(now!)).to.include(cause);
    await inTransaction(database.worker, (tx) =>
      query(tx, 'UPDATE task SET due_at = now() WHERE id = $1', [later]),
    );
    expect(await claim(later!)).to.include({ requestId: 'req_1', traceParent: null });
  });
});
