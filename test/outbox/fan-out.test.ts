import { expect } from 'chai';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { fanOutRound, numberRound } from '../support/relay-rounds.ts';
import { openWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

describe('event fan-out', () => {
  let database: DatabaseFixture;
  let fixture: WebhookFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());
  beforeEach(async () => {
    fixture = await openWebhookFixture(database);
  });

  const number = () => inTransaction(database.relay, numberRound);
  const fanOut = () => inTransaction(database.relay, fanOutRound);
  const url = 'http://127.0.0.1:1/hook';
  const deliveries = () =>
    fixture.rows<{ endpoint_id: string; type: string; state: string; due: boolean }>(
      `SELECT d.endpoint_id, e.type, d.state, due.id IS NOT NULL AS due
       FROM delivery d JOIN event e ON e.id = d.event_id LEFT JOIN due_delivery due ON due.id = d.id
       WHERE d.project_id = $1 ORDER BY e.ordinal, d.endpoint_id`,
      [fixture.projectId],
    );
  const settings = (id: string, columns: string) =>
    fixture.rows(`UPDATE webhook_endpoint SET ${columns} WHERE id = $1`, [id]);

  it('happens during numbering if it is small', async () => {
    const [a, b] = [
      await fixture.addEndpoint({ url }),
      await fixture.addEndpoint({ url, types: ['media.*', 'dam.object.trashed'] }),
    ];
    await number();
    await fixture.recordTrashed();
    const { dispatch, ...numbered } = await number();
    expect(numbered).to.include({ events: 1, left: false });
    expect((await dispatch).waiting).to.deep.equal([a.id, b.id].sort());
    expect(await fanOut()).to.deep.equal({ events: 0, batch: [], endpoints: [] });
    expect((await deliveries()).map(({ state, due }) => [state, due])).to.deep.equal([
      ['pending', true],
      ['pending', true],
    ]);
  });

  it('is left to separate rounds if numbering would wait too long for it', async () => {
    const endpoints: string[] = [];
    for (let at = 0; at < 15; at++) endpoints.push((await fixture.addEndpoint({ url })).id);
    await number();
    await inProject(database.api, fixture.projectId, (tx) =>
      record(
        tx,
        originOf(fixture.projectId),
        ...Array.from({ length: 100 }, (_, at) => ({
          type: 'dam.object.trashed' as const,
          resourceId: `obj_${at}`,
          data: {},
        })),
      ),
    );
    expect(await number()).to.include({ events: 100, left: true });
    expect(await deliveries()).to.have.length(66 * 15);
    const rest = await fanOut();
    expect(rest.events).to.equal(34);
    expect(rest.endpoints).to.deep.equal(endpoints.sort());
    expect(await deliveries()).to.have.length(1_500);
    const owed = await fixture.rows<{ owed: number }>(
      `SELECT DISTINCT owed FROM event WHERE project_id = $1 AND type = 'dam.object.trashed'`,
      [fixture.projectId],
    );
    expect(owed).to.deep.equal([{ owed: 15 }]);
  });

  it('evaluates payload filters and creates no delivery for events that do not match', async () => {
    const filtered = await fixture.addEndpoint({ url });
    const plain = await fixture.addEndpoint({ url });
    await settings(
      filtered.id,
      `filter = '{"/data/changed": ["title", "tags"], "/resource_id": ["obj_1"]}'`,
    );
    await number();
    await fixture.record('dam.object.updated', 'obj_1', { changed: ['alt_text', 'tags'] });
    await fixture.record('dam.object.updated', 'obj_1', { changed: ['alt_text'] });
    await fixture.record('dam.object.updated', 'obj_2', { changed: ['tags'] });
    expect((await number()).left).to.equal(true);
    await fanOut();
    const made = await deliveries();
    expect(made.filter(({ endpoint_id }) => endpoint_id === filtered.id)).to.have.length(1);
    expect(made.filter(({ endpoint_id }) => endpoint_id === plain.id)).to.have.length(3);
  });

  it('skips deliveries for a disabled endpoint and keeps them for a paused one', async () => {
    const [off, resting] = [await fixture.addEndpoint({ url }), await fixture.addEndpoint({ url })];
    await settings(off.id, `state = 'disabled'`);
    await settings(resting.id, `state = 'paused'`);
    await number();
    await fixture.recordTrashed();
    expect((await (await number()).dispatch).waiting).to.deep.equal([]);
    const made = await deliveries();
    expect(made.map(({ endpoint_id, state, due }) => [endpoint_id, state, due])).to.deep.equal([
      [off.id, 'skipped', false],
      [resting.id, 'pending', true],
    ]);
  });

  it('handles event types that only a newer version knows', async () => {
    const [every, named] = [
      await fixture.addEndpoint({ url, types: ['*'] }),
      await fixture.addEndpoint({ url, types: ['documents.*'] }),
    ];
    await number();
    await inProject(database.api, fixture.projectId, (tx) =>
      query(
        tx,
        `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
         SELECT id_floor('evt', now()) || n, $1, c, t, 'thing', 'thg_1', '{}', 'system' FROM (VALUES
           (1, 'domain', 'dam.thing.happened'), (2, 'audit', 'dam.thing.denied')) AS e (n, c, t)`,
        [fixture.projectId],
      ),
    );
    expect(await number()).to.include({ events: 2, left: false });
    const made = (await deliveries()).map(({ endpoint_id, type }) => [endpoint_id, type]);
    expect(made).to.deep.equal([[every.id, 'dam.thing.happened']]);
    expect(made.flat()).to.not.include(named.id);
  });
});
