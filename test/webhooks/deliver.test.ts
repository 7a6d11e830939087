import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Problem } from '../../src/contracts/problems.ts';
import { inProject, inTransaction } from '../../src/db/transaction.ts';
import type { WebhookEndpoint } from '../../src/entities/webhook-endpoint.ts';
import { createLogger } from '../../src/logger.ts';
import { findDelivery, readAttempts, redeliver } from '../../src/webhooks/deliveries.ts';
import { claimDeliveries } from '../../src/webhooks/delivery/claim.ts';
import { createCourier } from '../../src/webhooks/delivery/deliver.ts';
import { settleDeliveries } from '../../src/webhooks/delivery/settle.ts';
import { sweepDeliveryLeases } from '../../src/webhooks/delivery/sweep.ts';
import { createDialer, type Dialer, type DialResult } from '../../src/webhooks/dialing/dial.ts';
import { deleteEndpoint } from '../../src/webhooks/endpoints/remove.ts';
import {
  enableEndpoint,
  pauseEndpoint,
  turnOffEndpoint,
} from '../../src/webhooks/endpoints/state.ts';
import { deliverTo } from '../support/deliver.ts';
import { type Bench, openBench } from '../support/endpoints.ts';
import { type Ground, openGround, originOf } from '../support/outbox.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const schedule = [0, 100, 200];

describe('delivering webhooks', () => {
  let ground: Ground;
  let dialer: Dialer;
  let receiver: Receiver;
  let bench: Bench;
  before(async () => {
    ground = await openGround();
    dialer = createDialer({
      allowCidrs: ['127.0.0.0/8'],
      perOriginConnections: 20,
      connectTimeoutMs: 2_000,
    });
  });
  after(async () => {
    await dialer.close();
    await ground.close();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    bench = await openBench(ground);
  });
  afterEach(() => receiver.close());

  const endpointAt = (types?: string[]) =>
    bench.endpoint({ url: receiver.url, secret: receiver.secret, ...(types ? { types } : {}) });
  const deliver = async (endpointId: string): Promise<number> => {
    await bench.hand(endpointId);
    return deliverTo({ database: ground.worker, dialer, retrySchedule: schedule }, endpointId);
  };
  const claim = async (endpointId: string) => {
    await bench.hand(endpointId);
    return inTransaction(ground.worker, (tx) => claimDeliveries(tx, [endpointId], 50));
  };
  const deliveryOf = async (endpoint: WebhookEndpoint, eventId: string) => {
    const [row] = await bench.rows<{ id: string }>(
      'SELECT id FROM delivery WHERE endpoint_id = $1 AND event_id = $2',
      [endpoint.id, eventId],
    );
    return inProject(ground.api, bench.projectId, async (tx) =>
      readAttempts(
        tx,
        bench.projectId,
        (await findDelivery(tx, bench.projectId, endpoint.id, row!.id))!,
      ),
    );
  };
  /** Seconds from the last failure to the next attempt, by the database's clock. */
  const waitOf = async (deliveryId: string): Promise<number> => {
    const [row] = await bench.rows<{ wait: number }>(
      `SELECT extract(epoch FROM d.due_at - a.at)::float8 AS wait FROM due_delivery d
       JOIN attempt a ON a.delivery_id = d.id WHERE d.id = $1 ORDER BY a.number DESC LIMIT 1`,
      [deliveryId],
    );
    return row!.wait;
  };
  const auditTypes = async (): Promise<string[]> => {
    const rows = await bench.rows<{ type: string }>(
      `SELECT type FROM event WHERE project_id = $1 AND type LIKE 'webhooks.%' ORDER BY ordinal`,
      [bench.projectId],
    );
    return rows.map(({ type }) => type);
  };
  const answered = (status: number): DialResult => ({
    outcome: 'answered',
    status,
    excerpt: '',
    timings: { dns: null, connect: null, tls: null, first_byte: 1, total: 1 },
  });

  it('retries with the same id and the same bytes, newly signed, until it succeeds', async () => {
    receiver.answer((_request, number) =>
      number < 3 ? { status: 503, body: 'not now' } : { status: 200, body: 'thanks' },
    );
    const endpoint = await endpointAt();
    const event = await bench.trash('obj_1');
    await bench.relay();
    expect(await deliver(endpoint.id)).to.equal(1);
    const waiting = await deliveryOf(endpoint, event);
    expect([waiting.state, waiting.attempts_made]).to.deep.equal(['pending', 1]);
    // The second step of the schedule, ±20 %.
    expect(await waitOf(waiting.id)).to.be.within(80, 121);
    await deliver(endpoint.id);
    await deliver(endpoint.id);
    const sent = receiver.of(event);
    expect(sent.map(({ verified }) => verified)).to.deep.equal([true, true, true]);
    expect(sent.map(({ body }) => body.equals(sent[0]!.body))).to.deep.equal([true, true, true]);
    const [row] = await bench.rows<{ body: string }>('SELECT body FROM event WHERE id = $1', [
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
    expect(await bench.published(event)).to.equal(true);
  });

  it('gives up after the last step with one event, which the endpoint itself is not told', async () => {
    receiver.answer(500);
    const endpoint = await endpointAt(['*']);
    const other = await bench.endpoint({ url: 'http://127.0.0.1:1/', types: ['webhooks.*'] });
    const event = await bench.trash();
    await bench.relay();
    for (const _ of schedule) expect(await deliver(endpoint.id)).to.equal(1);
    const given = await deliveryOf(endpoint, event);
    expect([given.state, given.attempts.length]).to.deep.equal(['exhausted', 3]);
    expect(given.attempts.at(-1)!.next_attempt_at).to.equal(null);
    expect(await auditTypes()).to.deep.equal([
      'webhooks.endpoint.created',
      'webhooks.endpoint.created',
      'webhooks.delivery.exhausted',
    ]);
    await bench.relay();
    expect(await deliver(endpoint.id)).to.equal(0);
    const owed = await bench.rows<{ endpoint_id: string; type: string }>(
      `SELECT d.endpoint_id, event.type FROM delivery d JOIN event ON event.id = d.event_id
       WHERE d.project_id = $1 AND event.type LIKE 'webhooks.%'`,
      [bench.projectId],
    );
    expect(owed).to.deep.equal([{ endpoint_id: other.id, type: 'webhooks.delivery.exhausted' }]);
    // Giving up on telling about it is told to nobody.
    for (const _ of schedule) await deliver(other.id);
    expect(await auditTypes()).to.have.length(3);
  });

  it('takes a redirect for a failure and does not follow it', async () => {
    receiver.answer({ status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    const endpoint = await endpointAt();
    const event = await bench.trash();
    await bench.relay();
    await deliver(endpoint.id);
    const { state, attempts } = await deliveryOf(endpoint, event);
    expect([state, attempts[0]!.status, attempts[0]!.outcome]).to.deep.equal([
      'pending',
      302,
      'failed',
    ]);
    expect(receiver.requests).to.have.length(1);
  });

  it('lets Retry-After lengthen the wait, and never shorten it', async () => {
    const endpoint = await endpointAt();
    const [long, short] = [await bench.trash('obj_long'), await bench.trash('obj_short')];
    receiver.answer(({ body }) => ({
      status: 429,
      headers: { 'retry-after': body.includes('obj_long') ? '5000' : '1' },
    }));
    await bench.relay();
    expect(await deliver(endpoint.id)).to.equal(2);
    expect(await waitOf((await deliveryOf(endpoint, long)).id)).to.be.within(5000, 5010);
    expect(await waitOf((await deliveryOf(endpoint, short)).id)).to.be.within(80, 121);
  });

  it('disables an endpoint that answers 410, with one event, and skips what waits', async () => {
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

  it('disables an endpoint after five days of nothing but failure', async () => {
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

  it('does not disable one that was enabled anew while an attempt was under way', async () => {
    const endpoint = await endpointAt();
    await bench.trash();
    await bench.relay();
    await bench.rows(
      `UPDATE webhook_flow SET failing_since = now() - interval '6 days' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const late = await claim(endpoint.id);
    await inProject(ground.api, bench.projectId, async (tx) => {
      const origin = originOf(bench.projectId);
      await enableEndpoint(tx, origin, await pauseEndpoint(tx, origin, endpoint));
    });
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

  it('forgets failures at the first success', async () => {
    const endpoint = await endpointAt();
    receiver.answer((_request, number) => (number === 1 ? 500 : 200));
    await bench.trash();
    await bench.relay();
    await deliver(endpoint.id);
    await deliver(endpoint.id);
    expect((await bench.flow(endpoint.id)).failingSince).to.equal(null);
  });

  it('changes nothing when a worker comes late whose lease another took', async () => {
    const endpoint = await endpointAt();
    const event = await bench.trash();
    await bench.relay();
    const late = await claim(endpoint.id);
    await bench.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [late[0]!.id],
    );
    await inTransaction(ground.relay, (tx) => sweepDeliveryLeases(tx, schedule));
    const newer = await claim(endpoint.id);
    const settle = (held: typeof late, status: number) =>
      inTransaction(ground.worker, (tx) =>
        settleDeliveries(
          tx,
          held.map((delivery) => ({ delivery, result: answered(status) })),
          schedule,
        ),
      );
    await settle(late, 200);
    expect((await deliveryOf(endpoint, event)).state).to.equal('delivering');
    expect(await bench.published(event)).to.equal(false);
    await settle(newer, 200);
    await settle(newer, 200);
    const done = await deliveryOf(endpoint, event);
    expect([done.state, done.attempts.map(({ number }) => number)]).to.deep.equal([
      'succeeded',
      [1, 2],
    ]);
    const [counted] = await bench.rows('SELECT owed, delivered FROM event WHERE id = $1', [event]);
    expect(counted).to.deep.equal({ owed: 1, delivered: 1 });
  });

  it('counts an attempt that comes late together with its successor once', async () => {
    const [endpoint, silent] = [await endpointAt(), await endpointAt()];
    const event = await bench.trash();
    await bench.relay();
    const late = await claim(endpoint.id);
    await bench.rows(
      `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
      [late[0]!.id],
    );
    await inTransaction(ground.relay, (tx) => sweepDeliveryLeases(tx, schedule));
    const both = [...late, ...(await claim(endpoint.id))];
    await inTransaction(ground.worker, (tx) =>
      settleDeliveries(
        tx,
        both.map((delivery) => ({ delivery, result: answered(200) })),
        schedule,
      ),
    );
    const [counted] = await bench.rows('SELECT owed, delivered FROM event WHERE id = $1', [event]);
    expect(counted).to.deep.equal({ owed: 2, delivered: 1 });
    expect(await bench.published(event)).to.equal(false);
    expect((await deliveryOf(silent, event)).state).to.equal('pending');
  });

  it('counts every third lease that ran out in a row as a failed attempt', async () => {
    const endpoint = await endpointAt();
    const event = await bench.trash();
    await bench.relay();
    const failures: number[] = [];
    for (let at = 1; at <= 9; at++) {
      const held = await claim(endpoint.id);
      await bench.rows(
        `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
        [held[0]!.id],
      );
      await inTransaction(ground.relay, (tx) => sweepDeliveryLeases(tx, schedule));
      const [row] = await bench.rows<{ failures: number }>(
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

  it('publishes exactly when both of two workers are done, and neither waits for the other', async () => {
    const [a, b] = [await endpointAt(), await endpointAt()];
    const events: string[] = [];
    for (let at = 0; at < 20; at++) events.push(await bench.trash());
    await bench.relay();
    const [forA, forB] = [await claim(a.id), await claim(b.id)];
    expect([forA.length, forB.length]).to.deep.equal([20, 20]);
    const settle = (held: typeof forA, from: number, to: number, reverse: boolean) => {
      const part = held.slice(from, to);
      if (reverse) part.reverse();
      return inTransaction(ground.worker, (tx) =>
        settleDeliveries(
          tx,
          part.map((delivery) => ({ delivery, result: answered(200) })),
          schedule,
        ),
      );
    };
    const published = async () =>
      (await Promise.all(events.map((event) => bench.published(event)))).filter(Boolean).length;
    // The same events, from both ends at once.
    await Promise.all([settle(forA, 0, 10, false), settle(forB, 0, 10, true)]);
    expect(await published()).to.equal(10);
    await settle(forA, 10, 20, false);
    expect(await published()).to.equal(10);
    await settle(forB, 10, 20, true);
    expect(await published()).to.equal(20);
  });

  it('survives the endpoint being deleted while its deliveries are on their way', async () => {
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

  it('tells who disables an endpoint that was deleted meanwhile that there is none', async () => {
    const endpoint = await endpointAt();
    const origin = originOf(bench.projectId);
    await inProject(ground.api, bench.projectId, (tx) => deleteEndpoint(tx, origin, endpoint));
    const late = inProject(ground.api, bench.projectId, (tx) =>
      turnOffEndpoint(tx, origin, endpoint),
    );
    const problem = await late.catch((error: unknown) => error);
    expect(problem).to.be.instanceOf(Problem).and.include({ code: 'not_found' });
  });

  it('begins no more than a process may have under way, however many it is asked to serve', async () => {
    const endpoints = await Promise.all(Array.from({ length: 30 }, () => endpointAt()));
    for (let at = 0; at < 50; at++) await bench.trash();
    await bench.relay();
    await bench.rows('UPDATE webhook_endpoint SET max_in_flight = 100 WHERE project_id = $1', [
      bench.projectId,
    ]);
    await bench.rows('UPDATE webhook_flow SET window_size = 100 WHERE project_id = $1', [
      bench.projectId,
    ]);
    let most = 0;
    const courier = createCourier({
      database: ground.worker,
      dialer: {
        async post() {
          most = Math.max(most, courier.open());
          await delay(200);
          return answered(200);
        },
      },
      unseal: (sealed) => sealed,
      retrySchedule: schedule,
      observeAttempt: () => undefined,
      logger: createLogger('silent', 'test'),
    });
    await Promise.all(endpoints.map(({ id }) => courier.serve(id)));
    await courier.idle();
    // What two claims find room for at the same moment may be a little more.
    expect(most).to.be.within(500, 1_050);
  });

  it('sends a thin body without its data, the same bytes each time', async () => {
    receiver.answer((_request, number) => (number === 1 ? 500 : 200));
    const endpoint = await endpointAt();
    await bench.rows(`UPDATE webhook_endpoint SET payload = 'thin' WHERE id = $1`, [endpoint.id]);
    const event = await bench.record('dam.object.updated', 'obj_1', { changed: ['tags'] });
    await bench.relay();
    await deliver(endpoint.id);
    await deliver(endpoint.id);
    const [first, second] = receiver.of(event);
    expect(first!.verified && second!.verified).to.equal(true);
    expect(first!.body.equals(second!.body)).to.equal(true);
    expect(JSON.parse(first!.body.toString()))
      .to.include({ id: event, type: 'dam.object.updated' })
      .and.not.have.any.keys('data', 'published', 'address');
  });

  it('sends to an address inside, which was never allowed, nothing at all', async () => {
    const strict = createDialer({
      allowCidrs: [],
      perOriginConnections: 1,
      connectTimeoutMs: 1_000,
    });
    try {
      const endpoint = await endpointAt();
      const event = await bench.trash();
      await bench.relay();
      await bench.hand(endpoint.id);
      await deliverTo(
        { database: ground.worker, dialer: strict, retrySchedule: schedule },
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

  describe('once more, by hand', () => {
    const again = (endpoint: WebhookEndpoint, id: string) =>
      inProject(ground.api, bench.projectId, async (tx) =>
        redeliver(tx, endpoint, (await findDelivery(tx, bench.projectId, endpoint.id, id))!),
      );

    it('leaves the step and the time of the schedule as they were when it fails', async () => {
      receiver.answer(500);
      const endpoint = await endpointAt();
      const event = await bench.trash();
      await bench.relay();
      await deliver(endpoint.id);
      const before = await deliveryOf(endpoint, event);
      await again(endpoint, before.id);
      await again(endpoint, before.id);
      await deliver(endpoint.id);
      const after = await deliveryOf(endpoint, event);
      expect(after.attempts.map(({ trigger }) => trigger)).to.deep.equal(['schedule', 'manual']);
      expect([after.state, after.next_attempt_at]).to.deep.equal([
        'pending',
        before.next_attempt_at,
      ]);
      await deliver(endpoint.id);
      await deliver(endpoint.id);
      const end = await deliveryOf(endpoint, event);
      expect([end.state, end.attempts.length]).to.deep.equal(['exhausted', 4]);
      // And once it was given up, a failure by hand gives it up no second time.
      await again(endpoint, end.id);
      await deliver(endpoint.id);
      const last = await deliveryOf(endpoint, event);
      expect([last.state, last.attempts.length]).to.deep.equal(['exhausted', 5]);
      expect((await auditTypes()).filter((type) => type.endsWith('exhausted'))).to.have.length(1);
      receiver.answer(200);
      await again(endpoint, end.id);
      await deliver(endpoint.id);
      expect((await deliveryOf(endpoint, event)).state).to.equal('succeeded');
      expect(await bench.published(event)).to.equal(true);
    });

    it('counts what had succeeded once, whatever comes of sending it again', async () => {
      const [endpoint, silent] = [await endpointAt(), await endpointAt()];
      const event = await bench.trash();
      await bench.relay();
      await deliver(endpoint.id);
      const { id } = await deliveryOf(endpoint, event);
      await again(endpoint, id);
      await deliver(endpoint.id);
      receiver.answer(500);
      await again(endpoint, id);
      await deliver(endpoint.id);
      const done = await deliveryOf(endpoint, event);
      expect([done.state, done.attempts.length]).to.deep.equal(['succeeded', 3]);
      // The other endpoint has not had it.
      expect(await bench.published(event)).to.equal(false);
      expect((await deliveryOf(silent, event)).state).to.equal('pending');
    });

    it('is not settled by a worker that comes late from before', async () => {
      const endpoint = await endpointAt();
      const event = await bench.trash();
      await bench.relay();
      const late = await claim(endpoint.id);
      await bench.rows(
        `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
        [late[0]!.id],
      );
      await inTransaction(ground.relay, (tx) => sweepDeliveryLeases(tx, schedule));
      await deliver(endpoint.id);
      await again(endpoint, late[0]!.id);
      expect(await claim(endpoint.id)).to.have.length(1);
      await inTransaction(ground.worker, (tx) =>
        settleDeliveries(tx, [{ delivery: late[0]!, result: answered(500) }], schedule),
      );
      expect((await deliveryOf(endpoint, event)).state).to.equal('delivering');
    });

    it('goes back to where it was when the endpoint is deleted or its worker dies', async () => {
      const endpoint = await endpointAt();
      const [one, two] = [await bench.trash(), await bench.trash()];
      await bench.relay();
      await deliver(endpoint.id);
      const { id } = await deliveryOf(endpoint, one);
      await again(endpoint, id);
      for (let at = 0; at < 3; at++) {
        await claim(endpoint.id);
        await bench.rows(
          `UPDATE due_delivery SET lease_until = now() - interval '1 second' WHERE id = $1`,
          [id],
        );
        await inTransaction(ground.relay, (tx) => sweepDeliveryLeases(tx, schedule));
      }
      expect((await deliveryOf(endpoint, one)).state).to.equal('succeeded');
      await again(endpoint, (await deliveryOf(endpoint, two)).id);
      await inProject(ground.api, bench.projectId, async (tx) =>
        deleteEndpoint(tx, originOf(bench.projectId), await bench.reread(endpoint.id)),
      );
      const rows = await bench.rows(
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
});
