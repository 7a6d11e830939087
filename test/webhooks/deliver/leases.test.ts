import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transaction.ts';
import { createLogger } from '../../../src/logger.ts';
import { noTracing } from '../../../src/tracing.ts';
import { expireDeliveryLeases } from '../../../src/webhooks/delivery/ending/expire-leases.ts';
import { createWebhookSender } from '../../../src/webhooks/delivery/sending/deliver.ts';
import { settleDeliveries } from '../../../src/webhooks/delivery/settling/settle.ts';
import type { Dialer } from '../../../src/webhooks/dialing/dial.ts';
import type { DatabaseFixture } from '../../support/database-fixture.ts';
import { deliverTo } from '../../support/deliver.ts';
import { eventually } from '../../support/eventually.ts';
import type { WebhookFixture } from '../../support/webhook-fixture.ts';
import { answered, prepareDelivering, schedule } from './delivering.ts';

describe('concurrent, late and crashed delivery workers', () => {
  const stage = prepareDelivering();
  const { endpointAt, claim, deliveryOf, auditTypes } = stage;
  let databaseFixture: DatabaseFixture;
  let dialer: Dialer;
  let fixture: WebhookFixture;
  beforeEach(() => {
    ({ ground: databaseFixture, dialer, bench: fixture } = stage.now());
  });

  it('hand an endpoint over again at once after a failed claim', async () => {
    const endpoint = await endpointAt();
    await fixture.recordTrashed();
    await fixture.relay();
    await fixture.rows('UPDATE webhook_flow SET handed_at = now() WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    // One more than fits.
    await fixture.rows('UPDATE due_delivery SET lease_epoch = 2147483647 WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    const failed = await deliverTo(
      { database: databaseFixture.worker, dialer, retrySchedule: schedule },
      endpoint.id,
    ).catch(() => 'failed');
    expect(failed).to.equal('failed');
    expect((await fixture.flow(endpoint.id)).handedAt).to.equal(null);
  });

  it('change nothing after another worker has taken their lease', async () => {
    const endpoint = await endpointAt();
    const event = await fixture.recordTrashed();
    await fixture.relay();
    const late = await claim(endpoint.id);
    await fixture.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [late[0]!.id],
    );
    await inTransaction(databaseFixture.relay, (tx) => expireDeliveryLeases(tx, schedule));
    const newer = await claim(endpoint.id);
    const settle = (held: typeof late, status: number) =>
      inTransaction(databaseFixture.worker, (tx) =>
        settleDeliveries(
          tx,
          held.map((delivery) => ({ delivery, result: answered(status) })),
          schedule,
        ),
      );
    await settle(late, 200);
    expect((await deliveryOf(endpoint, event)).state).to.equal('delivering');
    expect(await fixture.published(event)).to.equal(false);
    await settle(newer, 200);
    await settle(newer, 200);
    const done = await deliveryOf(endpoint, event);
    expect([done.state, done.attempts.map(({ number }) => number)]).to.deep.equal([
      'succeeded',
      [1, 2],
    ]);
    const [counted] = await fixture.rows('SELECT owed, delivered FROM event WHERE id = $1', [
      event,
    ]);
    expect(counted).to.deep.equal({ owed: 1, delivered: 1 });
  });

  it('count a late attempt and its successor once', async () => {
    const [endpoint, silent] = [await endpointAt(), await endpointAt()];
    const event = await fixture.recordTrashed();
    await fixture.relay();
    const late = await claim(endpoint.id);
    await fixture.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [late[0]!.id],
    );
    await inTransaction(databaseFixture.relay, (tx) => expireDeliveryLeases(tx, schedule));
    const both = [...late, ...(await claim(endpoint.id))];
    await inTransaction(databaseFixture.worker, (tx) =>
      settleDeliveries(
        tx,
        both.map((delivery) => ({ delivery, result: answered(200) })),
        schedule,
      ),
    );
    const [counted] = await fixture.rows('SELECT owed, delivered FROM event WHERE id = $1', [
      event,
    ]);
    expect(counted).to.deep.equal({ owed: 2, delivered: 1 });
    expect(await fixture.published(event)).to.equal(false);
    expect((await deliveryOf(silent, event)).state).to.equal('pending');
  });

  it('count every third expired lease in a row as a failed attempt', async () => {
    const endpoint = await endpointAt();
    const event = await fixture.recordTrashed();
    await fixture.relay();
    const failures: number[] = [];
    for (let at = 1; at <= 9; at++) {
      const held = await claim(endpoint.id);
      await fixture.rows(
        `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
        [held[0]!.id],
      );
      await inTransaction(databaseFixture.relay, (tx) => expireDeliveryLeases(tx, schedule));
      const [row] = await fixture.rows<{ failures: number }>(
        'SELECT failures FROM due_delivery WHERE id = $1',
        [held[0]!.id],
      );
      failures.push(row?.failures ?? 3);
    }
    expect(failures).to.deep.equal([0, 0, 1, 1, 1, 2, 2, 2, 3]);
    const given = await deliveryOf(endpoint, event);
    expect([given.state, given.reason]).to.deep.equal(['exhausted', 'worker_died']);
    expect(given.attempts.map(({ outcome }) => outcome)).to.deep.equal(
      Array.from({ length: 9 }, () => 'unknown'),
    );
    expect(await auditTypes()).to.include('webhooks.delivery.exhausted');
  });

  it('publish exactly when both of two workers are done, without waiting', async () => {
    const [a, b] = [await endpointAt(), await endpointAt()];
    const events: string[] = [];
    for (let at = 0; at < 20; at++) events.push(await fixture.recordTrashed());
    await fixture.relay();
    const [forA, forB] = [await claim(a.id), await claim(b.id)];
    expect([forA.length, forB.length]).to.deep.equal([20, 20]);
    const settle = (held: typeof forA, from: number, to: number, reverse: boolean) => {
      const part = held.slice(from, to);
      if (reverse) part.reverse();
      return inTransaction(databaseFixture.worker, (tx) =>
        settleDeliveries(
          tx,
          part.map((delivery) => ({ delivery, result: answered(200) })),
          schedule,
        ),
      );
    };
    const published = async () =>
      (await Promise.all(events.map((event) => fixture.published(event)))).filter(Boolean).length;
    // The same events in opposite orders.
    await Promise.all([settle(forA, 0, 10, false), settle(forB, 0, 10, true)]);
    expect(await published()).to.equal(10);
    await settle(forA, 10, 20, false);
    expect(await published()).to.equal(10);
    await settle(forB, 10, 20, true);
    expect(await published()).to.equal(20);
  });

  describe('after a claim that took everything', () => {
    /** A worker, and the responses that its receiver holds back. */
    const worker = () => {
      const held: (() => void)[] = [];
      let transactions = 0;
      const database = Object.create(databaseFixture.worker, {
        createQueryRunner: {
          value: () => {
            transactions += 1;
            return databaseFixture.worker.createQueryRunner();
          },
        },
      });
      const courier = createWebhookSender({
        database,
        dialer: {
          async post() {
            await new Promise<void>((resolve) => held.push(resolve));
            return answered(200);
          },
        },
        unseal: (sealed) => sealed,
        retrySchedule: schedule,
        observeAttempt: () => undefined,
        wake: () => undefined,
        logger: createLogger('silent', 'test'),
        tracing: noTracing,
      });
      return { ...courier, held, transactions: () => transactions };
    };
    const publish = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) await fixture.recordTrashed();
      await fixture.relay();
    };
    const posted = ({ held }: ReturnType<typeof worker>, count: number) =>
      eventually(async () => held.length === count);

    it('check for more without a lock or a write', async () => {
      const { id } = await endpointAt();
      await publish(1);
      const one = worker();
      const serving = one.serve(id);
      await posted(one, 1);
      one.held[0]!();
      expect(await serving).to.deep.equal({ begun: 1, more: false });
      // The claim, its result and the check.
      expect(one.transactions()).to.equal(3);
      // The result was written to the flow, which has not been locked since.
      const [flow] = await fixture.rows<{ locked: boolean }>(
        'SELECT xmax <> 0 AS locked FROM webhook_flow WHERE endpoint_id = $1',
        [id],
      );
      expect(flow).to.deep.equal({ locked: false });
    });

    it('take deliveries for which another worker had no room', async () => {
      const { id } = await endpointAt();
      await fixture.rows('UPDATE webhook_endpoint SET max_in_flight = 2 WHERE id = $1', [id]);
      const [first, second, third] = [worker(), worker(), worker()];
      await publish(1);
      const serving = first.serve(id);
      await posted(first, 1);
      await publish(1);
      const busy = second.serve(id);
      await posted(second, 1);
      await publish(1);
      expect(await third.serve(id)).to.deep.equal({ begun: 0, more: false });
      first.held[0]!();
      await posted(first, 2);
      first.held[1]!();
      second.held[0]!();
      expect((await serving).begun).to.equal(2);
      expect((await busy).begun).to.equal(1);
      expect(await fixture.rows('SELECT FROM due_delivery WHERE endpoint_id = $1', [id])).to.be
        .empty;
    });
  });

  it('start no more than a process allows, however many endpoints it serves', async () => {
    const endpoints = await Promise.all(Array.from({ length: 30 }, () => endpointAt()));
    for (let at = 0; at < 50; at++) await fixture.recordTrashed();
    await fixture.relay();
    await fixture.rows('UPDATE webhook_endpoint SET max_in_flight = 100 WHERE project_id = $1', [
      fixture.projectId,
    ]);
    await fixture.rows('UPDATE webhook_flow SET window_size = 100 WHERE project_id = $1', [
      fixture.projectId,
    ]);
    let most = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const courier = createWebhookSender({
      database: databaseFixture.worker,
      dialer: {
        async post() {
          most = Math.max(most, courier.open());
          await released;
          return answered(200);
        },
      },
      unseal: (sealed) => sealed,
      retrySchedule: schedule,
      observeAttempt: () => undefined,
      wake: () => undefined,
      logger: createLogger('silent', 'test'),
      tracing: noTracing,
    });
    // No receiver answers until the process is full, nor for a while after that.
    const serving = endpoints.map(({ id }) => courier.serve(id));
    await eventually(async () => most > 950);
    for (let trips = 0; trips < 50; trips += 1) await fixture.rows('SELECT');
    release();
    await Promise.all(serving);
    await courier.idle();
    // Two claims at the same moment may together exceed the limit slightly.
    expect(most).to.be.within(951, 1_050);
  });
});
