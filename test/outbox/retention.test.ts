import { systemOrigin } from '@scriptorium/contracts/origin';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { dropExpired, maintainTables } from '../../src/outbox/relay/recover.ts';
import { findDelivery } from '../../src/webhooks/deliveries/read.ts';
import { redeliver } from '../../src/webhooks/deliveries/redeliver.ts';
import { expireDeliveries } from '../../src/webhooks/delivery/ending/end-deliveries.ts';
import { claimDeliveries } from '../../src/webhooks/delivery/sending/claim.ts';
import { pauseEndpoint } from '../../src/webhooks/endpoints/state.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { openWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

/** Over ninety days ago, in the week that ended less than ninety days ago, on any weekday. */
function lateDays(): number {
  const day = 86_400_000;
  const then = Date.now() - 90 * day;
  // The first Monday in Unix time is its fifth day.
  const sinceMonday = (then - 4 * day) % (7 * day);
  return 90 + sinceMonday / 2 / day;
}

describe('retention of events and deliveries', () => {
  let database: DatabaseFixture;
  let superuser: Database;
  let fixture: WebhookFixture;
  before(async () => {
    database = await openDatabaseFixture();
    superuser = await openDatabase(database.urls.superuserUrl, { poolSize: 2 });
  });
  after(async () => {
    await superuser.destroy();
    await database.close();
  });
  beforeEach(async () => {
    fixture = await openWebhookFixture(database);
  });

  const asSuperuser = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(superuser, (tx) => query<Row>(tx, sql, values));
  /**
   * Creates the partitions of the week that includes that day; returns the suffix of their names.
   */
  const makeWeek = async (daysAgo: number): Promise<string> => {
    const [week] = await asSuperuser<{ name: string }>(
      `SELECT to_char(date_trunc('week', (now() - $1 * interval '1 day') AT TIME ZONE 'UTC'), 'YYYYMMDD') AS name`,
      [daysAgo],
    );
    const { name } = week!;
    for (const parent of ['event', 'delivery', 'attempt']) {
      const monday = `to_date('${name}', 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC'`;
      const [bounds] = await asSuperuser<{ from: string; to: string }>(
        `SELECT id_floor('evt', ${monday}) AS from, id_floor('evt', ${monday} + interval '7 days') AS to`,
      );
      await asSuperuser(`CREATE TABLE IF NOT EXISTS ${parent}_${name} PARTITION OF ${parent}
        FOR VALUES FROM ('${bounds!.from}') TO ('${bounds!.to}')`);
      await asSuperuser(`ALTER TABLE ${parent}_${name} OWNER TO owner`);
    }
    return name;
  };
  /** Records events as if that many days ago. */
  const happen = async (daysAgo: number, count: number): Promise<string[]> => {
    await makeWeek(daysAgo);
    const rows = await asSuperuser<{ id: string }>(
      `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, occurred_at, data, actor_type)
       SELECT left(id_floor('evt', at.at), 14) || right(md5($1 || n || $2), 16), $1, 'domain',
         'dam.object.trashed', 'object', 'obj_' || n, at.at, '{}', 'system'
       FROM generate_series(1, $3) n, (SELECT now() - $2 * interval '1 day' AS at) at RETURNING id`,
      [fixture.projectId, daysAgo, count],
    );
    await fixture.relay();
    return rows.map(({ id }) => id);
  };
  const expire = async (): Promise<number> => {
    let expired = 0;
    for (;;) {
      const some = await inTransaction(database.relay, (tx) => expireDeliveries(tx, 90));
      if (some === 0) return expired;
      expired += some;
    }
  };
  const states = (eventIds: string[]) =>
    fixture.rows<{ state: string; reason: string | null }>(
      'SELECT state, reason FROM delivery WHERE event_id = ANY($1) ORDER BY id',
      [eventIds],
    );
  const partitions = async (name: string): Promise<string[]> =>
    (
      await asSuperuser<{ relname: string }>(
        `SELECT relname FROM pg_class WHERE relname ~ ('_' || $1 || '$') ORDER BY 1`,
        [name],
      )
    ).map(({ relname }) => relname.replace(/_\d+$/, ''));

  it('skips waiting deliveries after ninety days and drops whole weeks', async () => {
    const endpoint = await fixture.addEndpoint({ url: 'http://127.0.0.1:9/' });
    await inProject(database.api, fixture.projectId, (tx) =>
      pauseEndpoint(tx, originOf(fixture.projectId), endpoint),
    );
    const old = await happen(100, 3);
    const late = await happen(lateDays(), 2);
    const young = await happen(89, 2);
    const figures = await inTransaction(database.api, (tx) =>
      query<{ value: number }>(
        tx,
        `SELECT value FROM pipeline_figures() WHERE figure = 'deliveries_expiring'`,
        [],
      ),
    );
    expect(figures).to.deep.equal([{ value: 7 }]);
    expect(await expire()).to.equal(5);
    for (const { state, reason } of await states([...old, ...late])) {
      expect([state, reason]).to.deep.equal(['skipped', 'expired']);
    }
    expect((await states(young)).map(({ state }) => state)).to.deep.equal(['pending', 'pending']);
    expect(await expire()).to.equal(0);
    const week = await makeWeek(100);
    expect(await dropExpired(database.relay, 90)).to.deep.equal({ dropped: 3, isComplete: true });
    expect(await partitions(week)).to.deep.equal([]);
    expect(await states(old)).to.deep.equal([]);
    // Events slightly over ninety days old are in a week that ended less than ninety days ago.
    expect(await states(late)).to.have.length(2);
    expect(await fixture.rows('SELECT event_id FROM due_delivery ORDER BY 1')).to.deep.equal(
      young.map((id) => ({ event_id: id })).sort((a, b) => (a.event_id < b.event_id ? -1 : 1)),
    );
    await inTransaction(database.relay, maintainTables);
    expect(await dropExpired(database.relay, 90)).to.deep.equal({ dropped: 0, isComplete: true });
  });

  it('restores the state before a manual retry, and waits for attempts in flight', async () => {
    const endpoint = await fixture.addEndpoint({ url: 'http://127.0.0.1:9/' });
    const events = await happen(120, 2);
    await fixture.makeDue(endpoint.id);
    const claimed = await inTransaction(database.worker, (tx) =>
      claimDeliveries(tx, [endpoint.id], 1),
    );
    expect(claimed).to.have.length(1);
    await fixture.rows(
      `UPDATE delivery SET state = 'exhausted' WHERE endpoint_id = $1 AND id <> $2`,
      [endpoint.id, claimed[0]!.id],
    );
    await fixture.rows('DELETE FROM due_delivery WHERE endpoint_id = $1 AND id <> $2', [
      endpoint.id,
      claimed[0]!.id,
    ]);
    const [given] = await fixture.rows<{ id: string }>(
      `SELECT id FROM delivery WHERE endpoint_id = $1 AND state = 'exhausted'`,
      [endpoint.id],
    );
    await inProject(database.api, fixture.projectId, async (tx) =>
      redeliver(
        tx,
        systemOrigin(fixture.projectId),
        endpoint,
        (await findDelivery(tx, fixture.projectId, endpoint.id, given!.id))!,
      ),
    );
    expect(await expire()).to.equal(1);
    expect((await states(events)).map(({ state }) => state)).to.have.members([
      'exhausted',
      'pending',
    ]);
    expect(await dropExpired(database.relay, 90)).to.deep.equal({ dropped: 0, isComplete: false });
    expect(await states(events)).to.have.length(2);
    await fixture.rows(
      'UPDATE due_delivery SET lease_until = NULL, begun_at = NULL, trigger = NULL',
    );
    expect(await expire()).to.equal(1);
    expect(await dropExpired(database.relay, 90)).to.deep.equal({ dropped: 3, isComplete: true });
  });

  it('gives way to long reads, so that nothing queues behind it', async () => {
    await fixture.addEndpoint({ url: 'http://127.0.0.1:9/' });
    const week = await makeWeek(150);
    let release = (): void => undefined;
    let reading = (): void => undefined;
    const read = new Promise<void>((resolve) => {
      reading = resolve;
    });
    // A reader keeps its transaction open on all events.
    const reader = inProject(database.api, fixture.projectId, async (tx) => {
      await query(tx, 'SELECT count(*) FROM event', []);
      reading();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    await read;
    // A writer waits for the drop, not for the reader.
    const [dropped] = await Promise.all([dropExpired(database.relay, 90), fixture.recordTrashed()]);
    expect(dropped).to.deep.equal({ dropped: 0, isComplete: false });
    expect(await partitions(week)).to.include.members(['attempt', 'delivery', 'event']);
    release();
    await reader;
    expect(await dropExpired(database.relay, 90)).to.deep.equal({ dropped: 3, isComplete: true });
    expect(await partitions(week)).to.deep.equal([]);
  });
});
