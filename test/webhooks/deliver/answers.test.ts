import { expect } from 'chai';
import { createDialer } from '../../../src/webhooks/dialing/dial.ts';
import type { DatabaseFixture } from '../../support/database-fixture.ts';
import { deliverTo } from '../../support/deliver.ts';
import type { Receiver } from '../../support/receiver.ts';
import type { WebhookFixture } from '../../support/webhook-fixture.ts';
import { prepareDelivering, schedule } from './delivering.ts';

describe('webhook responses', () => {
  const stage = prepareDelivering();
  const { endpointAt, deliver, deliveryOf, waitOf, auditTypes } = stage;
  let databaseFixture: DatabaseFixture;
  let receiver: Receiver;
  let fixture: WebhookFixture;
  beforeEach(() => {
    ({ ground: databaseFixture, receiver, bench: fixture } = stage.now());
  });

  it('lead to retries with the same ID and bytes, newly signed, until one succeeds', async () => {
    receiver.respondWith((_request, number) =>
      number < 3 ? { status: 503, body: 'not now' } : { status: 200, body: 'thanks' },
    );
    const endpoint = await endpointAt();
    const event = await fixture.recordTrashed('obj_1');
    await fixture.relay();
    expect(await deliver(endpoint.id)).to.equal(1);
    const waiting = await deliveryOf(endpoint, event);
    expect([waiting.state, waiting.attempts_made]).to.deep.equal(['pending', 1]);
    // The second step of the schedule, ±20%.
    expect(await waitOf(waiting.id)).to.be.within(80, 121);
    await deliver(endpoint.id);
    await deliver(endpoint.id);
    const sent = receiver.requestsOf(event);
    expect(sent.map(({ verified }) => verified)).to.deep.equal([true, true, true]);
    expect(sent.map(({ body }) => body.equals(sent[0]!.body))).to.deep.equal([true, true, true]);
    const [row] = await fixture.rows<{ body: string }>('SELECT body FROM event WHERE id = $1', [
      event,
    ]);
    expect(sent[0]!.body.toString()).to.equal(row!.body);
    const done = await deliveryOf(endpoint, event);
    expect(done).to.include({ state: 'succeeded', attempts_made: 3, next_attempt_at: null });
    expect(
      done.attempts.map((attempt) => [
        attempt.number,
        attempt.trigger,
        attempt.outcome,
        attempt.status,
        attempt.response_excerpt,
      ]),
    ).to.deep.equal([
      [1, 'schedule', 'failed', 503, 'not now'],
      [2, 'schedule', 'failed', 503, 'not now'],
      [3, 'schedule', 'succeeded', 200, 'thanks'],
    ]);
    for (const attempt of done.attempts) {
      expect(attempt.timings).to.have.all.keys('dns', 'connect', 'tls', 'first_byte', 'total');
      expect(attempt.duration_ms).to.be.a('number');
    }
    expect(done.attempts[0]!.error).to.include({ code: 'status' });
    expect(done.attempts[0]!.next_attempt_at).to.be.a('string');
    expect(await fixture.published(event)).to.equal(true);
  });

  it('exhaust a delivery after the last step, with one event for other endpoints', async () => {
    receiver.respondWith(500);
    const endpoint = await endpointAt(['*']);
    const other = await fixture.addEndpoint({ url: 'http://127.0.0.1:1/', types: ['webhooks.*'] });
    const event = await fixture.recordTrashed();
    await fixture.relay();
    for (const _ of schedule) expect(await deliver(endpoint.id)).to.equal(1);
    const given = await deliveryOf(endpoint, event);
    expect([given.state, given.attempts.length]).to.deep.equal(['exhausted', 3]);
    expect(given.attempts.at(-1)!.next_attempt_at).to.equal(null);
    expect(await auditTypes()).to.deep.equal([
      'webhooks.endpoint.created',
      'webhooks.endpoint.created',
      'webhooks.delivery.exhausted',
    ]);
    await fixture.relay();
    expect(await deliver(endpoint.id)).to.equal(0);
    const owed = await fixture.rows<{ endpoint_id: string; type: string }>(
      `SELECT d.endpoint_id, event.type FROM delivery d JOIN event ON event.id = d.event_id
       WHERE d.project_id = $1 AND event.type LIKE 'webhooks.%'`,
      [fixture.projectId],
    );
    expect(owed).to.deep.equal([{ endpoint_id: other.id, type: 'webhooks.delivery.exhausted' }]);
    // A failed delivery of an event about failures is not reported.
    for (const _ of schedule) await deliver(other.id);
    expect(await auditTypes()).to.have.length(3);
  });

  it('count as failures if they redirect, and redirects are not followed', async () => {
    receiver.respondWith({ status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    const endpoint = await endpointAt();
    const event = await fixture.recordTrashed();
    await fixture.relay();
    await deliver(endpoint.id);
    const { state, attempts } = await deliveryOf(endpoint, event);
    expect([state, attempts[0]!.status, attempts[0]!.outcome]).to.deep.equal([
      'pending',
      302,
      'failed',
    ]);
    expect(receiver.requests).to.have.length(1);
  });

  it('lengthen the wait with Retry-After but never shorten it', async () => {
    const endpoint = await endpointAt();
    const [long, short] = [
      await fixture.recordTrashed('obj_long'),
      await fixture.recordTrashed('obj_short'),
    ];
    receiver.respondWith(({ body }) => ({
      status: 429,
      headers: { 'retry-after': body.includes('obj_long') ? '5000' : '1' },
    }));
    await fixture.relay();
    expect(await deliver(endpoint.id)).to.equal(2);
    expect(await waitOf((await deliveryOf(endpoint, long)).id)).to.be.within(5000, 5010);
    expect(await waitOf((await deliveryOf(endpoint, short)).id)).to.be.within(80, 121);
  });

  it('reset the failures at the first success', async () => {
    const endpoint = await endpointAt();
    receiver.respondWith((_request, number) => (number === 1 ? 500 : 200));
    await fixture.recordTrashed();
    await fixture.relay();
    await deliver(endpoint.id);
    await deliver(endpoint.id);
    expect((await fixture.flow(endpoint.id)).failingSince).to.equal(null);
  });

  it('may belong to a thin body without data, with the same bytes in each attempt', async () => {
    receiver.respondWith((_request, number) => (number === 1 ? 500 : 200));
    const endpoint = await endpointAt();
    await fixture.rows(`UPDATE webhook_endpoint SET payload = 'thin' WHERE id = $1`, [endpoint.id]);
    const event = await fixture.record('dam.object.updated', 'obj_1', { changed: ['tags'] });
    await fixture.relay();
    await deliver(endpoint.id);
    await deliver(endpoint.id);
    const [first, second] = receiver.requestsOf(event);
    expect(first!.verified && second!.verified).to.equal(true);
    expect(first!.body.equals(second!.body)).to.equal(true);
    expect(JSON.parse(first!.body.toString()))
      .to.include({ id: event, type: 'dam.object.updated' })
      .and.not.have.any.keys('data', 'published', 'address');
  });

  it('cannot come from an internal address that is not allowed: nothing is sent', async () => {
    const strict = createDialer({
      allowCidrs: [],
      perOriginConnections: 1,
      connectTimeoutMs: 1_000,
    });
    try {
      const endpoint = await endpointAt();
      const event = await fixture.recordTrashed();
      await fixture.relay();
      await fixture.makeDue(endpoint.id);
      await deliverTo(
        { database: databaseFixture.worker, dialer: strict, retrySchedule: schedule },
        endpoint.id,
      );
      const [attempt] = (await deliveryOf(endpoint, event)).attempts;
      expect(attempt).to.include({ outcome: 'failed', status: null, timings: null });
      expect(attempt!.error).to.include({ code: 'destination_not_allowed' });
      expect(receiver.requests).to.deep.equal([]);
    } finally {
      await strict.close();
    }
  });
});
