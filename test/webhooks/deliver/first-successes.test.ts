import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transaction.ts';
import { expireDeliveryLeases } from '../../../src/webhooks/delivery/ending/expire-leases.ts';
import { settleDeliveries } from '../../../src/webhooks/delivery/settling/settle.ts';
import {
  isFirstSuccess,
  settleFirstSuccesses,
} from '../../../src/webhooks/delivery/settling/settle-first.ts';
import type { DatabaseFixture } from '../../support/database-fixture.ts';
import type { WebhookFixture } from '../../support/webhook-fixture.ts';
import { answered, prepareDelivering, schedule } from './delivering.ts';

describe('first successes stored in one packet', () => {
  const stage = prepareDelivering();
  const { endpointAt, claim, deliveryOf } = stage;
  let database: DatabaseFixture;
  let fixture: WebhookFixture;
  beforeEach(() => {
    ({ ground: database, bench: fixture } = stage.now());
  });
  type Claimed = Awaited<ReturnType<typeof claim>>;
  const sentOf = (held: Claimed) => held.map((delivery) => ({ delivery, result: answered(200) }));
  const together = (held: Claimed) => settleFirstSuccesses(database.worker, sentOf(held));
  const oneByOne = (held: Claimed) =>
    inTransaction(database.worker, (tx) => settleDeliveries(tx, sentOf(held), schedule));
  /** Everything stored about an endpoint, except IDs and times. */
  const rowsOf = async (endpointId: string) => ({
    deliveries: await fixture.rows(
      `SELECT to_jsonb(d) - '{id,event_id,endpoint_id,created_at,finished_at,first_at}'::text[]
         || jsonb_build_object('ended', finished_at IS NOT NULL, 'begun', first_at IS NOT NULL) AS row
       FROM delivery d WHERE endpoint_id = $1 ORDER BY id`,
      [endpointId],
    ),
    due: await fixture.rows('SELECT id FROM due_delivery WHERE endpoint_id = $1', [endpointId]),
    flow: await fixture.rows(
      `SELECT to_jsonb(f) - '{endpoint_id,last_success_at,last_failure_at,refilled_at}'::text[]
         || jsonb_build_object('succeeded', last_success_at > now() - interval '1 minute') AS row
       FROM webhook_flow f WHERE endpoint_id = $1`,
      [endpointId],
    ),
  });
  const counts = (eventIds: string[]) =>
    fixture.rows<{ owed: number; delivered: number; published: boolean }>(
      `SELECT owed, delivered, published_at IS NOT NULL AS published FROM event
       WHERE id = ANY($1) ORDER BY id`,
      [eventIds],
    );
  const loseLease = async (id: string) => {
    await fixture.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    await inTransaction(database.relay, (tx) => expireDeliveryLeases(tx, schedule));
  };

  for (const many of [1, 40]) {
    it(`write the same rows as the general path, for ${many}`, async () => {
      const [a, b] = [await endpointAt(), await endpointAt()];
      await fixture.rows('UPDATE webhook_endpoint SET max_in_flight = 50 WHERE id = ANY($1)', [
        [a.id, b.id],
      ]);
      await fixture.rows('UPDATE webhook_flow SET window_size = 50 WHERE endpoint_id = ANY($1)', [
        [a.id, b.id],
      ]);
      const events: string[] = [];
      for (let at = 0; at < many; at++) events.push(await fixture.recordTrashed());
      await fixture.relay();
      const [forA, forB] = [await claim(a.id), await claim(b.id)];
      expect([forA.length, forB.length]).to.deep.equal([many, many]);
      for (const { id } of [a, b]) {
        await fixture.rows(
          `UPDATE webhook_flow SET failures_in_row = 12, hold_seconds = 20, held_until = now(),
             failing_since = now(), window_size = 2, last_success_at = NULL WHERE endpoint_id = $1`,
          [id],
        );
      }
      expect(await together(forA)).to.equal(true);
      expect((await counts(events))[0]).to.deep.equal({ owed: 2, delivered: 1, published: false });
      await oneByOne(forB);
      expect(await rowsOf(a.id)).to.deep.equal(await rowsOf(b.id));
      expect(await counts(events)).to.deep.equal(
        events.map(() => ({ owed: 2, delivered: 2, published: true })),
      );
    });
  }

  it('store nothing if one lease is lost, and leave the rest to the general path', async () => {
    const endpoint = await endpointAt();
    const events = [await fixture.recordTrashed(), await fixture.recordTrashed()];
    await fixture.relay();
    const held = await claim(endpoint.id);
    await loseLease(held[0]!.id);
    expect(await together(held)).to.equal(false);
    expect((await deliveryOf(endpoint, events[1]!)).state).to.equal('delivering');
    expect(await counts(events)).to.deep.equal(
      events.map(() => ({ owed: 1, delivered: 0, published: false })),
    );
    await oneByOne(held);
    expect(
      (await deliveryOf(endpoint, events[0]!)).attempts.map(({ outcome }) => outcome),
    ).to.deep.equal(['succeeded']);
    expect((await counts(events)).map(({ delivered }) => delivered)).to.deep.equal([0, 1]);
  });

  it('fall back to the general path if an unconfirmed commit stored them', async () => {
    const endpoint = await endpointAt();
    const event = await fixture.recordTrashed();
    await fixture.relay();
    const held = await claim(endpoint.id);
    expect(await together(held)).to.equal(true);
    expect(await together(held)).to.equal(false);
    await oneByOne(held);
    expect((await deliveryOf(endpoint, event)).attempts).to.have.length(1);
    expect(await counts([event])).to.deep.equal([{ owed: 1, delivered: 1, published: true }]);
  });

  it('leave replayed and cancelled deliveries to the general path', async () => {
    const endpoint = await endpointAt();
    await fixture.recordTrashed();
    await fixture.relay();
    const held = await claim(endpoint.id);
    for (const state of ['succeeded', 'cancelled']) {
      await fixture.rows('UPDATE due_delivery SET resume_state = $2 WHERE id = $1', [
        held[0]!.id,
        state,
      ]);
      expect(await together(held)).to.equal(false);
    }
  });

  it('count an event once for each endpoint, even if settled in opposite orders', async () => {
    const [a, b] = [await endpointAt(), await endpointAt()];
    const events: string[] = [];
    for (let at = 0; at < 20; at++) events.push(await fixture.recordTrashed());
    await fixture.relay();
    const [forA, forB] = [await claim(a.id), await claim(b.id)];
    const done = await Promise.all([
      ...forA.map((one) => together([one])),
      together([...forB].reverse()),
    ]);
    expect(done).to.deep.equal(done.map(() => true));
    expect(await counts(events)).to.deep.equal(
      events.map(() => ({ owed: 2, delivered: 2, published: true })),
    );
  });

  it('include only successful first attempts without other changes', async () => {
    const endpoint = await endpointAt();
    await fixture.recordTrashed();
    await fixture.relay();
    const [delivery] = await claim(endpoint.id);
    const first = { delivery: delivery!, result: answered(200) };
    expect(isFirstSuccess(first)).to.equal(true);
    for (const changed of [
      { result: answered(500) },
      { result: answered(302) },
      { result: { ...answered(200), instruction: 'disable' as const } },
      { delivery: { ...delivery!, attempt: 2 } },
      { delivery: { ...delivery!, replayId: 'rpl_1' } },
      { delivery: { ...delivery!, resumeState: 'pending' as const } },
    ]) {
      expect(isFirstSuccess({ ...first, ...changed } as typeof first)).to.equal(false);
    }
  });
});
