import { newId } from '@scriptorium/contracts/ids';
import type { ReplayRecord } from '@scriptorium/contracts/wire/replays';
import { expect } from 'chai';
import { inTransaction, prepared } from '../../../src/db/transaction.ts';
import { createDialer, type Dialer } from '../../../src/webhooks/dialing/dial.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { deliverTo } from '../../support/deliver.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';
import { runReplayStep } from '../../support/replays.ts';

const longAgo = '2020-01-01T00:00:00Z';

describe('webhook replays and deliveries', () => {
  let api: TestApi;
  let relay: TestRelay;
  let receiver: Receiver;
  let dialer: Dialer;
  before(async () => {
    receiver = await startReceiver();
    dialer = createDialer({
      allowCidrs: ['127.0.0.0/8'],
      perOriginConnections: 8,
      connectTimeoutMs: 60_000,
    });
  });
  after(async () => {
    await dialer.close();
    await receiver.close();
  });
  beforeEach(async () => {
    receiver.respondWith(204);
    receiver.requests.length = 0;
    api = await startApi();
    relay = await openRelay(api);
  });
  afterEach(async () => {
    await relay.close();
    await api.close();
  });

  const create = async (body: Record<string, unknown> = {}): Promise<string> => {
    const made = await api.call('POST', '/v1/webhooks', {
      body: { url: receiver.url, event_types: ['dam.*'], secret: receiver.secret, ...body },
    });
    expect(made.status, made.text).to.equal(201);
    return made.json.id;
  };
  const happen = async (
    count: number,
    type: 'dam.object.trashed' | 'dam.object.restored' = 'dam.object.trashed',
  ): Promise<string[]> => {
    const ids = await relay.record(
      api.projectId,
      ...Array.from(
        { length: count },
        () => ({ type, resourceId: newId('object'), data: {} }) as const,
      ),
    );
    await relay.run();
    return ids;
  };
  /** Sends what is pending, as the workers would, with exactly one attempt each. */
  const deliver = async (webhookId: string, retrySchedule = [0]): Promise<number> => {
    let begun = 0;
    for (;;) {
      await inTransaction(relay.worker, (tx) =>
        prepared(
          tx,
          'UPDATE webhook_flow SET window_size = 100, held_until = NULL WHERE endpoint_id = $1',
          [webhookId],
        ),
      );
      const more = await deliverTo(
        {
          database: relay.worker,
          dialer,
          unseal: api.deps.seal.open,
          retrySchedule,
        },
        webhookId,
      );
      if (more === 0) return begun;
      begun += more;
    }
  };
  const step = (id: string) => runReplayStep(relay.worker, id);
  const finish = async (id: string): Promise<void> => {
    while (await step(id));
  };
  const replay = (webhook: string, body: object = {}): Promise<ApiResponse> =>
    api.call('POST', `/v1/webhooks/${webhook}/replay`, { body: { since: longAgo, ...body } });
  const preview = async (webhook: string, body: object = {}): Promise<number> => {
    const answer = await replay(webhook, { ...body, dry_run: true });
    expect(answer.status, answer.text).to.equal(200);
    return answer.json.matched;
  };
  const read = async (webhook: string, id: string): Promise<ReplayRecord> =>
    (await api.call('GET', `/v1/webhooks/${webhook}/replays/${id}`)).json;
  const deliveries = async (webhook: string, query = ''): Promise<Record<string, unknown>[]> =>
    (await api.call('GET', `/v1/webhooks/${webhook}/deliveries?limit=200&${query}`)).json.data;
  const published = async (...events: string[]): Promise<boolean[]> =>
    Promise.all(
      events.map(async (id) => (await api.call('GET', `/v1/events/${id}`)).json.published),
    );
  const move = (webhook: string, verb: string) =>
    api.call('POST', `/v1/webhooks/${webhook}/${verb}`);
  const told = async (): Promise<[string, object][]> => {
    await relay.run();
    const { json } = await api.call('GET', '/v1/events?type=webhooks.replay.*');
    return json.data.map((event: { type: string; data: object }) => [event.type, event.data]);
  };

  it('list an event’s deliveries to every webhook, deleted ones included', async () => {
    const first = await create();
    const second = await create();
    await create({ event_types: ['documents.*'] });
    const [event, other] = await happen(2);
    await deliver(first);
    const made = await replay(first, { only: 'all' });
    await step(made.json.id);
    const found = await api.call('GET', `/v1/webhooks/deliveries?event_id=${event}&include=total`);
    expect(found.status, found.text).to.equal(200);
    const idOf = ({ id }: { id: string }) => id;
    const told = found.json.data.map((one: Record<string, unknown>) => [one.webhook_id, one.state]);
    expect(told).to.deep.include.members([
      [first, 'pending'],
      [first, 'succeeded'],
      [second, 'pending'],
    ]);
    expect([found.json.total, found.json.has_more]).to.deep.equal([3, false]);
    expect(found.json.data.map((one: { event_id: string }) => one.event_id)).to.not.include(other);
    const page = await api.call('GET', `/v1/webhooks/deliveries?event_id=${event}&limit=2`);
    const rest = await api.call(
      'GET',
      `/v1/webhooks/deliveries?event_id=${event}&limit=2&cursor=${page.json.next_cursor}`,
    );
    const ids = (answers: ApiResponse[]) => answers.flatMap(({ json }) => json.data.map(idOf));
    expect(ids([page, rest])).to.deep.equal(ids([found]));
    const etag = (await api.call('GET', `/v1/webhooks/${second}`)).headers.get('etag')!;
    await api.call('DELETE', `/v1/webhooks/${second}`, { headers: { 'if-match': etag } });
    const after = await api.call('GET', `/v1/webhooks/deliveries?event_id=${event}`);
    expect(
      after.json.data.find((one: { webhook_id: string }) => one.webhook_id === second),
    ).to.include({ state: 'cancelled' });
    const reader = await api.issue(['events:read']);
    const rejected = await api.call('GET', `/v1/webhooks/deliveries?event_id=${event}`, {
      key: reader.key,
    });
    expect(rejected.json.required_scopes).to.deep.equal(['events:read', 'webhooks:read']);
  });

  it('send failed deliveries again, with progress, and settle the originals', async () => {
    const webhook = await create();
    receiver.respondWith(500);
    const failed = await happen(3);
    await deliver(webhook);
    receiver.respondWith(204);
    const fine = await happen(2);
    await deliver(webhook);
    expect(await published(...failed, ...fine)).to.deep.equal([false, false, false, true, true]);
    expect(await preview(webhook)).to.equal(3);
    expect(await deliveries(webhook)).to.have.length(5);

    const started = await replay(webhook);
    expect([started.status, started.headers.get('location')]).to.deep.equal([
      202,
      `/v1/webhooks/${webhook}/replays/${started.json.id}`,
    ]);
    expect(started.json).to.include({
      webhook_id: webhook,
      state: 'running',
      only: 'failed',
      event_types: null,
      matched: 3,
      queued: 0,
    });
    const { id } = started.json;
    await step(id);
    expect(await read(webhook, id)).to.include({ state: 'running', queued: 3, pending: 3 });
    receiver.requests.length = 0;
    await deliver(webhook);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).to.have.members(failed);
    for (const { headers, verified } of receiver.requests) {
      expect([verified, headers['webhook-replay-id']]).to.deep.equal([true, id]);
    }
    await finish(id);
    const ended = await read(webhook, id);
    expect(ended).to.include({ state: 'completed', reason: null, matched: 3, queued: 3 });
    expect(ended).to.include({ pending: 0, succeeded: 3, exhausted: 0, skipped: 0, cancelled: 0 });
    expect(ended.finished_at).to.be.a('string');
    expect(await published(...failed)).to.deep.equal([true, true, true]);
    const originals = (await deliveries(webhook)).filter(({ reason }) => reason === 'replayed');
    expect(originals.map(({ state, event_id }) => [state, event_id])).to.have.deep.members(
      failed.map((event) => ['succeeded', event]),
    );
    expect(await preview(webhook)).to.equal(0);
    expect(await told()).to.deep.equal([
      ['webhooks.replay.started', { webhook_id: webhook, matched: 3 }],
      [
        'webhooks.replay.completed',
        { webhook_id: webhook, matched: 3, state: 'completed', succeeded: 3 },
      ],
    ]);
    // Events about an endpoint are never sent to that endpoint, not even again.
    const all = await create({ event_types: ['*'] });
    expect(await preview(all, { only: 'all', event_types: ['webhooks.*'] })).to.equal(5);
    await api.call('PATCH', `/v1/webhooks/${webhook}`, {
      body: { event_types: ['*'] },
      headers: { 'if-match': '*' },
    });
    expect(await preview(webhook, { only: 'all', event_types: ['webhooks.*'] })).to.equal(0);
  });

  it('send skipped deliveries, and report those that fail again', async () => {
    const webhook = await create();
    await move(webhook, 'disable');
    const skipped = await happen(2);
    expect((await replay(webhook)).json.code).to.equal('state_conflict');
    await move(webhook, 'enable');
    const { id } = (await replay(webhook)).json;
    await step(id);
    receiver.respondWith((_request, number) => (number === 1 ? 500 : 204));
    await deliver(webhook);
    await finish(id);
    expect(await read(webhook, id)).to.include({ state: 'completed', succeeded: 1, exhausted: 1 });
    expect((await published(...skipped)).sort()).to.deep.equal([false, true]);
    // Both the skipped original and the replay's own delivery failed: that is one event.
    expect(await preview(webhook)).to.equal(1);
    const second = (await replay(webhook)).json;
    expect(second.matched).to.equal(1);
    await step(second.id);
    await deliver(webhook);
    await finish(second.id);
    expect(await published(...skipped)).to.deep.equal([true, true]);
    const listed = await api.call('GET', `/v1/webhooks/${webhook}/replays?limit=1&include=total`);
    expect([listed.json.total, listed.json.data[0].id]).to.deep.equal([2, second.id]);
    const next = `/v1/webhooks/${webhook}/replays?limit=1&cursor=${listed.json.next_cursor}`;
    expect(
      (await api.call('GET', next)).json.data.map((one: { id: string }) => one.id),
    ).to.deep.equal([id]);
  });

  it('find missing events by the webhook’s current types, and count them as owed', async () => {
    const before = await happen(3);
    const webhook = await create({ event_types: ['dam.object.trashed'] });
    const got = await happen(1);
    const other = await happen(2, 'dam.object.restored');
    await deliver(webhook);
    const paused = await create({ event_types: ['dam.object.trashed'], state: 'paused' });
    const waiting = await happen(1);
    expect(await preview(webhook, { only: 'missing' })).to.equal(3);
    expect(await preview(paused, { only: 'missing' })).to.equal(4);
    // The one that is waiting is sent anyway.
    expect(await preview(webhook, { only: 'all' })).to.equal(4);
    await deliver(webhook);
    expect(await preview(webhook, { only: 'all' })).to.equal(5);
    const started = (await replay(webhook, { only: 'missing' })).json;
    expect(started.matched).to.equal(3);
    await step(started.id);
    await deliver(webhook);
    await finish(started.id);
    expect(receiver.requests.slice(-3).map(({ headers }) => headers['webhook-id'])).to.have.members(
      before,
    );
    expect(await published(...before, ...got, ...other, ...waiting)).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(await preview(webhook, { only: 'missing' })).to.equal(0);
    await api.call('PATCH', `/v1/webhooks/${webhook}`, {
      body: { event_types: ['dam.object.*'] },
      headers: { 'if-match': '*' },
    });
    expect(await preview(webhook, { only: 'missing' })).to.equal(2);
    expect(await preview(webhook, { only: 'missing', event_types: ['dam.*.trashed'] })).to.equal(0);
  });

  it('send everything again on request, without a change to what is published', async () => {
    const webhook = await create();
    const events = await happen(3);
    await deliver(webhook);
    const [last] = (await api.call('GET', `/v1/events/${events[2]}`)).json.occurred_at;
    expect(last).to.be.a('string');
    const { id, matched } = (await replay(webhook, { only: 'all' })).json;
    expect(matched).to.equal(3);
    // Events recorded after the request are not part of it.
    const after = await happen(1);
    await step(id);
    await deliver(webhook);
    await finish(id);
    const again = receiver.requests.filter(({ headers }) => headers['webhook-replay-id'] === id);
    expect(again.map(({ headers }) => headers['webhook-id'])).to.have.members(events);
    expect(await published(...events, ...after)).to.deep.equal([true, true, true, true]);
  });

  it('are limited to the given range and types', async () => {
    const webhook = await create();
    receiver.respondWith(500);
    const [first] = await happen(1);
    const [second] = await happen(1, 'dam.object.restored');
    await deliver(webhook);
    await api.rows(`UPDATE event SET occurred_at = now() - interval '2 hours' WHERE id = $1`, [
      first,
    ]);
    await api.rows(`UPDATE event SET occurred_at = now() - interval '1 hour' WHERE id = $1`, [
      second,
    ]);
    const { occurred_at: at } = (await api.call('GET', `/v1/events/${second}`)).json;
    expect(await preview(webhook, { until: at })).to.equal(1);
    expect(await preview(webhook, { since: at })).to.equal(1);
    expect(await preview(webhook, { event_types: ['dam.object.trashed'] })).to.equal(1);
    expect(await preview(webhook, { event_types: ['dam.object.purged'] })).to.equal(0);
    const faults = async (body: object) => {
      const answer = await replay(webhook, body);
      expect(answer.status, answer.text).to.equal(422);
      return answer.json.errors.map((fault: Record<string, string>) => [fault.pointer, fault.code]);
    };
    expect(await faults({ until: longAgo })).to.deep.equal([['/until', 'range_empty']]);
    expect(await faults({ since: '2999-01-01T00:00:00Z' })).to.deep.equal([
      ['/since', 'range_empty'],
    ]);
    expect(await faults({ event_types: ['nothing.*'], until: longAgo })).to.deep.equal([
      ['/event_types/0', 'unknown_event_type'],
      ['/until', 'range_empty'],
    ]);
    expect(await faults({ since: undefined })).to.deep.equal([['/since', 'required']]);
    for (const since of ['0001-01-01T00:00:00Z', '1950-01-01T00:00:00+14:00']) {
      expect(await preview(webhook, { since })).to.equal(2);
    }
    expect(await preview(webhook, { until: '9999-12-31T23:59:59Z' })).to.equal(2);
  });

  it('apply a filter to the content of events', async () => {
    const webhook = await create();
    const [one, two] = await happen(2);
    const [row] = await api.rows<{ resource_id: string }>(
      'SELECT resource_id FROM event WHERE id = $1',
      [one],
    );
    await api.rows('UPDATE webhook_endpoint SET filter = $1', [
      JSON.stringify({ '/resource_id': [row!.resource_id, 'obj_none'] }),
    ]);
    await deliver(webhook);
    expect(await preview(webhook, { only: 'all' })).to.equal(1);
    const { id } = (await replay(webhook, { only: 'all' })).json;
    await step(id);
    await deliver(webhook);
    await finish(id);
    expect([receiver.requestsOf(one!).length, receiver.requestsOf(two!).length]).to.deep.equal([
      2, 1,
    ]);
    expect(await read(webhook, id)).to.include({ matched: 1, queued: 1, succeeded: 1 });
  });

  it('run one at a time, even with concurrent requests, and stop when cancelled', async () => {
    const webhook = await create();
    const events = await happen(4);
    receiver.respondWith(500);
    await deliver(webhook);
    receiver.respondWith(204);
    await move(webhook, 'pause');
    const answers = await Promise.all(Array.from({ length: 4 }, () => replay(webhook)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([202, 409, 409, 409]);
    const { id } = answers.find(({ status }) => status === 202)!.json;
    expect(answers.find(({ status }) => status === 409)!.json).to.include({ replay_id: id });
    await step(id);
    expect(await read(webhook, id)).to.include({ queued: 4, pending: 4 });
    const stop = () => api.call('POST', `/v1/webhooks/${webhook}/replays/${id}/cancel`);
    const cancelled = await stop();
    expect(cancelled.status).to.equal(200);
    expect(cancelled.json).to.include({
      state: 'cancelled',
      reason: 'requested',
      queued: 4,
      pending: 0,
      cancelled: 4,
    });
    expect((await stop()).json).to.deep.equal(cancelled.json);
    await finish(id);
    expect((await stop()).json).to.deep.equal(cancelled.json);
    await move(webhook, 'enable');
    expect(await deliver(webhook)).to.equal(0);
    expect(await published(...events)).to.deep.equal([false, false, false, false]);
    expect((await told()).at(-1)).to.deep.equal([
      'webhooks.replay.completed',
      { webhook_id: webhook, matched: 4, state: 'cancelled', succeeded: 0 },
    ]);
    const next = (await replay(webhook)).json;
    await step(next.id);
    await deliver(webhook);
    await finish(next.id);
    const late = await api.call('POST', `/v1/webhooks/${webhook}/replays/${next.id}/cancel`);
    expect([late.status, late.json.code]).to.deep.equal([409, 'state_conflict']);
    expect(await published(...events)).to.deep.equal([true, true, true, true]);
  });

  it('end if the webhook is disabled or deleted, and leave nothing behind', async () => {
    const before = await happen(3);
    const webhook = await create();
    const { id } = (await replay(webhook, { only: 'missing' })).json;
    await step(id);
    await move(webhook, 'disable');
    await finish(id);
    expect(await read(webhook, id)).to.include({
      state: 'cancelled',
      reason: 'endpoint_disabled',
      skipped: 3,
      pending: 0,
    });
    await move(webhook, 'enable');
    const second = (await replay(webhook, { only: 'missing' })).json;
    await step(second.id);
    const { status } = await api.call('DELETE', `/v1/webhooks/${webhook}`, {
      headers: { 'if-match': '*' },
    });
    expect(status).to.equal(204);
    await finish(second.id);
    expect(await api.rows('SELECT FROM due_delivery')).to.deep.equal([]);
    expect(await api.rows(`SELECT FROM task WHERE kind = 'webhook.replay'`)).to.deep.equal([]);
    const [row] = await api.rows('SELECT state, reason FROM replay WHERE id = $1', [second.id]);
    expect(row).to.deep.equal({ state: 'cancelled', reason: 'endpoint_deleted' });
    // They count as missing for a new webhook, and as published once that has them.
    const next = await create();
    expect(await preview(next, { only: 'missing' })).to.equal(3);
    expect(await published(...before)).to.deep.equal([false, false, false]);
    const third = (await replay(next, { only: 'missing' })).json;
    await step(third.id);
    await deliver(next);
    await finish(third.id);
    expect(await published(...before)).to.deep.equal([true, true, true]);
  });

  describe('retried now on request', () => {
    const retry = (webhook: string, as: object = {}) =>
      api.call('POST', `/v1/webhooks/${webhook}/deliveries/retry`, as);
    const health = async (webhook: string): Promise<Record<string, unknown>> =>
      (await api.call('GET', `/v1/webhooks/${webhook}`)).json.health;
    const dueTimes = async (webhook: string): Promise<unknown[]> =>
      (await deliveries(webhook)).map(({ next_attempt_at: at }) => at).sort();
    const retries = async (webhook: string): Promise<object[]> => {
      await relay.run();
      const query = 'category=audit&type=webhooks.deliveries.retried';
      const { json } = await api.call('GET', `/v1/events?${query}&resource_id=${webhook}`);
      return json.data.map(({ data }: { data: object }) => data);
    };
    const hourly = [0, 3_600, 3_600];

    it('are all that wait for a later time, in order, and keep their schedule if they fail', async () => {
      const webhook = await create();
      const events = await happen(3);
      receiver.respondWith(500);
      await deliver(webhook, hourly);
      expect(await health(webhook)).to.include({ pending: 3, deferred: 3 });
      const scheduled = await dueTimes(webhook);

      expect((await retry(webhook)).json).to.deep.equal({ retried: 3 });
      expect(await health(webhook)).to.include({ pending: 3, deferred: 0 });
      expect((await retry(webhook)).json).to.deep.equal({ retried: 0 });
      expect(await deliver(webhook, hourly)).to.equal(3);
      expect(await dueTimes(webhook)).to.deep.equal(scheduled);
      expect(await health(webhook)).to.include({ pending: 3, deferred: 3 });

      receiver.respondWith(204);
      receiver.requests.length = 0;
      expect((await retry(webhook)).json).to.deep.equal({ retried: 3 });
      expect(await deliver(webhook, hourly)).to.equal(3);
      const received = receiver.requests.map(({ headers }) => headers['webhook-id']);
      expect(received).to.have.members(events);
      expect(await health(webhook)).to.include({ pending: 0, deferred: 0 });
      expect(await retries(webhook)).to.deep.equal([{ count: 3 }, { count: 3 }]);
      const [{ id }] = (await deliveries(webhook)) as [{ id: string }];
      const { json } = await api.call('GET', `/v1/webhooks/${webhook}/deliveries/${id}`);
      const triggers = json.attempts.map(({ trigger }: { trigger: string }) => trigger);
      expect(triggers).to.deep.equal(['schedule', 'manual', 'manual']);
    });

    it('are none of a paused or disabled webhook', async () => {
      const webhook = await create();
      await happen(1);
      receiver.respondWith(500);
      await deliver(webhook, hourly);
      for (const verb of ['pause', 'disable']) {
        await move(webhook, verb);
        const answer = await retry(webhook);
        expect(answer.status, answer.text).to.equal(409);
        expect(answer.json.code).to.equal('state_conflict');
      }
      expect(await retries(webhook)).to.deep.equal([]);
    });

    it('are in many steps with one event', async () => {
      const webhook = await create();
      await happen(2_001);
      await api.rows(
        `UPDATE due_delivery SET due_at = now() + interval '1 hour', lane = 1 WHERE endpoint_id = $1`,
        [webhook],
      );
      expect((await retry(webhook)).json).to.deep.equal({ retried: 2_001 });
      expect(await health(webhook)).to.include({ pending: 2_001, deferred: 0 });
      expect(await retries(webhook)).to.deep.equal([{ count: 2_001 }]);
    });

    it('are those that an open circuit holds', async () => {
      const webhook = await create();
      await happen(2);
      await api.rows(
        `UPDATE webhook_flow SET hold_seconds = 300, held_until = now() + interval '5 minutes'
         WHERE endpoint_id = $1`,
        [webhook],
      );
      expect(await health(webhook)).to.include({ pending: 2, deferred: 2 });
      expect((await retry(webhook)).json).to.deep.equal({ retried: 2 });
      expect(await health(webhook)).to.include({ pending: 2, deferred: 0, held_until: null });
    });

    it('require the scopes to read what is sent', async () => {
      const webhook = await create({ event_types: ['webhooks.endpoint.paused'] });
      const key = await api.issue(['webhooks:write', 'events:read']);
      const answer = await retry(webhook, key);
      expect(answer.status, answer.text).to.equal(403);
      expect(answer.json.code).to.equal('insufficient_scope');
    });
  });

  it('cancel waiting deliveries by type and time, and restore them on request', async () => {
    const webhook = await create();
    const other = await create();
    const [old] = await happen(1);
    const restored = await happen(1, 'dam.object.restored');
    const rest = await happen(2);
    await api.rows(`UPDATE event SET occurred_at = now() - interval '1 hour' WHERE id = $1`, [old]);
    const cancel = async (body: object) =>
      (await api.call('POST', `/v1/webhooks/${webhook}/deliveries/cancel`, { body })).json;
    expect(await cancel({ before: longAgo })).to.deep.equal({ cancelled: 0 });
    const before = new Date(Date.now() - 60_000).toISOString();
    expect(await cancel({ before })).to.deep.equal({ cancelled: 1 });
    expect(await cancel({ event_types: ['dam.*.restored'] })).to.deep.equal({ cancelled: 1 });
    expect((await cancel({ event_types: ['no.such'] })).code).to.equal('validation_failed');
    expect(await deliver(other)).to.equal(4);
    expect(await published(old!, ...restored, ...rest)).to.deep.equal([true, true, false, false]);
    expect(await cancel({})).to.deep.equal({ cancelled: 2 });
    expect(await cancel({})).to.deep.equal({ cancelled: 0 });
    expect(await published(...rest)).to.deep.equal([true, true]);
    expect(await deliver(webhook)).to.equal(0);
    const given = await deliveries(webhook, 'state=cancelled');
    expect(given.map(({ reason }) => reason)).to.deep.equal(Array(4).fill('requested'));
    const again = await api.call(
      'POST',
      `/v1/webhooks/${webhook}/deliveries/${given[0]!.id}/redeliver`,
    );
    expect(again.status).to.equal(202);
    receiver.respondWith(500);
    await deliver(webhook);
    expect(await deliveries(webhook, 'state=cancelled')).to.have.length(4);
    receiver.respondWith(204);
    await api.call('POST', `/v1/webhooks/${webhook}/deliveries/${given[0]!.id}/redeliver`);
    await deliver(webhook);
    expect(await deliveries(webhook, 'state=cancelled')).to.have.length(3);
    expect(await preview(webhook)).to.equal(0);
    expect(await preview(webhook, { only: 'missing' })).to.equal(3);
  });

  it('return the same replay for the same request', async () => {
    const webhook = await create();
    const headers = { 'idempotency-key': 'once' };
    const ask = () =>
      api.call('POST', `/v1/webhooks/${webhook}/replay`, { body: { since: longAgo }, headers });
    const [first, second] = [await ask(), await ask()];
    expect(second.text).to.equal(first.text);
    expect(await api.rows('SELECT FROM replay')).to.have.length(1);
    const reader = await api.issue(['webhooks:read']);
    const rejected = await api.call('POST', `/v1/webhooks/${webhook}/replay`, {
      ...reader,
      body: { since: longAgo },
    });
    expect(rejected.json.code).to.equal('insufficient_scope');
  });
});
