import { systemOrigin } from '@scriptorium/contracts/origin';
import { expect } from 'chai';
import { inProject, inTransaction } from '../../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../../src/entities/webhooks/webhook-endpoint.ts';
import { findDelivery } from '../../../src/webhooks/deliveries/read.ts';
import { redeliver } from '../../../src/webhooks/deliveries/redeliver.ts';
import { expireDeliveryLeases } from '../../../src/webhooks/delivery/ending/expire-leases.ts';
import { settleDeliveries } from '../../../src/webhooks/delivery/settling/settle.ts';
import { deleteEndpoint } from '../../../src/webhooks/endpoints/remove.ts';
import { type DatabaseFixture, originOf } from '../../support/database-fixture.ts';
import type { Receiver } from '../../support/receiver.ts';
import type { WebhookFixture } from '../../support/webhook-fixture.ts';
import { answered, prepareDelivering, schedule } from './delivering.ts';

describe('manual retries of deliveries', () => {
  const stage = prepareDelivering();
  const { endpointAt, deliver, claim, deliveryOf, auditTypes } = stage;
  let database: DatabaseFixture;
  let receiver: Receiver;
  let fixture: WebhookFixture;
  beforeEach(() => {
    ({ ground: database, receiver, bench: fixture } = stage.now());
  });

  const again = (endpoint: WebhookEndpoint, id: string) =>
    inProject(database.api, fixture.projectId, async (tx) =>
      redeliver(
        tx,
        systemOrigin(fixture.projectId),
        endpoint,
        (await findDelivery(tx, fixture.projectId, endpoint.id, id))!,
      ),
    );

  it('keep the step and the time of the schedule if they fail', async () => {
    receiver.respondWith(500);
    const endpoint = await endpointAt();
    const event = await fixture.recordTrashed();
    await fixture.relay();
    await deliver(endpoint.id);
    const before = await deliveryOf(endpoint, event);
    await again(endpoint, before.id);
    await again(endpoint, before.id);
    await deliver(endpoint.id);
    const after = await deliveryOf(endpoint, event);
    expect(after.attempts.map(({ trigger }) => trigger)).to.deep.equal(['schedule', 'manual']);
    expect([after.state, after.next_attempt_at]).to.deep.equal(['pending', before.next_attempt_at]);
    await deliver(endpoint.id);
    await deliver(endpoint.id);
    const end = await deliveryOf(endpoint, event);
    expect([end.state, end.attempts.length]).to.deep.equal(['exhausted', 4]);
    // Once a delivery is exhausted, a failed manual retry does not exhaust it again.
    await again(endpoint, end.id);
    await deliver(endpoint.id);
    const last = await deliveryOf(endpoint, event);
    expect([last.state, last.attempts.length]).to.deep.equal(['exhausted', 5]);
    expect((await auditTypes()).filter((type) => type.endsWith('exhausted'))).to.have.length(1);
    receiver.respondWith(200);
    await again(endpoint, end.id);
    await deliver(endpoint.id);
    expect((await deliveryOf(endpoint, event)).state).to.equal('succeeded');
    expect(await fixture.published(event)).to.equal(true);
  });

  it('count an earlier success once, whatever the result of sending again', async () => {
    const [endpoint, silent] = [await endpointAt(), await endpointAt()];
    const event = await fixture.recordTrashed();
    await fixture.relay();
    await deliver(endpoint.id);
    const { id } = await deliveryOf(endpoint, event);
    await again(endpoint, id);
    await deliver(endpoint.id);
    receiver.respondWith(500);
    await again(endpoint, id);
    await deliver(endpoint.id);
    const done = await deliveryOf(endpoint, event);
    expect([done.state, done.attempts.length]).to.deep.equal(['succeeded', 3]);
    // The other endpoint has not received it.
    expect(await fixture.published(event)).to.equal(false);
    expect((await deliveryOf(silent, event)).state).to.equal('pending');
  });

  it('are not settled by a late worker of an earlier attempt', async () => {
    const endpoint = await endpointAt();
    const event = await fixture.recordTrashed();
    await fixture.relay();
    const late = await claim(endpoint.id);
    await fixture.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [late[0]!.id],
    );
    await inTransaction(database.relay, (tx) => expireDeliveryLeases(tx, schedule));
    await deliver(endpoint.id);
    await again(endpoint, late[0]!.id);
    expect(await claim(endpoint.id)).to.have.length(1);
    await inTransaction(database.worker, (tx) =>
      settleDeliveries(tx, [{ delivery: late[0]!, result: answered(500) }], schedule),
    );
    expect((await deliveryOf(endpoint, event)).state).to.equal('delivering');
  });

  it('restore the previous state if the endpoint is deleted or the worker dies', async () => {
    const endpoint = await endpointAt();
    const [one, two] = [await fixture.recordTrashed(), await fixture.recordTrashed()];
    await fixture.relay();
    await deliver(endpoint.id);
    const { id } = await deliveryOf(endpoint, one);
    await again(endpoint, id);
    for (let at = 0; at < 3; at++) {
      await claim(endpoint.id);
      await fixture.rows(
        `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      await inTransaction(database.relay, (tx) => expireDeliveryLeases(tx, schedule));
    }
    expect((await deliveryOf(endpoint, one)).state).to.equal('succeeded');
    await again(endpoint, (await deliveryOf(endpoint, two)).id);
    await inProject(database.api, fixture.projectId, async (tx) =>
      deleteEndpoint(tx, originOf(fixture.projectId), await fixture.readEndpoint(endpoint.id)),
    );
    const rows = await fixture.rows(
      `SELECT d.state, event.owed, event.delivered FROM delivery d JOIN event ON event.id = d.event_id
       WHERE d.endpoint_id = $1`,
      [endpoint.id],
    );
    expect(rows).to.deep.equal([
      { state: 'succeeded', owed: 1, delivered: 1 },
      { state: 'succeeded', owed: 1, delivered: 1 },
    ]);
  });
});
