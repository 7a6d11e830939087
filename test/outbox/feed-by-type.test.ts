import { matchesType } from '@scriptorium/contracts/events/matches-type';
import { expect } from 'chai';
import { inProject, query } from '../../src/db/transaction.ts';
import { readBounds } from '../../src/outbox/feed/bounds.ts';
import { type FeedResult, readEvents, readPage } from '../../src/outbox/feed/feed.ts';
import { type FeedFilters, feedConditions } from '../../src/outbox/feed/filters.ts';
import { eventsOfTypes } from '../../src/outbox/feed/rare-types.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

const events = 9_000;

/** One type is frequent, one occurs now and then, two a few times, one of them in a later release. */
function typeOf(sequence: number): string {
  if ([7, 4_500, 4_501, 8_990].includes(sequence)) return 'dam.object.purged';
  if ([3_000, 6_000].includes(sequence)) return 'later.thing.happened';
  return sequence % 300 === 0 ? 'documents.job.succeeded' : 'dam.object.updated';
}

describe('the events of some types', () => {
  let database: DatabaseFixture;
  let projectId: string;
  before(async () => {
    database = await openDatabaseFixture();
    projectId = await database.createProject();
    const other = await database.createProject();
    for (const project of [projectId, other]) {
      await inProject(database.relay, project, async (tx) => {
        const types = Array.from({ length: events }, (_, at) => typeOf(at + 1));
        await tx.query(
          `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type, sequence, fanned_out_at)
           SELECT 'evt_' || right($1, 4) || lpad(n::text, 8, '0'), $1, 'domain', type, 'object', 'obj_' || n % 9, '{}', 'system', n, now()
           FROM unnest($2::text[]) WITH ORDINALITY AS t (type, n)`,
          [project, types],
        );
        await tx.query(`INSERT INTO sequence_counter VALUES ($1, 'domain', $2)`, [project, events]);
      });
    }
    await database.owner.query('ANALYZE event');
  });
  after(() => database.close());

  for (const types of [
    ['dam.object.purged'],
    ['dam.object.purged', 'later.thing.happened'],
    ['later.*', 'documents.*'],
    ['*.object.purged', 'dam.object.updated'],
    ['shares.*'],
  ]) {
    it(`are read page by page in both orders: ${types.join(', ')}`, async () => {
      const all = Array.from({ length: events }, (_, at) => at + 1);
      const expected = all.filter((n) => types.some((pattern) => matchesType(pattern, typeOf(n))));
      for (const order of ['asc', 'desc'] as const) {
        const found: number[] = [];
        let after: number | null = null;
        for (let more = true; more; ) {
          const from: number | null = after;
          const page: FeedResult = await inProject(database.api, projectId, (tx) =>
            readEvents(
              tx,
              projectId,
              { category: 'domain', types },
              { after: from, order, limit: expected.length > 100 ? 1_000 : 3 },
            ),
          );
          found.push(...page.events.map(({ sequence }) => sequence));
          after = page.position;
          more = page.hasMore;
        }
        expect(found).to.deep.equal(order === 'asc' ? expected : expected.toReversed());
      }
    });
  }

  it('are read up to a sequence, and together with other filters', async () => {
    const read = (filters: object, until: number) =>
      inProject(database.api, projectId, (tx) =>
        readEvents(
          tx,
          projectId,
          { category: 'domain', types: ['dam.object.purged', 'later.*'], ...filters },
          { after: 1_000, until, order: 'asc', limit: 10 },
        ),
      );
    const sequences = async (filters: object, until: number) =>
      (await read(filters, until)).events.map(({ sequence }) => sequence);
    expect(await sequences({}, 4_500)).to.deep.equal([3_000, 4_500]);
    expect(await sequences({ resourceId: ['obj_1'] }, events)).to.deep.equal([4_501]);
    expect(await sequences({ published: false }, events)).to.have.length(5);
    expect(await sequences({ published: true }, events)).to.deep.equal([]);
  });

  it('are looked up one by one only without other filters, which may exclude all of a type', async () => {
    const looked = async (filters: Partial<FeedFilters>) =>
      inProject(database.api, projectId, async (tx) => {
        const page = { after: null, order: 'asc', limit: 10 } as const;
        const wanted = { category: 'domain', types: ['dam.object.purged', 'later.*'] } as const;
        const bounds = await readBounds(tx, projectId, 'domain');
        return (await readPage(tx, projectId, { ...wanted, ...filters }, page, bounds))
          .usedTypeIndex;
      });
    expect(await looked({})).to.equal(true);
    expect(await looked({ occurredAfter: '2020-01-01T00:00:00Z' })).to.equal(true);
    for (const filters of [
      { published: true },
      { published: false },
      { resourceId: ['obj_10'] },
      { resourceType: ['share'] },
      { actorType: ['member'] },
      { actorId: ['mem_1'] },
      { address: ['192.0.2.1'] },
      { requestId: ['req_1'] },
    ]) {
      expect(await looked(filters), Object.keys(filters).join()).to.equal(false);
    }
  });

  const explain = (text: string, values: readonly unknown[]) =>
    inProject(database.api, projectId, async (tx) => {
      const rows = await query<{ 'QUERY PLAN': string }>(tx, `EXPLAIN ANALYZE ${text}`, [
        ...values,
      ]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });

  it('of one type are read by its index', async () => {
    const where = feedConditions(projectId, { category: 'domain', types: ['dam.object.purged'] });
    where.add('sequence > ?', 10);
    const plan = await explain(
      `SELECT id FROM event WHERE ${where.sql()} ORDER BY sequence LIMIT 10`,
      where.values,
    );
    expect(plan).to.match(/Index (Only )?Scan using event_\w*type.* on event_default/);
    expect(plan).to.match(/Index Cond: .*type = 'dam.object.purged'.*sequence > /);
  });

  it('of seldom types are found without reading the feed up to them', async () => {
    const where = feedConditions(projectId, { category: 'domain' });
    where.add('sequence > ?', 10);
    const source = eventsOfTypes(
      where,
      ['dam.object.purged', 'later.*'],
      'ORDER BY sequence LIMIT 4',
    );
    const plan = await explain(`SELECT id FROM ${source}`, where.values);
    expect(plan).to.match(/Index Cond: .*type = kind.type.*sequence > /);
    const passed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, n]) => Number(n));
    // The types that were not asked for.
    expect(passed.reduce((sum, n) => sum + n, 0)).to.be.at.most(4);
  });
});
