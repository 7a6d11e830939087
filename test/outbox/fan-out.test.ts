import { expect } from 'chai';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import { type Bench, openBench } from '../support/endpoints.ts';
import { type Ground, openGround, originOf } from '../support/outbox.ts';
import { fanOutRound, numberRound } from '../support/relay-rounds.ts';

describe('event fan-out', () => {
  let ground: Ground;
  let bench: Bench;
  before(async () => {
    ground = await openGround();
  });
  after(() => ground.close());
  beforeEach(async () => {
    bench = await openBench(ground);
  });

  const number = () => inTransaction(ground.relay, numberRound);
  const fanOut = () => inTransaction(ground.relay, fanOutRound);
  const url = 'http://127.0.0.1:1/hook';
  const deliveries = () =>
    bench.rows<{ endpoint_id: string; type: string; state: string; due: boolean }>(
      `SELECT d.endpoint_id, e.type, d.state, due.id IS NOT NULL AS due
       FROM delivery d JOIN event e ON e.id = d.event_id LEFT JOIN due_delivery due ON due.id = d.id
       WHERE d.project_id = $1 ORDER BY e.ordinal, d.endpoint_id`,
      [bench.projectId],
    );
  const settings = (id: string, columns: string) =>
    bench.rows(`UPDATE webhook_endpoint SET ${columns} WHERE id = $1`, [id]);

  it('happens during numbering if it is small', async () => {
    const [a, b] = [
      await bench.endpoint({ url }),
      await bench.endpoint({ url, types: ['media.*', 'dam.object.trashed'] }),
    ];
    await number();
    await bench.trash();
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
    for (let at = 0; at < 15; at++) endpoints.push((await bench.endpoint({ url })).id);
    await number();
    await inProject(ground.api, bench.projectId, (tx) =>
      record(
        tx,
        originOf(bench.projectId),
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
    const owed = await bench.rows<{ owed: number }>(
      `SELECT DISTINCT owed FROM event WHERE project_id = $1 AND type = 'dam.object.trashed'`,
      [bench.projectId],
    );
    expect(owed).to.deep.equal([{ owed: 15 }]);
  });

  it('evaluates payload filters and creates no delivery for events that do not match', async () => {
    const filtered = await bench.endpoint({ url });
    const plain = await bench.endpoint({ url });
    await settings(
      filtered.id,
      `filter = '{"/data/changed": ["title", "tags"], "/resource_id": ["obj_1"]}'`,
    );
    await number();
    await bench.record('dam.object.updated', 'obj_1', { changed: ['alt_text', 'tags'] });
    await bench.record('dam.object.updated', 'obj_1', { changed: ['alt_text'] });
    await bench.record('dam.object.updated', 'obj_2', { changed: ['tags'] });
    expect((await number()).left).to.equal(true);
    await fanOut();
    const made = await deliveries();
    expect(made.filter(({ endpoint_id }) => endpoint_id === filtered.id)).to.have.length(1);
    expect(made.filter(({ endpoint_id }) => endpoint_id === plain.id)).to.have.length(3);
  });

  it('skips deliveries for a disabled endpoint and keeps them for a paused one', async () => {
    const [off, resting] = [await bench.endpoint({ url }), await bench.endpoint({ url })];
    await settings(off.id, `state = 'disabled'`);
    await settings(resting.id, `state = 'paused'`);
    await number();
    await bench.trash();
    expect((await (await number()).dispatch).waiting).to.deep.equal([]);
    const made = await deliveries();
    expect(made.map(({ endpoint_id, state, due }) => [endpoint_id, state, due])).to.deep.equal([
      [off.id, 'skipped', false],
      [resting.id, 'pending', true],
    ]);
  });

  it('handles event types that only a newer version knows', async () => {
    const [every, named] = [
      await bench.endpoint({ url, types: ['*'] }),
      await bench.endpoint({ url, types: ['documents.*'] }),
    ];
    await number();
    await inProject(ground.api, bench.projectId, (tx) =>
      query(
        tx,
        `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
         SELECT id_floor('evt', now()) || n, $1, c, t, 'thing', 'thg_1', '{}', 'system' FROM (VALUES
           (1, 'domain', 'dam.thing.happened'), (2, 'audit', 'dam.thing.denied')) AS e (n, c, t)`,
        [bench.projectId],
      ),
    );
    expect(await number()).to.include({ events: 2, left: false });
    const made = (await deliveries()).map(({ endpoint_id, type }) => [endpoint_id, type]);
    expect(made).to.deep.equal([[every.id, 'dam.thing.happened']]);
    expect(made.flat()).to.not.include(named.id);
  });
});
