import { matchesType } from '@scriptorium/contracts/events/matches-type';
import { patternExpression } from '@scriptorium/contracts/events/patterns';
import { newId } from '@scriptorium/contracts/ids';
import { systemOrigin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import fc from 'fast-check';
import { inProject, inTransaction, type Tx } from '../../src/db/transaction.ts';
import { acknowledgeEvents, acknowledgeUpTo } from '../../src/outbox/feed/acknowledge.ts';
import { readEvents, sequenceOf } from '../../src/outbox/feed/feed.ts';
import type { FeedFilters } from '../../src/outbox/feed/filters.ts';
import { record } from '../../src/outbox/record.ts';
import { findDelivery } from '../../src/webhooks/deliveries/read.ts';
import { redeliver } from '../../src/webhooks/deliveries/redeliver.ts';
import { createDialer, type Dialer } from '../../src/webhooks/dialing/dial.ts';
import { deleteEndpoint } from '../../src/webhooks/endpoints/remove.ts';
import {
  disableOnRequest,
  enableEndpoint,
  pauseEndpoint,
} from '../../src/webhooks/endpoints/state.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { deliverTo } from '../support/deliver.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { numberRound } from '../support/relay-rounds.ts';
import { openWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

const domain: FeedFilters = { category: 'domain' };

describe('the event feed', () => {
  let databaseFixture: DatabaseFixture;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
  });
  after(() => databaseFixture.close());

  const read = (
    projectId: string,
    after: number | null,
    limit: number,
    filters: FeedFilters = domain,
  ) =>
    inProject(databaseFixture.api, projectId, (tx) =>
      readEvents(tx, projectId, filters, { after, order: 'asc', limit }),
    );

  it('misses no event between cursors while writers commit late and roll back', async () => {
    const project = await databaseFixture.createProject();
    const written = new Set<string>();
    let writing = true;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 0; at < 25; at++) {
        const resourceId = `obj_${writer}_${at}`;
        await inProject(databaseFixture.api, project, async (tx) => {
          await record(tx, originOf(project), { type: 'dam.object.trashed', resourceId, data: {} });
          // Others record, commit and are numbered before this one commits.
          for (let wait = (writer * 7 + at) % 5; wait > 0; wait--) await tx.query('SELECT 1');
          if ((writer + at) % 6 === 0) throw new Error('undone');
          written.add(resourceId);
        }).catch((error: Error) => {
          if (error.message !== 'undone') throw error;
        });
      }
    });
    const relays = [1, 2].map(async () => {
      while (writing) await inTransaction(databaseFixture.relay, numberRound);
      while ((await inTransaction(databaseFixture.relay, numberRound)).events > 0);
    });
    const seen: { sequence: number; resource: string }[] = [];
    let relaying = true;
    const reader = (async () => {
      let after: number | null = null;
      for (;;) {
        const last = !relaying;
        const page = await read(project, after, 7);
        seen.push(
          ...page.events.map((event) => ({
            sequence: event.sequence,
            resource: event.resource_id,
          })),
        );
        after = page.position;
        if (last && !page.hasMore) return;
      }
    })();
    await Promise.all(writers);
    writing = false;
    await Promise.all(relays);
    relaying = false;
    await reader;
    expect(seen.map(({ sequence }) => sequence)).to.deep.equal(
      Array.from({ length: written.size }, (_, at) => at + 1),
    );
    expect(new Set(seen.map(({ resource }) => resource))).to.deep.equal(written);
  });

  it('skips filtered events and continues with later ones', async () => {
    const fixture = await openWebhookFixture(databaseFixture);
    await fixture.recordTrashed('obj_a');
    await fixture.record('dam.object.restored', 'obj_a', {});
    await fixture.recordTrashed('obj_b');
    await fixture.relay();
    const filters: FeedFilters = { ...domain, types: ['dam.object.restored'] };
    const first = await read(fixture.projectId, null, 10, filters);
    expect([first.events.length, first.hasMore, first.position]).to.deep.equal([1, false, 3]);
    await fixture.record('dam.object.restored', 'obj_b', {});
    await fixture.relay();
    const second = await read(fixture.projectId, first.position, 10, filters);
    expect(second.events.map((event) => event.resource_id)).to.deep.equal(['obj_b']);
    const byResource = await read(fixture.projectId, null, 10, {
      ...domain,
      resourceId: ['obj_a'],
    });
    expect(byResource.events.map((event) => event.sequence)).to.deep.equal([1, 2]);
    const type = await read(fixture.projectId, null, 10, { ...domain, resourceType: ['job'] });
    expect(type.events).to.deep.equal([]);
  });

  it('includes types that only a newer version knows', async () => {
    const fixture = await openWebhookFixture(databaseFixture);
    await fixture.recordTrashed();
    await inProject(databaseFixture.api, fixture.projectId, (tx) =>
      tx.query(
        `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
         VALUES ($1, $2, 'domain', 'dam.object.archived', 'object', 'obj_1', '{}', 'system')`,
        [newId('event'), fixture.projectId],
      ),
    );
    await fixture.relay();
    const typesOf = async (...types: string[]) =>
      (await read(fixture.projectId, null, 10, { ...domain, types })).events.map(
        ({ type }) => type,
      );
    expect(await typesOf('dam.*')).to.deep.equal(['dam.object.trashed', 'dam.object.archived']);
    expect(await typesOf('dam.*.archived', 'x.*')).to.deep.equal(['dam.object.archived']);
    expect(await typesOf('dam.object.trashed')).to.deep.equal(['dam.object.trashed']);
    expect(await typesOf('dam.object', 'dam', 'object.*')).to.deep.equal([]);
    expect(await typesOf('*')).to.have.length(2);
  });

  it('matches type patterns in the database as everywhere else', () => {
    const segment = fc.constantFrom('a', 'b', 'a_b', '*');
    const dotted = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => all.join('.'));
    const type = dotted.map((text) => text.replaceAll('*', 'c'));
    fc.assert(
      fc.property(dotted, type, (pattern, given) => {
        expect(new RegExp(patternExpression(pattern)).test(given)).to.equal(
          matchesType(pattern, given),
        );
      }),
    );
  });

  it('hides an event until it has a sequence', async () => {
    const fixture = await openWebhookFixture(databaseFixture);
    const id = await fixture.recordTrashed();
    expect((await read(fixture.projectId, null, 10)).events).to.deep.equal([]);
    expect(await refusal((tx) => sequenceOf(tx, fixture.projectId, 'domain', id))).to.equal(
      'invalid_parameter',
    );
    await fixture.relay();
    expect((await read(fixture.projectId, null, 10)).events.map((event) => event.id)).to.deep.equal(
      [id],
    );
  });

  it("rejects positions that have expired, with the earliest one, or don't exist yet", async () => {
    const fixture = await openWebhookFixture(databaseFixture);
    const ids: string[] = [];
    for (let at = 0; at < 4; at++) ids.push(await fixture.recordTrashed());
    await fixture.relay();
    await databaseFixture.owner.query(`ALTER TABLE event NO FORCE ROW LEVEL SECURITY`);
    await databaseFixture.owner.query('DELETE FROM event WHERE id = ANY($1)', [ids.slice(0, 2)]);
    await databaseFixture.owner.query(`ALTER TABLE event FORCE ROW LEVEL SECURITY`);
    const problem = await thrown(() => read(fixture.projectId, 1, 10));
    expect([problem.status, problem.code, problem.extra.earliest_sequence]).to.deep.equal([
      410,
      'cursor_expired',
      3,
    ]);
    expect((await read(fixture.projectId, 2, 10)).events.map(({ id }) => id)).to.deep.equal(
      ids.slice(2),
    );
    expect((await read(fixture.projectId, null, 10)).events).to.have.length(2);
    expect((await thrown(() => read(fixture.projectId, 5, 10))).code).to.equal('invalid_parameter');
    expect(
      await refusal(
        (tx) => sequenceOf(tx, fixture.projectId, 'domain', ids[0]!),
        fixture.projectId,
      ),
    ).to.equal('cursor_expired');
    expect(
      await refusal((tx) => sequenceOf(tx, fixture.projectId, 'domain', newId('event'))),
    ).to.equal('invalid_parameter');
  });

  it('is read by an index in the API’s role', async () => {
    const project = await databaseFixture.createProject();
    const feed: string = await inProject(databaseFixture.api, project, async (tx) => {
      await tx.query('SET LOCAL enable_seqscan = off');
      const rows = await tx.query(
        `EXPLAIN SELECT id FROM event WHERE project_id = '${project}' AND category = 'domain'
         AND sequence > 5 ORDER BY sequence LIMIT 10`,
      );
      return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
    });
    expect(feed).to.match(/Index (Only )?Scan using event_\w*(feed|project_id_category_sequence)/);
    expect(feed).to.include('sequence > 5').and.not.include('Sort Key: event.id');
  });

  async function thrown(work: () => Promise<unknown>): Promise<Problem> {
    const error = await work().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(Problem);
    return error as Problem;
  }

  async function refusal(work: (tx: Tx) => Promise<unknown>, projectId?: string): Promise<string> {
    const project = projectId ?? (await databaseFixture.createProject());
    return (await thrown(() => inProject(databaseFixture.api, project, work))).code;
  }

  describe('with `published`', () => {
    let dialer: Dialer;
    let good: Receiver;
    let bad: Receiver;
    let fixture: WebhookFixture;
    before(async () => {
      dialer = createDialer({
        allowCidrs: ['127.0.0.0/8'],
        perOriginConnections: 8,
        connectTimeoutMs: 60_000,
      });
      good = await startReceiver();
      bad = await startReceiver();
    });
    after(async () => {
      await dialer.close();
      await Promise.all([good.close(), bad.close()]);
    });
    beforeEach(async () => {
      good.respondWith(204);
      bad.respondWith(500);
      fixture = await openWebhookFixture(databaseFixture);
    });

    const at = (receiver: Receiver) =>
      fixture.addEndpoint({ url: receiver.url, secret: receiver.secret });
    const deliver = async (endpointId: string) => {
      await fixture.makeDue(endpointId);
      return deliverTo(
        {
          database: databaseFixture.worker,
          dialer,
          retrySchedule: [0, 60],
        },
        endpointId,
      );
    };
    const inside = <T>(work: (tx: Tx) => Promise<T>) =>
      inProject(databaseFixture.api, fixture.projectId, work);
    const origin = () => originOf(fixture.projectId);

    it('is true only once every delivery has succeeded', async () => {
      const [a, b] = [await at(good), await at(good)];
      const event = await fixture.recordTrashed();
      await fixture.relay();
      await deliver(a.id);
      expect(await fixture.published(event)).to.equal(false);
      await deliver(b.id);
      expect(await fixture.published(event)).to.equal(true);
    });

    it('is false while one of two endpoints fails, and if its delivery is exhausted', async () => {
      const [a, b] = [await at(good), await at(bad)];
      const event = await fixture.recordTrashed();
      await fixture.relay();
      await deliver(a.id);
      await deliver(b.id);
      expect(await fixture.published(event)).to.equal(false);
      await deliver(b.id);
      const [row] = await fixture.rows('SELECT state FROM delivery WHERE endpoint_id = $1', [b.id]);
      expect(row).to.deep.equal({ state: 'exhausted' });
      expect(await fixture.published(event)).to.equal(false);
    });

    it('is false without an endpoint until the event is acknowledged', async () => {
      const event = await fixture.recordTrashed();
      await fixture.relay();
      expect(await fixture.published(event)).to.equal(false);
      const ack = () => inside((tx) => acknowledgeEvents(tx, fixture.projectId, [event]));
      expect(await ack()).to.equal(1);
      expect(await fixture.published(event)).to.equal(true);
      expect(await ack()).to.equal(0);
    });

    it('is false while an endpoint is paused', async () => {
      const a = await at(good);
      await inside((tx) => pauseEndpoint(tx, origin(), a));
      const event = await fixture.recordTrashed();
      await fixture.relay();
      expect(await deliver(a.id)).to.equal(0);
      expect(await fixture.published(event)).to.equal(false);
      await inside(async (tx) => enableEndpoint(tx, origin(), await fixture.readEndpoint(a.id)));
      expect(await deliver(a.id)).to.equal(1);
      expect(await fixture.published(event)).to.equal(true);
    });

    it('is false for a disabled endpoint until the skipped delivery is redelivered', async () => {
      const a = await at(good);
      const before = await fixture.recordTrashed();
      await fixture.relay();
      await inside((tx) => disableOnRequest(tx, origin(), a));
      const after = await fixture.recordTrashed();
      await fixture.relay();
      const skipped = await fixture.rows<{ id: string; event_id: string; reason: string }>(
        `SELECT id, event_id, reason FROM delivery WHERE endpoint_id = $1 AND state = 'skipped' ORDER BY id`,
        [a.id],
      );
      expect(skipped.map((row) => [row.event_id, row.reason])).to.deep.equal([
        [before, 'endpoint_disabled'],
        [after, 'endpoint_disabled'],
      ]);
      await inside(async (tx) => enableEndpoint(tx, origin(), await fixture.readEndpoint(a.id)));
      const enabled = await fixture.readEndpoint(a.id);
      expect(await deliver(a.id)).to.equal(0);
      await inside(async (tx) =>
        redeliver(
          tx,
          systemOrigin(fixture.projectId),
          enabled,
          (await findDelivery(tx, fixture.projectId, a.id, skipped[1]!.id))!,
        ),
      );
      expect(await deliver(a.id)).to.equal(1);
      expect(await fixture.published(after)).to.equal(true);
      expect(await fixture.published(before)).to.equal(false);
    });

    it('ignores a deleted endpoint', async () => {
      const [a, b] = [await at(good), await at(bad)];
      const both = await fixture.recordTrashed();
      await fixture.relay();
      await deliver(a.id);
      await deliver(b.id);
      await inside(async (tx) => deleteEndpoint(tx, origin(), await fixture.readEndpoint(b.id)));
      expect(await fixture.published(both)).to.equal(true);
      const states = await fixture.rows<{ state: string }>(
        'SELECT state FROM delivery WHERE event_id = $1 ORDER BY state',
        [both],
      );
      expect(states.map(({ state }) => state)).to.deep.equal(['cancelled', 'succeeded']);
      // Without a successful delivery, the event waits for an acknowledgement.
      const lonely = await fixture.recordTrashed();
      await fixture.relay();
      await inside(async (tx) => deleteEndpoint(tx, origin(), await fixture.readEndpoint(a.id)));
      expect(await fixture.published(lonely)).to.equal(false);
    });

    it('stays true, and an acknowledgement stops no delivery', async () => {
      const a = await at(bad);
      const event = await fixture.recordTrashed();
      await fixture.relay();
      await acknowledgeUpTo(inside, fixture.projectId, 1);
      const [before] = await fixture.rows<{ published_at: Date }>(
        'SELECT published_at FROM event WHERE id = $1',
        [event],
      );
      expect(await deliver(a.id)).to.equal(1);
      bad.respondWith(200);
      expect(await deliver(a.id)).to.equal(1);
      const [after] = await fixture.rows('SELECT published_at FROM event WHERE id = $1', [event]);
      expect(after).to.deep.equal(before);
    });

    it('is true at once in the audit feed', async () => {
      await at(good);
      await fixture.relay();
      const page = await read(fixture.projectId, null, 10, { category: 'audit', published: true });
      expect(page.events.map((event) => event.type)).to.deep.equal(['webhooks.endpoint.created']);
    });

    it('filters by true and false', async () => {
      const [first, second] = [await fixture.recordTrashed(), await fixture.recordTrashed()];
      await fixture.relay();
      await inside((tx) => acknowledgeEvents(tx, fixture.projectId, [second]));
      const ids = async (published: boolean) =>
        (await read(fixture.projectId, null, 10, { ...domain, published })).events.map(
          ({ id }) => id,
        );
      expect([await ids(false), await ids(true)]).to.deep.equal([[first], [second]]);
    });
  });
});
