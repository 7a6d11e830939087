import { expect } from 'chai';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { numberRound } from '../support/relay-rounds.ts';

describe('event numbering', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  const trash = (projectId: string, resourceId: string) =>
    inProject(database.api, projectId, (tx) =>
      record(tx, originOf(projectId), { type: 'dam.object.trashed', resourceId, data: {} }),
    );
  const sequences = (projectId: string) =>
    inProject(database.api, projectId, (tx) =>
      prepared<{ sequence: number; resource_id: string; body: string }>(
        tx,
        'SELECT sequence, resource_id, body FROM event WHERE sequence IS NOT NULL ORDER BY sequence',
        [],
      ),
    );
  const numberAll = async () => {
    while ((await inTransaction(database.relay, numberRound)).events > 0);
  };

  it('numbers each project from 1 without gaps, in the order of recording', async () => {
    const [a, b] = [await database.createProject(), await database.createProject()];
    for (const at of [1, 2, 3]) await trash(a, `obj_a${at}`);
    await trash(b, 'obj_b1');
    await numberAll();
    expect((await sequences(a)).map((row) => [row.sequence, row.resource_id])).to.deep.equal([
      [1, 'obj_a1'],
      [2, 'obj_a2'],
      [3, 'obj_a3'],
    ]);
    expect((await sequences(b)).map((row) => row.sequence)).to.deep.equal([1]);
  });

  it('gives a late commit the next number, so that no reader has passed it', async () => {
    const project = await database.createProject();
    let commit = (): void => undefined;
    let begun = (): void => undefined;
    const recorded = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const late = inProject(database.api, project, async (tx) => {
      await record(tx, originOf(project), {
        type: 'dam.object.trashed',
        resourceId: 'obj_late',
        data: {},
      });
      // Once a later statement is answered, the recorded event is sent and has its ordinal.
      await prepared(tx, 'SELECT 1', []);
      begun();
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await recorded;
    await trash(project, 'obj_early');
    await numberAll();
    expect((await sequences(project)).map((row) => row.resource_id)).to.deep.equal(['obj_early']);
    commit();
    await late;
    await numberAll();
    expect((await sequences(project)).map((row) => [row.sequence, row.resource_id])).to.deep.equal([
      [1, 'obj_early'],
      [2, 'obj_late'],
    ]);
  });

  it('covers events from a given ID on, or all of them', async () => {
    const project = await database.createProject();
    const [early] = await trash(project, 'obj_1');
    const [late] = await trash(project, 'obj_2');
    const from = async (since?: string) =>
      (await inTransaction(database.relay, (tx) => numberRound(tx, 'none', since))).events;
    expect(await from(`${late}0`)).to.equal(0);
    expect(await from(late)).to.equal(1);
    expect(await from()).to.equal(1);
    expect(early! < late!).to.equal(true);
  });

  it('leaves no gap for a transaction that rolls back', async () => {
    const project = await database.createProject();
    await trash(project, 'obj_1');
    await inProject(database.api, project, async (tx) => {
      await record(tx, originOf(project), {
        type: 'dam.object.trashed',
        resourceId: 'obj_never',
        data: {},
      });
      throw new Error('undone');
    }).catch(() => undefined);
    await trash(project, 'obj_2');
    await numberAll();
    expect((await sequences(project)).map((row) => [row.sequence, row.resource_id])).to.deep.equal([
      [1, 'obj_1'],
      [2, 'obj_2'],
    ]);
  });

  it('stays gapless and complete with many writers and two relays', async () => {
    const project = await database.createProject();
    let writing = true;
    const relays = [1, 2].map(async () => {
      while (writing) await inTransaction(database.relay, numberRound);
    });
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let at = 0; at < 25; at++) await trash(project, `obj_${writer}_${at}`);
      }),
    );
    writing = false;
    await Promise.all(relays);
    await numberAll();
    const rows = await sequences(project);
    expect(rows.map((row) => row.sequence)).to.deep.equal(
      Array.from({ length: 200 }, (_, at) => at + 1),
    );
    expect(new Set(rows.map((row) => row.resource_id)).size).to.equal(200);
  });

  it('freezes the body of a webhook, with the fields of the API', async () => {
    const project = await database.createProject();
    await trash(project, 'obj_body');
    await numberAll();
    const body: unknown = JSON.parse((await sequences(project))[0]!.body);
    expect(body).to.include({
      type: 'dam.object.trashed',
      project_id: project,
      resource_id: 'obj_body',
      sequence: 1,
    });
    expect(body).to.have.all.keys(
      'id',
      'type',
      'timestamp',
      'project_id',
      'resource_type',
      'resource_id',
      'category',
      'sequence',
      'occurred_at',
      'actor',
      'request_id',
      'data',
    );
    expect(body)
      .to.have.property('timestamp')
      .that.matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('rejects data that does not match the type, and undoes the change with it', async () => {
    const project = await database.createProject();
    const outcome = await inProject(database.api, project, (tx) =>
      record(tx, originOf(project), {
        type: 'dam.object.trashed',
        resourceId: 'obj_x',
        data: { extra: 1 },
      }),
    ).then(
      () => 'recorded',
      (error: Error) => error.message,
    );
    expect(outcome).to.include('dam.object.trashed').and.include('additional');
  });
});
