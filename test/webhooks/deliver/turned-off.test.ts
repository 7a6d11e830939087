import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { inProject, inTransaction, type Tx } from '../../../src/db/transaction.ts';
import { expireDeliveryLeases } from '../../../src/webhooks/delivery/ending/expire-leases.ts';
import type { ClaimedDelivery } from '../../../src/webhooks/delivery/sending/claim.ts';
import { settleDeliveries } from '../../../src/webhooks/delivery/settling/settle.ts';
import { deleteEndpoint } from '../../../src/webhooks/endpoints/remove.ts';
import {
  disableOnRequest,
  enableEndpoint,
  pauseEndpoint,
} from '../../../src/webhooks/endpoints/state.ts';
import { type DatabaseFixture, originOf } from '../../support/database-fixture.ts';
import type { Receiver } from '../../support/receiver.ts';
import { runEndingStep } from '../../support/webhook-end.ts';
import type { WebhookFixture } from '../../support/webhook-fixture.ts';
import { answered, prepareDelivering, schedule } from './delivering.ts';

describe('disabled and deleted endpoints', () => {
  const stage = prepareDelivering();
  const { endpointAt, deliver, claim, deliveryOf, auditTypes } = stage;
  let database: DatabaseFixture;
  let receiver: Receiver;
  let fixture: WebhookFixture;
  beforeEach(() => {
    ({ ground: database, receiver, bench: fixture } = stage.now());
  });

  const settle = (claimed: readonly ClaimedDelivery[], status: number) =>
    inTransaction(database.worker, (tx) =>
      settleDeliveries(
        tx,
        claimed.map((delivery) => ({ delivery, result: answered(status) })),
        schedule,
      ),
    );
  const move = (endpointId: string) =>
    fixture.rows(`UPDATE webhook_endpoint SET url = url || '/new' WHERE id = $1`, [endpointId]);

  it('are disabled by a 410, with one event and skipped deliveries', async () => {
    const endpoint = await endpointAt();
    receiver.respondWith(410);
    const first = await fixture.recordTrashed();
    await fixture.relay();
    const claimed = await claim(endpoint.id);
    const second = await fixture.recordTrashed();
    await fixture.relay();
    await settle(claimed, 410);
    await runEndingStep(database.worker, endpoint.id);
    expect(await fixture.readEndpoint(endpoint.id)).to.include({
      state: 'disabled',
      disabledReason: 'gone',
    });
    expect((await deliveryOf(endpoint, first)).state).to.equal('exhausted');
    expect(await deliveryOf(endpoint, second)).to.include({
      state: 'skipped',
      reason: 'endpoint_disabled',
    });
    expect(await auditTypes()).to.deep.equal([
      'webhooks.endpoint.created',
      'webhooks.endpoint.disabled',
    ]);
  });

  it('stay enabled and are sent everything at their new URL if the former one responds with 410', async () => {
    const endpoint = await endpointAt();
    const first = await fixture.recordTrashed();
    await fixture.relay();
    const claimed = await claim(endpoint.id);
    const second = await fixture.recordTrashed();
    await fixture.relay();
    await move(endpoint.id);
    await settle(claimed, 410);
    expect((await fixture.readEndpoint(endpoint.id)).state).to.equal('enabled');
    const failed = await deliveryOf(endpoint, first);
    expect([failed.state, failed.last_attempt?.error]).to.deep.equal([
      'pending',
      {
        code: 'status',
        message: 'The endpoint returned 410 but has changed since, so it was not disabled.',
      },
    ]);
    expect((await deliveryOf(endpoint, second)).state).to.equal('pending');
    // The attempt used no step of the schedule, so even a last one is repeated.
    const due = await fixture.rows(
      'SELECT failures, due_at <= now() AS due FROM due_delivery WHERE endpoint_id = $1',
      [endpoint.id],
    );
    expect(due).to.deep.equal([
      { failures: 0, due: true },
      { failures: 0, due: true },
    ]);
  });

  it('skip what the former URL responded to with 410 if the new one does, too', async () => {
    const endpoint = await endpointAt();
    const first = await fixture.recordTrashed();
    await fixture.relay();
    const former = await claim(endpoint.id);
    const second = await fixture.recordTrashed();
    await fixture.relay();
    await move(endpoint.id);
    await settle([...former, ...(await claim(endpoint.id))], 410);
    await runEndingStep(database.worker, endpoint.id);
    expect((await fixture.readEndpoint(endpoint.id)).disabledReason).to.equal('gone');
    expect(await deliveryOf(endpoint, first)).to.include({ state: 'skipped' });
    expect(await deliveryOf(endpoint, second)).to.include({
      state: 'exhausted',
      reason: 'endpoint_gone',
    });
  });

  it('stay enabled after a repair if an attempt that has lost its lease got a 410', async () => {
    const endpoint = await endpointAt();
    await fixture.recordTrashed();
    await fixture.relay();
    const late = await claim(endpoint.id);
    await fixture.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [late[0]!.id],
    );
    await inTransaction(database.relay, (tx) => expireDeliveryLeases(tx, schedule));
    await settle(await claim(endpoint.id), 410);
    const disabled = await fixture.readEndpoint(endpoint.id);
    expect(disabled.disabledReason).to.equal('gone');
    await inProject(database.api, fixture.projectId, (tx) =>
      enableEndpoint(tx, originOf(fixture.projectId), disabled),
    );
    const waiting = await fixture.recordTrashed();
    await fixture.relay();
    await settle(late, 410);
    expect((await fixture.readEndpoint(endpoint.id)).state).to.equal('enabled');
    expect((await deliveryOf(endpoint, waiting)).state).to.equal('pending');
  });

  it('are disabled after five days of failures only', async () => {
    const endpoint = await endpointAt();
    receiver.respondWith(500);
    await fixture.recordTrashed();
    await fixture.relay();
    await deliver(endpoint.id);
    expect((await fixture.flow(endpoint.id)).failingSince).to.be.instanceOf(Date);
    await fixture.rows(
      `UPDATE webhook_flow SET failing_since = now() - interval '5 days 1 second' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    await deliver(endpoint.id);
    expect(await fixture.readEndpoint(endpoint.id)).to.include({
      state: 'disabled',
      disabledReason: 'failing',
    });
    expect(await auditTypes()).to.deep.equal([
      'webhooks.endpoint.created',
      'webhooks.endpoint.disabled',
    ]);
  });

  it('stay enabled after the first failure that follows a quiet period', async () => {
    const endpoint = await endpointAt();
    await fixture.recordTrashed();
    await fixture.relay();
    await fixture.rows(
      `UPDATE webhook_flow SET failing_since = now() - interval '11 days',
         last_failure_at = now() - interval '11 days' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    receiver.respondWith(503);
    await deliver(endpoint.id);
    expect((await fixture.readEndpoint(endpoint.id)).state).to.equal('enabled');
    expect(
      await fixture.rows('SELECT failures FROM due_delivery WHERE endpoint_id = $1', [endpoint.id]),
    ).to.deep.equal([{ failures: 1 }]);
    const [flow] = await fixture.rows(
      `SELECT failing_since = last_failure_at AS starts_over FROM webhook_flow WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    expect(flow).to.deep.equal({ starts_over: true });
  });

  it('stay enabled if they were enabled again during an attempt', async () => {
    const endpoint = await endpointAt();
    await fixture.recordTrashed();
    await fixture.relay();
    await fixture.rows(
      `UPDATE webhook_flow SET failing_since = now() - interval '6 days', last_failure_at = now()
       WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const late = await claim(endpoint.id);
    expect(late[0]!.endpoint.failingLong).to.equal(true);
    const inside = (work: (tx: Tx) => Promise<unknown>) =>
      inProject(database.api, fixture.projectId, work);
    const origin = originOf(fixture.projectId);
    await inside((tx) => pauseEndpoint(tx, origin, endpoint));
    const paused = await fixture.readEndpoint(endpoint.id);
    await inside((tx) => enableEndpoint(tx, origin, paused));
    await settle(late, 500);
    expect((await fixture.readEndpoint(endpoint.id)).state).to.equal('enabled');
    const [waiting] = await fixture.rows('SELECT state FROM delivery WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    expect(waiting).to.deep.equal({ state: 'pending' });
  });

  it('may be deleted while deliveries are in flight', async () => {
    const endpoint = await endpointAt();
    const events: string[] = [];
    for (let at = 0; at < 20; at++) events.push(await fixture.recordTrashed());
    await fixture.relay();
    const held = await claim(endpoint.id);
    const current = await fixture.readEndpoint(endpoint.id);
    await Promise.all([
      settle(held, 200),
      inProject(database.api, fixture.projectId, (tx) =>
        deleteEndpoint(tx, originOf(fixture.projectId), current),
      ),
    ]);
    const states = await fixture.rows<{ state: string; owed: number; delivered: number }>(
      `SELECT d.state, event.owed, event.delivered FROM delivery d JOIN event ON event.id = d.event_id
       WHERE d.endpoint_id = $1`,
      [endpoint.id],
    );
    expect(states).to.have.length(20);
    for (const { state, owed, delivered } of states) {
      expect([state, owed, delivered]).to.be.deep.oneOf([
        ['succeeded', 1, 1],
        ['cancelled', 0, 0],
      ]);
    }
  });

  it('are reported as not found if they are deleted before they are disabled', async () => {
    const endpoint = await endpointAt();
    const origin = originOf(fixture.projectId);
    await inProject(database.api, fixture.projectId, (tx) => deleteEndpoint(tx, origin, endpoint));
    const late = inProject(database.api, fixture.projectId, (tx) =>
      disableOnRequest(tx, origin, endpoint),
    );
    const problem = await late.catch((error: unknown) => error);
    expect(problem).to.be.instanceOf(Problem).and.include({ code: 'not_found' });
  });
});
