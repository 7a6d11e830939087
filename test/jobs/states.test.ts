import { jobStates, operationStates } from '@scriptorium/contracts/jobs';
import { expect } from 'chai';
import { inProject, send } from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

describe('enum types for states in Postgres', () => {
  let database: DatabaseFixture;
  let projectId: string;
  before(async () => {
    database = await openDatabaseFixture();
    projectId = await database.createProject();
  });
  after(() => database.close());

  /** Writes a job and one operation of it; returns `done` or the error. */
  const write = (id: string, job: string, operation: string): Promise<string> =>
    inProject(database.owner, projectId, async (tx) => {
      send(
        tx,
        `INSERT INTO job (project_id, id, source_object_id, origin, state)
         VALUES ($1, $2, 'obj_1', '{}', $3)`,
        [projectId, id, job],
      );
      send(
        tx,
        `INSERT INTO job_operation (project_id, job_id, index, op, options, state)
         VALUES ($1, $2, 0, 'ocr', '{}', $3)`,
        [projectId, id, operation],
      );
    }).then(
      () => 'done',
      (error) => String(error.message),
    );
  /** Updates the rows from `write`. */
  const change = (table: 'job' | 'job_operation', state: string): Promise<string> =>
    inProject(database.owner, projectId, async (tx) =>
      send(tx, `UPDATE ${table} SET state = $2 WHERE project_id = $1`, [projectId, state]),
    ).then(
      () => 'done',
      (error) => String(error.message),
    );

  it('accept the states in the contracts', async () => {
    for (const state of jobStates) {
      expect(await write(`job_${state}`, state, 'pending')).to.equal('done');
    }
    for (const state of operationStates) {
      expect(await write(`job_of_${state}`, 'queued', state)).to.equal('done');
    }
  });

  it('reject all others', async () => {
    for (const state of ['', 'done', 'Queued', 'queued ', 'skipped']) {
      const refusal = `invalid input value for enum job_state: "${state}"`;
      expect(await write('job_no', state, 'pending')).to.equal(refusal);
      expect(await change('job', state)).to.equal(refusal);
    }
    for (const state of ['', 'done', 'Pending', 'pending ', 'queued']) {
      const refusal = `invalid input value for enum operation_state: "${state}"`;
      expect(await write('job_no', 'queued', state)).to.equal(refusal);
      expect(await change('job_operation', state)).to.equal(refusal);
    }
  });
});
