import { expect } from 'chai';
import { inProject, query } from '../../../src/db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { createCollectionClient, objectRef } from '../../support/collections.ts';

const members = 2_000;

describe('the order of a large collection', () => {
  let api: TestApi;
  let collections: ReturnType<typeof createCollectionClient>;
  let id: string;
  const objectId = (n: number): string => `obj_${String(n).padStart(26, '0')}`;
  before(async () => {
    api = await startApi();
    collections = createCollectionClient(api);
    id = await collections.make({});
    await api.rows(
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
       SELECT 'obj_' || lpad(n::text, 26, '0'), $1, 'available', 'f', 'text/plain', 1, repeat('b', 64), 'upload'
       FROM generate_series(1, $2::integer) n`,
      [api.projectId, members],
    );
    // Every tenth member is hidden, as if it were in the trash.
    await api.rows(
      `INSERT INTO collection_member (project_id, collection_id, resource_type, resource_id, position, hidden)
       SELECT $1, $2, 'object', 'obj_' || lpad(n::text, 26, '0'), 'f' || lpad(n::text, 6, '0'), n % 10 = 0
       FROM generate_series(1, $3::integer) n`,
      [api.projectId, id, members],
    );
    await api.rows(
      `UPDATE collection SET member_count = (SELECT count(*) FROM collection_member WHERE NOT hidden)`,
    );
    await api.rows('ANALYZE');
  });
  after(() => api.close());

  it('is rebalanced around one position only, including hidden members', async () => {
    const positions = () =>
      api.rows<{ resource_id: string; position: string }>(
        'SELECT resource_id, position FROM collection_member ORDER BY position',
      );
    // The state after many moves to one position: no room after the thousandth member.
    await api.rows('UPDATE collection_member SET position = $1 WHERE resource_id = $2', [
      `f001000${'0'.repeat(92)}1`,
      objectId(1_001),
    ]);
    const before = await positions();
    const moved = await collections.move(id, objectRef(objectId(5)), {
      after: objectRef(objectId(1_000)),
    });
    expect(moved.status, moved.text).to.equal(200);
    const after = await positions();
    const order = before.map((one) => one.resource_id).filter((one) => one !== objectId(5));
    order.splice(order.indexOf(objectId(1_000)) + 1, 0, objectId(5));
    expect(after.map((one) => one.resource_id)).to.deep.equal(order);
    expect(new Set(after.map((one) => one.position)).size).to.equal(members);
    const was = new Map(before.map((one) => [one.resource_id, one.position]));
    const changed = after.filter((one) => was.get(one.resource_id) !== one.position);
    expect(changed.length).to.be.within(2, 130);
    expect(Math.max(...after.map((one) => one.position.length))).to.be.at.most(20);
  });

  it('is read by an index from any position, as are the collections of a resource', async () => {
    const plan = async (sql: string, values: unknown[]): Promise<string> =>
      inProject(api.deps.database, api.projectId, async (tx) => {
        const rows = await query<{ 'QUERY PLAN': string }>(tx, `EXPLAIN ${sql}`, values);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
    const page = await plan(
      `SELECT resource_id FROM collection_member m WHERE m.project_id = $1 AND m.collection_id = $2
         AND m.hidden = false AND m.position > $3 ORDER BY m.position LIMIT 50`,
      [api.projectId, id, 'f001500'],
    );
    expect(page).to.include('collection_member_order').and.not.include('Sort');
    expect(page).to.match(/Index Cond: .*position"? > /);
    const holders = await plan(
      `SELECT collection_id FROM collection_member m WHERE m.project_id = $1
         AND m.resource_type = $2 AND m.resource_id = $3 AND m.hidden = false`,
      [api.projectId, 'object', objectId(7)],
    );
    expect(holders).to.include('collection_member_of').and.not.include('Seq Scan');
  });
});
