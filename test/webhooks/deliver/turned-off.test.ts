import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { inProject, inTransaction, type Tx } from '../../../src/db/transaction.ts';
import { expireDeliveryLeases } from '../../../src/webhooks/delivery/ending/expire-leases.ts';
import type { ClaimedDelivery } from '../../../src/webhooks/delivery/sending/claim.ts';
import { settleDeliveries } from '../../../src/webhooks/delivery/settling/settle.ts';
import { deleteEndpoint } from '../../../src/webhooks/endpoints/remove.ts';
import {
  enableEndpoint,
  pauseEndpoint,
  turnOffEndpoint,
} from '../../../src/webhooks/endpoints/state.ts';
import { stepEnding } from '../../support/endings.ts';
import type { Bench } from '../../support/endpoints.ts';
import { type Ground, originOf } from '../../support/outbox.ts';
import type { Receiver } from '../../support/receiver.ts';
import { answered, prepareDelivering, schedule } from './delivering.ts';

describe('disabled and deleted endpoints', () => {
  const stage = prepareDelivering();
  const { endpointAt, deliver, claim, deliveryOf, auditTypes } = stage;
  let ground: Ground;
  let receiver: Receiver;
  let bench: Bench;
  beforeEach(() => {
    ({ ground, receiver, bench } = stage.now());
  });

  const settle = (claimed: readonly ClaimedDelivery[], status: number) =>
    inTransaction(ground.worker, (tx) =>
      settleDeliveries(
        tx,
        claimed.map((delivery) => ({ delivery, result: answered(status) })),
        schedule,
      ),
    );
  const move = (endpointId: string) =>
    bench.rows(`UPDATE webhook_endpoint SET url = url || '/new' WHERE id = $1`, [endpointId]);

  it('are disabled by a 410, with one event and skipped deliveries', async () => {
    const endpoint = await endpointAt();
    receiver.answer(410);
    const first = await bench.trash();
    await bench.relay();
    const claimed = await claim(endpoint.id);
    const second = await bench.trash();
    await bench.relay();
    await settle(claimed, 410);
    await stepEnding(ground.worker, endpoint.id);
    expect(await bench.reread(endpoint.id)).to.include({
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
    const first = await bench.trash();
    await bench.relay();
    const claimed = await claim(endpoint.id);
    const second = await bench.trash();
    await bench.relay();
    await move(endpoint.id);
    await settle(claimed, 410);
    expect((await bench.reread(endpoint.id)).state).to.equal('enabled');
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
    const due = await bench.rows(
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
    const first = await bench.trash();
    await bench.relay();
    const former = await claim(endpoint.id);
    const second = await bench.trash();
    await bench.relay();
    await move(endpoint.id);
    await settle([...former, ...(await claim(endpoint.id))], 410);
    await stepEnding(ground.worker, endpoint.id);
    expect((await bench.reread(endpoint.id)).disabledReason).to.equal('gone');
    expect(await deliveryOf(endpoint, first)).to.include({ state: 'skipped' });
    expect(await deliveryOf(endpoint, second)).to.include({
      state: 'exhausted',
      reason: 'endpoint_gone',
    });
  });

  it('stay enabled after a repair if an attempt that has lost its lease got a 410', async () => {
    const endpoint = await endpointAt();
    await bench.trash();
    await bench.relay();
    const late = await claim(endpoint.id);
    await bench.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [late[0]!.id],
    );
    await inTransaction(ground.relay, (tx) => expireDeliveryLeases(tx, schedule));
    await settle(await claim(endpoint.id), 410);
    const disabled = await bench.reread(endpoint.id);
    expect(disabled.disabledReason).to.equal('gone');
    await inProject(ground.api, bench.projectId, (tx) =>
      enableEndpoint(tx, originOf(bench.projectId), disabled),
    );
    const waiting = await bench.trash();
    await bench.relay();
    await settle(late, 410);
    expect((await bench.reread(endpoint.id)).state).to.equal('enabled');
    expect((await deliveryOf(endpoint, waiting)).state).to.equal('pending');
  });

  it('are disabled after five days of failures only', async () => {
    const endpoint = await endpointAt();
    receiver.answer(500);
    await bench.trash();
    await bench.relay();
    await deliver(endpoint.id);
    expect((await bench.flow(endpoint.id)).failingSince).to.be.instanceOf(Date);
    await bench.rows(
      `UPDATE webhook_flow SET failing_since = now() - interval '5 days 1 second' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    await deliver(endpoint.id);
    expect(await bench.reread(endpoint.id)).to.include({
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
    await bench.trash();
    await bench.relay();
    await bench.rows(
      `UPDATE webhook_flow SET failing_since = now() - interval '11 days',
         last_failure_at = now() - interval '11 days' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    receiver.answer(503);
    await deliver(endpoint.id);
    expect((await bench.reread(endpoint.id)).state).to.equal('enabled');
    expect(
      await bench.rows('SELECT failures FROM due_delivery WHERE endpoint_id = $1', [endpoint.id]),
    ).to.deep.equal([{ failures: 1 }]);
    const [flow] = await bench.rows(
      `SELECT failing_since = last_failure_at AS starts_over FROM webhook_flow WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    expect(flow).to.deep.equal({ starts_over: true });
  });

  it('stay enabled if they were enabled again during an attempt', async () => {
    const endpoint = await endpointAt();
    await bench.trash();
    await bench.relay();
    await bench.rows(
      `UPDATE webhook_flow SET failing_since = now() - interval '6 days', last_failure_at = now()
       WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const late = await claim(endpoint.id);
    expect(late[0]!.endpoint.failingLong).to.equal(true);
    const inside = (work: (tx: Tx) => Promise<unknown>) =>
      inProject(ground.api, bench.projectId, work);
    const origin = originOf(bench.projectId);
    await inside((tx) => pauseEndpoint(tx, origin, endpoint));
    const paused = await bench.reread(endpoint.id);
    await inside((tx) => enableEndpoint(tx, origin, paused));
    await settle(late, 500);
    expect((await bench.reread(endpoint.id)).state).to.equal('enabled');
    const [waiting] = await bench.rows('SELECT state FROM delivery WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    expect(waiting).to.deep.equal({ state: 'pending' });
  });

  it('may be deleted while deliveries are in flight', async () => {
    const endpoint = await endpointAt();
    const events: string[] = [];
    for (let at = 0; at < 20; at++) events.push(await bench.trash());
    await bench.relay();
    const held = await claim(endpoint.id);
    const current = await bench.reread(endpoint.id);
    await Promise.all([
      settle(held, 200),
      inProject(ground.api, bench.projectId, (tx) =>
        deleteEndpoint(tx, originOf(bench.projectId), current),
      ),
    ]);
    const states = await bench.rows<{ state: string; owed: number; delivered: number }>(
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
    const origin = originOf(bench.projectId);
    await inProject(ground.api, bench.projectId, (tx) => deleteEndpoint(tx, origin, endpoint));
    const late = inProject(ground.api, bench.projectId, (tx) =>
      turnOffEndpoint(tx, origin, endpoint),
    );
    const problem = await late.catch((error: unknown) => error);
    expect(problem).to.be.instanceOf(Problem).and.include({ code: 'not_found' });
  });
});
