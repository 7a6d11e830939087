import { hiddenValue } from '@scriptorium/contracts/helpers/hidden-value';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { DialRequest } from '../../../src/webhooks/dialing/dial.ts';
import { EXCERPT_BYTES } from '../../../src/webhooks/dialing/excerpt.ts';
import { type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

describe('webhook tests', () => {
  let api: TestApi;
  let relay: TestRelay;
  let receiver: Receiver;
  /** Posted requests, before the dialer's address check. */
  let posted: DialRequest[];
  /** Shortens the deadline for receivers that never respond. */
  let deadlineMs: number | null;
  before(async () => {
    receiver = await startReceiver();
    api = await startApi({
      deps: ({ dialer }) => ({
        dialer: {
          check: (url) => dialer.check(url),
          post: (request) => {
            posted.push(request);
            return dialer.post({ ...request, deadlineMs: deadlineMs ?? request.deadlineMs });
          },
        },
      }),
    });
    relay = await openRelay(api);
  });
  beforeEach(async () => {
    receiver.respondWith(204);
    receiver.requests.length = 0;
    posted = [];
    deadlineMs = null;
    await api.rows('DELETE FROM webhook_endpoint');
    await api.rows('DELETE FROM event');
  });
  after(async () => {
    await relay.close();
    await api.close();
    await receiver.close();
  });

  const create = async (body: object = {}): Promise<{ id: string; secret: string }> =>
    (
      await api.call('POST', '/v1/webhooks', {
        body: {
          url: receiver.url,
          event_types: ['dam.*'],
          secret: receiver.secret,
          ...body,
        },
      })
    ).json;
  const test = (id: string, { query, ...options }: CallOptions & { query?: string } = {}) =>
    api.call('POST', `/v1/webhooks/${id}/test${query ? `?${query}` : ''}`, options);
  const tested = async () => {
    await relay.run();
    const { json } = await api.call(
      'GET',
      '/v1/events?category=audit&type=webhooks.endpoint.tested',
    );
    return json.data;
  };

  it('send one signed example event, and return what was sent', async () => {
    const { id } = await create({ headers: { Authorization: 'Bearer of-the-owner' } });
    const answer = await test(id, { headers: { 'x-request-id': 'mine' } });
    expect(answer.status, answer.text).to.equal(200);
    const { json } = answer;
    expect(receiver.requests).to.have.length(1);
    const [arrived] = receiver.requests;
    expect(arrived!.verified).to.equal(true);
    expect(arrived!.headers.authorization).to.equal('Bearer of-the-owner');

    expect(json).to.deep.include({ outcome: 'succeeded', status: 204, error: null });
    expect(json.response_excerpt).to.equal('');
    expect(json.duration_ms).to.equal(json.timings.total);
    expect(json.timings.first_byte).to.be.a('number');
    expect(json.request.body).to.equal(arrived!.body.toString('utf8'));
    expect([json.request.method, json.request.url]).to.deep.equal(['POST', receiver.url]);
    for (const [name, value] of Object.entries(json.request.headers)) {
      if (name !== 'Authorization') expect(arrived!.headers[name], name).to.equal(value);
    }
    expect(json.request.headers.Authorization).to.equal(hiddenValue);
    // With the secret, the response can be verified.
    new Webhook(receiver.secret).verify(json.request.body, json.request.headers);

    const body = JSON.parse(json.request.body);
    await relay.record(api.projectId, {
      type: 'dam.object.trashed',
      resourceId: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
      data: {},
    });
    await relay.run();
    const [real] = await api.rows<{ body: string }>(
      `SELECT body FROM event WHERE type = 'dam.object.trashed'`,
    );
    expect(Object.keys(body)).to.deep.equal(Object.keys(JSON.parse(real!.body)));
    expect(body).to.deep.include({
      type: 'webhooks.endpoint.tested',
      project_id: api.projectId,
      resource_type: 'webhook',
      resource_id: id,
      category: 'audit',
      sequence: 0,
      timestamp: json.at,
      occurred_at: json.at,
      actor: { type: 'api_key', id: api.keyId, name: null },
      request_id: 'mine',
    });
    expect(body.id).to.match(/^evt_/).and.to.equal(arrived!.headers['webhook-id']);
  });

  it('send the example of any event type, and nothing that names a resource', async () => {
    const { id } = await create();
    const { json } = await test(id, { query: 'event_type=documents.job.failed' });
    const body = JSON.parse(json.request.body);
    expect(body).to.deep.include({
      type: 'documents.job.failed',
      resource_type: 'job',
      sequence: 0,
      resource_id: 'job_01m7gtek0sx6hv4x5fqk2v9d3e',
    });
    const types = await api.call('GET', '/v1/event-types');
    const found = types.json.data.find(({ type }: { type: string }) => type === body.type);
    expect(body.data).to.deep.equal(found.example.data);
    new Webhook(receiver.secret).verify(json.request.body, json.request.headers);
    const [event] = await tested();
    expect(event).to.deep.include({ id: body.id, data: { outcome: 'succeeded', status: 204 } });
    expect((await test(id, { query: 'event_type=nothing' })).status).to.equal(400);
  });

  it('are not deliveries; the result is recorded under the ID of the message', async () => {
    const { id } = await create({ event_types: ['dam.*', 'webhooks.endpoint.tested'] });
    const { json } = await test(id);
    const [event, ...others] = await tested();
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({
      resource_id: id,
      actor: { type: 'api_key', id: api.keyId, name: null },
      data: { outcome: 'succeeded', status: 204 },
    });
    expect(event.id).to.equal(json.request.headers['webhook-id']);
    expect(JSON.parse(json.request.body).id).to.equal(event.id);
    expect(await api.rows('SELECT FROM delivery WHERE endpoint_id = $1', [id])).to.deep.equal([]);
    expect((await api.call('GET', `/v1/webhooks/${id}`)).json.version).to.equal(1);
  });

  it('reach webhooks that are paused or disabled, whatever their filter', async () => {
    const { id } = await create({ filter: { '/data/state': 'none' } });
    for (const state of ['pause', 'disable']) {
      await api.call('POST', `/v1/webhooks/${id}/${state}`);
      expect((await test(id)).json.outcome, state).to.equal('succeeded');
    }
    expect(receiver.requests).to.have.length(2);
  });

  it('drop the data with a thin payload, and sign the rest', async () => {
    const { id } = await create({ payload: 'thin', signing: ['v1', 'v1a'] });
    const { json } = await test(id);
    expect(JSON.parse(json.request.body)).to.include({ resource_id: id }).and.not.have.keys('data');
    expect(receiver.requests[0]!.verified).to.equal(true);
    expect(json.request.headers['webhook-signature']).to.match(/^v1,\S+ v1a,\S+$/);
  });

  it('report to a receiver’s developer what went wrong, with 200', async () => {
    const { id } = await create();
    receiver.respondWith({ status: 500, body: `broken${'!'.repeat(10_000)}` });
    const failed = await test(id);
    expect(failed.status).to.equal(200);
    expect(failed.json).to.deep.include({
      outcome: 'failed',
      status: 500,
      error: { code: 'status', message: 'The endpoint responded with 500; only 2xx is a success.' },
    });
    expect(failed.json.response_excerpt)
      .to.match(/^broken/)
      .and.have.lengthOf(EXCERPT_BYTES);
    receiver.respondWith({ status: 302, headers: { location: receiver.url } });
    expect((await test(id)).json).to.include({ outcome: 'failed', status: 302 });
    expect(receiver.requests).to.have.length(2);
    expect((await tested()).map(({ data }: { data: unknown }) => data)).to.deep.equal([
      { outcome: 'failed', status: 500 },
      { outcome: 'failed', status: 302 },
    ]);
    expect((await api.call('GET', `/v1/webhooks/${id}`)).json).to.include({ state: 'enabled' });
  });

  it('end if the connection fails, or after fifteen seconds without a response', async () => {
    const closed = await startReceiver();
    await closed.close();
    const unreachable = await create({ url: closed.url });
    const rejected = (await test(unreachable.id)).json;
    expect([rejected.outcome, rejected.status, rejected.error.code]).to.deep.equal([
      'failed',
      null,
      'connect_refused',
    ]);
    let answer = (): void => undefined;
    receiver.respondWith(
      () =>
        new Promise((resolve) => {
          answer = () => resolve(204);
        }),
    );
    deadlineMs = 300;
    const silent = (await test((await create()).id)).json;
    answer();
    expect([silent.outcome, silent.error.code, silent.response_excerpt]).to.deep.equal([
      'failed',
      'response_timeout',
      null,
    ]);
    expect(posted.map((request) => request.deadlineMs)).to.deep.equal([15_000, 15_000]);
  });

  it('reject the same addresses as deliveries, without revealing what is there', async () => {
    const answers = new Set<string>();
    for (const url of [
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/latest',
      'http://localhost.internal/',
    ]) {
      const { id } = await create();
      await api.rows('UPDATE webhook_endpoint SET url = $2 WHERE id = $1', [id, url]);
      const { json } = await test(id);
      const { outcome, status, duration_ms, timings, error, response_excerpt } = json;
      answers.add(
        JSON.stringify({ outcome, status, duration_ms, timings, error, response_excerpt }),
      );
    }
    expect([...answers].map((text) => JSON.parse(text))).to.deep.equal([
      {
        outcome: 'failed',
        status: null,
        duration_ms: null,
        timings: null,
        error: JSON.parse([...answers][0]!).error,
        response_excerpt: null,
      },
    ]);
    expect([...answers][0])
      .to.include('destination_not_allowed')
      .and.not.match(/10\.0|169\.254/);
  });

  it('hold no transaction while they wait, and are limited to four per key', async () => {
    const { id } = await create();
    const open: (() => void)[] = [];
    receiver.respondWith(() => new Promise((resolve) => open.push(() => resolve(200))));
    const waiting = Array.from({ length: 4 }, () => test(id));
    await eventually(async () => open.length === 4);
    const [held] = await api.rows<{ n: string }>(
      `SELECT count(*) AS n FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(Number(held!.n)).to.equal(0);
    const fifth = await test(id);
    expect([fifth.status, fifth.json.code]).to.deep.equal([429, 'rate_limited']);
    for (const each of open) each();
    expect((await Promise.all(waiting)).map(({ status }) => status)).to.deep.equal(
      Array(4).fill(200),
    );
    expect(await tested()).to.have.length(4);
  });

  it('return 404 if the webhook was deleted in the meantime, and record nothing', async () => {
    const { id } = await create();
    receiver.respondWith(async () => {
      await api.call('DELETE', `/v1/webhooks/${id}`, { headers: { 'if-match': '*' } });
      return 204;
    });
    expect((await test(id)).status).to.equal(404);
    expect(await tested()).to.deep.equal([]);
  });

  it('ignore Idempotency-Key, and honour scopes, tenant isolation and If-Match', async () => {
    const { id } = await create();
    const headers = { 'idempotency-key': 'once' };
    await test(id, { headers });
    await test(id, { headers });
    expect(receiver.requests).to.have.length(2);
    const reader = await api.issue(['webhooks:read']);
    expect((await test(id, reader)).json.code).to.equal('insufficient_scope');
    expect((await test(id, api.other)).status).to.equal(404);
    expect((await test(id, { headers: { 'if-match': '"7"' } })).status).to.equal(412);
    expect((await test(id, { body: { event_type: 'x' } })).status).to.equal(422);
    expect(receiver.requests).to.have.length(2);
  });
});
