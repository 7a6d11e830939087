import { systemOrigin } from '@scriptorium/contracts/origin';
import { expect } from 'chai';
import {
  type InTransaction,
  inProject,
  inTransaction,
  prepared,
  query,
} from '../../src/db/transaction.ts';
import { acknowledgeEvents, acknowledgeUpTo } from '../../src/outbox/feed/acknowledge.ts';
import { acknowledgeAhead, commit, seek } from '../../src/outbox/feed/consumers/move.ts';
import { createConsumer } from '../../src/outbox/feed/consumers/store.ts';
import { countEvents, type FeedResult, readEvents } from '../../src/outbox/feed/feed.ts';
import { type FeedFilters, feedConditions } from '../../src/outbox/feed/filters.ts';
import {
  removePublishedStretches,
  type StretchPosition,
  unpublishedEvents,
} from '../../src/outbox/feed/unpublished.ts';
import { record } from '../../src/outbox/record.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { createPick } from '../support/random.ts';
import { numberRound } from '../support/relay-rounds.ts';

const unpublished: FeedFilters = { category: 'domain', published: false };

describe('unpublished events', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  /** Records and numbers events of a project; returns their IDs. */
  const number = async (project: string, count: number): Promise<string[]> => {
    const ids = await inProject(database.api, project, (tx) =>
      record(
        tx,
        originOf(project),
        ...Array.from({ length: count }, (_, at) => ({
          type: 'dam.object.trashed' as const,
          resourceId: `obj_${at}`,
          data: {},
        })),
      ),
    );
    while ((await inTransaction(database.relay, numberRound)).events > 0);
    return ids;
  };
  const publish = (project: string, eventIds: readonly string[]) =>
    inProject(database.api, project, (tx) => acknowledgeEvents(tx, project, eventIds));
  const forget = async (): Promise<number> => {
    let forgotten = 0;
    let place: StretchPosition | null = null;
    do {
      const round = await inTransaction(database.relay, (tx) =>
        removePublishedStretches(tx, place),
      );
      forgotten += round.forgotten;
      place = round.next;
    } while (place);
    return forgotten;
  };
  const stretches = async (project: string): Promise<number[]> => {
    const rows = await inProject(database.api, project, (tx) =>
      prepared<{ stretch: number }>(
        tx,
        'SELECT stretch FROM unpublished_stretch ORDER BY stretch',
        [],
      ),
    );
    return rows.map(({ stretch }) => stretch);
  };
  /** The unpublished events by their rows, without the stretches. */
  const truth = async (project: string): Promise<number[]> => {
    const rows = await inProject(database.api, project, (tx) =>
      prepared<{ sequence: number }>(
        tx,
        `SELECT sequence FROM event WHERE category = 'domain' AND sequence IS NOT NULL
           AND published_at IS NULL ORDER BY sequence`,
        [],
      ),
    );
    return rows.map(({ sequence }) => sequence);
  };
  const readAll = async (project: string, order: 'asc' | 'desc', limit: number) => {
    const found: number[] = [];
    let after: number | null = null;
    for (;;) {
      const from: number | null = after;
      const page: FeedResult = await inProject(database.api, project, (tx) =>
        readEvents(tx, project, unpublished, { after: from, order, limit }),
      );
      found.push(...page.events.map(({ sequence }) => sequence));
      if (!page.hasMore) return found;
      after = page.position;
    }
  };

  it('are found in both orders and on every page while others are published', async () => {
    const pick = createPick(7);
    const project = await database.createProject();
    const open: string[] = [];
    for (let round = 0; round < 12; round++) {
      open.push(...(await number(project, 1 + pick(150))));
      // Long runs and single ones.
      const from = pick(open.length);
      await publish(project, open.splice(from, 1 + pick(120)));
      if (open.length > 0) await publish(project, open.splice(pick(open.length), 1));
      if (pick(2) === 0) await forget();
      const expected = await truth(project);
      expect(expected.length).to.equal(open.length);
      const limit = 1 + pick(70);
      expect(await readAll(project, 'asc', limit)).to.deep.equal(expected);
      expect(await readAll(project, 'desc', limit)).to.deep.equal(expected.toReversed());
      const counted = await inProject(database.api, project, (tx) =>
        countEvents(tx, project, unpublished),
      );
      expect(counted).to.equal(expected.length);
    }
  });

  it('are acknowledged up to a sequence and no further', async () => {
    const project = await database.createProject();
    await number(project, 200);
    const upTo = (upToSequence: number) =>
      acknowledgeUpTo((work) => inProject(database.api, project, work), project, upToSequence);
    expect(await upTo(130)).to.equal(130);
    expect(await upTo(130)).to.equal(0);
    await forget();
    expect(await truth(project)).to.deep.equal(Array.from({ length: 70 }, (_, at) => 131 + at));
    expect(await upTo(200)).to.equal(70);
  });

  it('are acknowledged in batches, which do not wait for a lock on the last of them', async () => {
    const project = await database.createProject();
    for (let left = 6_000; left > 0; left -= 1_000) await number(project, 1_000);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let locked: Promise<void> | undefined;
    await new Promise<void>((resolve) => {
      locked = inProject(database.worker, project, async (tx) => {
        await prepared(tx, 'SELECT FROM event WHERE sequence = 6000 FOR UPDATE', []);
        resolve();
        await released;
      });
    });
    const acknowledged = acknowledgeUpTo(
      (work) => inProject(database.api, project, work),
      project,
      6_000,
    );
    await eventually(async () => (await truth(project))[0] === 80 * 64, 60_000);
    release();
    await locked;
    expect(await acknowledged).to.equal(6_000);
    expect(await truth(project)).to.deep.equal([]);
  });

  it('are published by a commit that passes many, also those before which its consumer was moved', async () => {
    const project = await database.createProject();
    for (let left = 6_000; left > 0; left -= 1_000) await number(project, 1_000);
    const inside: InTransaction = (work) => inProject(database.api, project, work);
    const made = await inside((tx) =>
      createConsumer(tx, systemOrigin(project), { name: 'reader' }),
    );
    const { consumer } = await inside((tx) => commit(tx, made, { sequence: 2, ack: false }));
    const ahead = await acknowledgeAhead(inside, consumer, 6_000);
    expect(await truth(project)).to.deep.equal([1, 2]);
    const moved = await inside((tx) => seek(tx, systemOrigin(project), consumer, { sequence: 0 }));
    const done = await inside((tx) => commit(tx, moved, { sequence: 6_000, ack: true, ahead }));
    expect(done.acknowledged).to.equal(6_000);
    expect(await truth(project)).to.deep.equal([]);
    expect(await acknowledgeAhead(inside, done.consumer, 6_000)).to.equal(undefined);
  });

  it('keep their stretch until it is full and fully published', async () => {
    const [project, other] = [await database.createProject(), await database.createProject()];
    const events = await number(project, 140);
    await number(other, 70);
    expect(await stretches(project)).to.deep.equal([0, 1, 2]);
    await publish(project, events);
    expect(await forget()).to.be.at.least(2);
    // The next event belongs to the last stretch.
    expect(await stretches(project)).to.deep.equal([2]);
    expect(await stretches(other)).to.deep.equal([0, 1]);
    await number(project, 1);
    expect(await readAll(project, 'asc', 10)).to.deep.equal([141]);
  });

  it('do not include audit events, which are published when numbered', async () => {
    const project = await database.createProject();
    await number(project, 1);
    const page = await inProject(database.api, project, (tx) =>
      readEvents(
        tx,
        project,
        { category: 'audit', published: false },
        { after: null, order: 'asc', limit: 10 },
      ),
    );
    expect(page.events).to.deep.equal([]);
  });

  it('are read by an index, stretch by stretch, in the API’s role', async () => {
    const project = await database.createProject();
    await number(project, 2_000);
    for (const table of ['event', 'unpublished_stretch']) {
      await inTransaction(database.owner, (tx) => query(tx, `ANALYZE ${table}`, []));
    }
    const plan: string = await inProject(database.api, project, async (tx) => {
      const where = feedConditions(project, unpublished);
      const from = unpublishedEvents(where, project, { from: 5 });
      const rows = await query<Record<string, string>>(
        tx,
        `EXPLAIN SELECT id FROM ${from} WHERE ${where.sql()} ORDER BY stretch, sequence LIMIT 10`,
        where.values,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).to.match(/Nested Loop\s+.*Index Only Scan using unpublished_stretch_pkey/s);
    expect(plan).to.include('Incremental Sort').and.include('Presorted Key');
    expect(plan).to.match(/Index Scan using event_\w*(feed|project_id_category_sequence)/);
  });
});
