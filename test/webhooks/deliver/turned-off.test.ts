import { expect } from 'chai';
import { Problem } from '../../../src/contracts/problems.ts';
import { inProject, inTransaction, type Tx } from '../../../src/db/transaction.ts';
import { settleDeliveries } from '../../../src/webhooks/delivery/settling/settle.ts';
import { deleteEndpoint } from '../../../src/webhooks/endpoints/remove.ts';
import {
  enableEndpoint,
  pauseEndpoint,
  turnOffEndpoint,
} from '../../../src/webhooks/endpoints/state.ts';
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

  it('are disabled by a 410, with one event and skipped deliveries', async () => {
    const endpoint = await endpointAt();
    receiver.answer(410);
    const first = await bench.trash();
    await bench.relay();
    const claimed = await claim(endpoint.id);
    const second = await bench.trash();
    await bench.relay();
    await inTransaction(ground.worker, (tx) =>
      settleDeliveries(
        tx,
        claimed.map((delivery) => ({ delivery, result: answered(410) })),
        schedule,
      ),
    );
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

  it('stay enabled if their URL changed after the attempt that got a 410', async () => {
    const endpoint = await endpointAt();
    await bench.trash();
    await bench.relay();
    const claimed = await claim(endpoint.id);
    await bench.rows(`UPDATE webhook_endpoint SET url = url || '/new' WHERE id = $1`, [
      endpoint.id,
    ]);
    await inTransaction(ground.worker, (tx) =>
      settleDeliveries(
        tx,
        claimed.map((delivery) => ({ delivery, result: answered(410) })),
        schedule,
      ),
    );
    expect((await bench.reread(endpoint.id)).state).to.equal('enabled');
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

  it('stay enabled if they were enabled again during an attempt', async () => {
    const endpoint = await endpointAt();
    await bench.trash();
    await bench.relay();
    await bench.rows(
      `UPDATE webhook_flow SET failing_since = now() - interval '6 days' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const late = await claim(endpoint.id);
    const inside = (work: (tx: Tx) => Promise<unknown>) =>
      inProject(ground.api, bench.projectId, work);
    const origin = originOf(bench.projectId);
    await inside((tx) => pauseEndpoint(tx, origin, endpoint));
    const paused = await bench.reread(endpoint.id);
    await inside((tx) => enableEndpoint(tx, origin, paused));
    await inTransaction(ground.worker, (tx) =>
      settleDeliveries(
        tx,
        late.map((delivery) => ({ delivery, result: answered(500) })),
        schedule,
      ),
    );
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
      inTransaction(ground.worker, (tx) =>
        settleDeliveries(
          tx,
          held.map((delivery) => ({ delivery, result: answered(200) })),
          schedule,
        ),
      ),
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
