import { createPublicKey, verify } from 'node:crypto';
import { hiddenValue } from '@scriptorium/contracts/helpers/hidden-value';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { inTransaction, prepared } from '../../../src/db/transaction.ts';
import { createDialer, type Dialer } from '../../../src/webhooks/dialing/dial.ts';
import { newSecret } from '../../../src/webhooks/sign.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { deliverTo } from '../../support/deliver.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

describe('webhooks', () => {
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

  const create = (body: Record<string, unknown> = {}, options: object = {}) =>
    api.call('POST', '/v1/webhooks', {
      body: { url: receiver.url, event_types: ['dam.*'], ...body },
      ...options,
    });
  const codes = (answer: ApiResponse): [string, string][] =>
    answer.json.errors.map((fault: { pointer: string; code: string }) => [
      fault.pointer,
      fault.code,
    ]);
  const audit = async (): Promise<string[]> => {
    await relay.run();
    const { json } = await api.call('GET', '/v1/events?category=audit&type=webhooks.endpoint.*');
    return json.data.map((event: { type: string }) => event.type);
  };
  const trash = async (): Promise<string> => {
    const [id] = await relay.record(api.projectId, {
      type: 'dam.object.trashed',
      resourceId: newId('object'),
      data: {},
    });
    await relay.run();
    return id!;
  };
  /** Sends what is pending, as the workers would. */
  const deliver = async (webhookId: string): Promise<number> => {
    await inTransaction(relay.worker, (tx) =>
      prepared(tx, `UPDATE due_delivery SET due_at = least(due_at, now()) WHERE endpoint_id = $1`, [
        webhookId,
      ]),
    );
    return deliverTo(
      {
        database: relay.worker,
        dialer,
        unseal: api.deps.seal.open,
        retrySchedule: [0, 300],
      },
      webhookId,
    );
  };

  it('receive their events, signed with a secret that is shown once', async () => {
    const made = await create({
      secret: receiver.secret,
      description: 'Orders',
      headers: { 'X-Tenant': 'a' },
      max_in_flight: 5,
    });
    expect(made.status).to.equal(201);
    expect(made.headers.get('location')).to.equal(`/v1/webhooks/${made.json.id}`);
    expect(made.headers.get('etag')).to.equal('"1"');
    expect(made.json).to.include({
      secret: receiver.secret,
      state: 'enabled',
      payload: 'full',
      max_in_flight: 5,
      disabled_reason: null,
      version: 1,
    });
    const read = await api.call('GET', `/v1/webhooks/${made.json.id}`);
    const { secret: _shown, ...rest } = made.json;
    expect(read.json).to.deep.equal(rest);
    const stored = await api.rows<{ secrets: unknown }>('SELECT secrets FROM webhook_endpoint');
    expect(JSON.stringify(stored)).to.not.include(receiver.secret.slice(6));
    const event = await trash();
    expect(await deliver(made.json.id)).to.equal(1);
    const [sent] = receiver.requestsOf(event);
    expect(sent!.verified).to.equal(true);
    expect(sent!.headers['x-tenant']).to.equal('a');
    expect((await api.call('GET', `/v1/events/${event}`)).json.published).to.equal(true);
    expect(await audit()).to.deep.equal(['webhooks.endpoint.created']);
  });

  it('go on when the key that created them is revoked', async () => {
    const { key, keyId } = await api.issue(['*']);
    const made = await create({ secret: receiver.secret }, { key });
    expect(made.status).to.equal(201);
    expect((await api.call('DELETE', `/v1/keys/${keyId}`)).status).to.equal(204);
    const event = await trash();
    expect(await deliver(made.json.id)).to.equal(1);
    expect(receiver.requestsOf(event)[0]!.verified).to.equal(true);
  });

  it('sign deliveries in every requested way, also during a rotation', async () => {
    const made = await create({ signing: ['v1', 'v1a'], secret: receiver.secret });
    const path = `/v1/webhooks/${made.json.id}`;
    const rotated = (await api.call('POST', `${path}/rotate-secret`)).json;
    const event = await trash();
    expect(await deliver(made.json.id)).to.equal(1);
    const [sent] = receiver.requestsOf(event);
    // The receiver still has the old secret.
    expect(sent!.verified).to.equal(true);
    new Webhook(rotated.secret).verify(sent!.body.toString('utf8'), sent!.headers);
    expect(rotated.public_keys).to.have.length(2);
    const signatures = sent!.headers['webhook-signature']!.split(' ');
    for (const key of rotated.public_keys) {
      const publicKey = createPublicKey({
        key: {
          kty: 'OKP',
          crv: 'Ed25519',
          x: Buffer.from(key.slice('whpk_'.length), 'base64').toString('base64url'),
        },
        format: 'jwk',
      });
      const content = Buffer.from(`${event}.${sent!.headers['webhook-timestamp']}.${sent!.body}`);
      const found = signatures.filter(
        (entry) =>
          entry.startsWith('v1a,') &&
          verify(null, content, publicKey, Buffer.from(entry.slice('v1a,'.length), 'base64')),
      );
      expect(found).to.have.length(1);
    }
    expect(signatures).to.have.length(4);
  });

  it('show the secret again only for the same idempotent request', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await create({}, { headers });
    const second = await create({}, { headers });
    expect(first.json.secret).to.match(/^whsec_/);
    expect(second.text).to.equal(first.text);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect((await api.call('GET', '/v1/webhooks')).json.data).to.have.length(1);
    const stored = await api.rows<{ body: string }>('SELECT body FROM idempotency');
    expect(stored[0]!.body).to.not.include('whsec_');
  });

  it('reject invalid values with all faults at once', async () => {
    const answer = await create({
      url: 'https://user:pass@example.com/',
      event_types: ['dam.*', 'no.such', 'access.*', 'Dam..x'],
      headers: { Host: 'evil', 'X-Ok': 'fine' },
      secret: 'whsec_short',
    });
    expect([answer.status, answer.json.code]).to.deep.equal([422, 'validation_failed']);
    expect(codes(answer)).to.have.deep.members([
      ['/url', 'url_userinfo_not_allowed'],
      ['/event_types/1', 'unknown_event_type'],
      ['/event_types/2', 'unknown_event_type'],
      ['/event_types/3', 'unknown_event_type'],
      ['/headers/Host', 'header_reserved'],
      ['/secret', 'secret_not_base64'],
    ]);
    expect(answer.text).to.not.include('user:pass').and.not.include('whsec_short');
    expect(answer.json.errors[2].detail + answer.json.errors[1].detail).to.include(
      'access.api_key.created',
    );
    const shapes: [Record<string, unknown>, string][] = [
      [{ url: undefined }, '/url'],
      [{ event_types: [] }, '/event_types'],
      [{ max_in_flight: 101 }, '/max_in_flight'],
      [{ payload: 'huge' }, '/payload'],
      [{ state: 'disabled' }, '/state'],
      [{ headers: { a: 1 } }, '/headers/a'],
      [{ filter: [] }, '/filter'],
    ];
    for (const [body, pointer] of shapes) {
      const wrong = await create(body);
      expect([wrong.status, codes(wrong)[0]![0]], pointer).to.deep.equal([422, pointer]);
    }
    expect((await api.call('GET', '/v1/webhooks')).json.data).to.deep.equal([]);
  });

  it('reject internal addresses on saving, in every spelling, with the same error', async () => {
    const texts = new Set<string>();
    for (const url of [
      'https://10.0.0.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://0x0a000001/',
      'https://167772161/',
      'https://[fd00::1]/',
      'https://0.0.0.0/',
    ]) {
      const answer = await create({ url }, { headers: { 'x-request-id': 'same' } });
      expect([answer.status, answer.json.code], url).to.deep.equal([
        422,
        'destination_not_allowed',
      ]);
      expect(codes(answer)).to.deep.equal([['/url', 'destination_not_allowed']]);
      texts.add(answer.text);
    }
    expect(texts.size).to.equal(1);
    const plain = await create({ url: 'http://93.184.215.14/hooks' });
    expect([plain.status, codes(plain)]).to.deep.equal([422, [['/url', 'url_scheme_not_allowed']]]);
    const made = await create();
    const moved = await api.call('PATCH', `/v1/webhooks/${made.json.id}`, {
      body: { url: 'https://192.168.1.1/' },
      headers: { 'if-match': '"1"' },
    });
    expect([moved.status, moved.json.code]).to.deep.equal([422, 'destination_not_allowed']);
  });

  it('change fields with If-Match, merge headers, and report the changes', async () => {
    const { json } = await create({ headers: { 'X-A': '1', 'X-B': '2' } });
    const path = `/v1/webhooks/${json.id}`;
    const patch = (body: unknown, etag?: string) =>
      api.call('PATCH', path, { body, headers: { 'if-match': etag } });
    expect((await patch({ payload: 'thin' })).status).to.equal(428);
    expect((await patch({ payload: 'thin' }, '"9"')).status).to.equal(412);
    const changed = await patch(
      { payload: 'thin', headers: { 'X-A': null, 'X-C': '3' }, description: 'x' },
      '"1"',
    );
    expect(changed.status).to.equal(200);
    expect(Object.keys(changed.json.headers)).to.deep.equal(['X-B', 'X-C']);
    expect([changed.json.version, changed.headers.get('etag')]).to.deep.equal([2, '"2"']);
    const same = await patch({ payload: 'thin', event_types: ['dam.*'] }, '"2"');
    expect(same.json).to.deep.equal(changed.json);
    expect((await patch({ event_types: ['nothing'] }, '"2"')).status).to.equal(422);
    expect((await patch({ secret: newSecret() }, '"2"')).status).to.equal(422);
    await relay.run();
    const events = await api.call(
      'GET',
      '/v1/events?category=audit&type=webhooks.endpoint.updated',
    );
    expect(events.json.data).to.have.length(1);
    expect(events.json.data[0].data.changed).to.have.members(['payload', 'headers', 'description']);
    expect(events.json.data[0].actor).to.deep.equal({ type: 'api_key', id: api.keyId, name: null });
  });

  it('pause, enable and disable, with one event each', async () => {
    const { json } = await create({ secret: receiver.secret });
    const move = (verb: string) => api.call('POST', `/v1/webhooks/${json.id}/${verb}`);
    expect((await move('enable')).json.version).to.equal(1);
    expect((await move('pause')).json).to.include({ state: 'paused', version: 2 });
    expect((await move('pause')).json.version).to.equal(2);
    const kept = await trash();
    expect(await deliver(json.id)).to.equal(0);
    expect((await move('enable')).json.state).to.equal('enabled');
    expect(await deliver(json.id)).to.equal(1);
    expect(receiver.requestsOf(kept)).to.have.length(1);
    expect((await move('disable')).json).to.include({
      state: 'disabled',
      disabled_reason: 'requested',
    });
    expect((await move('pause')).json.code).to.equal('state_conflict');
    await trash();
    const skipped = await api.call('GET', `/v1/webhooks/${json.id}/deliveries?state=skipped`);
    expect(skipped.json.data[0]).to.include({ reason: 'endpoint_disabled', attempts_made: 0 });
    expect((await move('enable')).json).to.include({ state: 'enabled', disabled_reason: null });
    expect(await audit()).to.deep.equal([
      'webhooks.endpoint.created',
      'webhooks.endpoint.paused',
      'webhooks.endpoint.enabled',
      'webhooks.endpoint.disabled',
      'webhooks.endpoint.enabled',
    ]);
  });

  it('are deleted with If-Match, and leave nothing due or visible', async () => {
    const { json } = await create();
    const path = `/v1/webhooks/${json.id}`;
    const event = await trash();
    expect((await api.call('DELETE', path)).status).to.equal(428);
    const gone = await api.call('DELETE', path, { headers: { 'if-match': '"1"' } });
    expect([gone.status, gone.text]).to.deep.equal([204, '']);
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/deliveries'],
      ['POST', '/pause'],
    ] as const) {
      expect((await api.call(method, path + rest)).status).to.equal(404);
    }
    const [row] = await api.rows('SELECT state, reason FROM delivery WHERE event_id = $1', [event]);
    expect(row).to.deep.equal({ state: 'cancelled', reason: 'endpoint_deleted' });
    expect((await api.call('GET', `/v1/events/${event}`)).json.published).to.equal(false);
    expect(await audit()).to.include('webhooks.endpoint.deleted');
  });

  it('are limited to thirty per project, even with concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 34 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).to.have.length(30);
    const rejected = answers.filter(({ status }) => status !== 201);
    expect(rejected.map(({ json }) => [json.status, json.code, json.limit])).to.deep.equal(
      Array.from({ length: 4 }, () => [409, 'state_conflict', 30]),
    );
    const first = await api.call('GET', '/v1/webhooks?limit=20&include=total');
    const second = await api.call('GET', `/v1/webhooks?limit=20&cursor=${first.json.next_cursor}`);
    expect([first.json.total, second.json.data.length, second.json.has_more]).to.deep.equal([
      30,
      10,
      false,
    ]);
    expect((await create({}, { ...api.other })).status).to.equal(201);
  });

  it('show deliveries with their attempts, and redeliver one', async () => {
    receiver.respondWith({ status: 500, body: 'broken' });
    const { json } = await create({ secret: receiver.secret });
    const path = `/v1/webhooks/${json.id}/deliveries`;
    const events = [await trash(), await trash(), await trash()];
    expect(await deliver(json.id)).to.equal(3);
    const first = await api.call('GET', `${path}?limit=2&include=total`);
    const second = await api.call('GET', `${path}?limit=2&cursor=${first.json.next_cursor}`);
    const listed = [...first.json.data, ...second.json.data];
    expect(listed.map(({ event_id }: { event_id: string }) => event_id)).to.deep.equal(
      [...events].reverse(),
    );
    expect(first.json.total).to.equal(3);
    for (const [query, count] of [
      ['state=pending', 3],
      ['state=succeeded', 0],
      ['event_type=dam.*', 3],
      ['event_type=documents.*', 0],
    ] as const) {
      expect((await api.call('GET', `${path}?${query}`)).json.data, query).to.have.length(count);
    }
    expect((await api.call('GET', `${path}?event_type=nothing`)).status).to.equal(400);
    expect((await api.call('GET', `${path}?state=gone`)).status).to.equal(400);
    expect(listed[0].last_attempt).to.deep.include({ number: 1, outcome: 'failed', status: 500 });
    for (const [query, count] of [
      ['outcome=failed', 3],
      ['outcome=succeeded', 0],
      ['status_code=500', 3],
      ['status_code=404,5xx', 3],
      ['status_code=none,2xx', 0],
    ] as const) {
      const found = await api.call('GET', `${path}?${query}&include=total`);
      expect([found.json.data.length, found.json.total], query).to.deep.equal([count, count]);
    }
    expect((await api.call('GET', `${path}?status_code=6xx`)).status).to.equal(400);
    const one = `${path}/${listed[0].id}`;
    const before = (await api.call('GET', one)).json;
    expect(before).to.include({ webhook_id: json.id, state: 'pending', attempts_made: 1 });
    expect(before.attempts[0]).to.include({
      number: 1,
      trigger: 'schedule',
      outcome: 'failed',
      status: 500,
      response_excerpt: 'broken',
    });
    expect(before.request).to.include({ method: 'POST', url: receiver.url });
    receiver.respondWith(200);
    const again = await api.call('POST', `${one}/redeliver`);
    expect([again.status, again.headers.get('location')]).to.deep.equal([202, one]);
    await deliver(json.id);
    const after = (await api.call('GET', one)).json;
    expect(after).to.include({ state: 'succeeded', next_attempt_at: null });
    expect(after.attempts[1]).to.include({ trigger: 'manual', outcome: 'succeeded' });
    // Every second attempt failed.
    expect((await api.call('GET', `/v1/webhooks/${json.id}`)).json.health).to.deep.include({
      state: 'degraded',
      failures_in_row: 0,
      last_hour: { attempts: 6, failed: 3 },
    });
    const { json: stats } = await api.call('GET', `/v1/webhooks/${json.id}/stats?period=7d`);
    expect(stats).to.include({ webhook_id: json.id, period: '7d', step_seconds: 3_600 });
    expect(stats.totals).to.deep.include({
      attempts: 6,
      succeeded: 3,
      failed: 3,
      failures: { http_5xx: 3 },
    });
    expect((await api.call('GET', `/v1/webhooks/${json.id}/stats`)).json.period).to.equal('24h');
    expect((await api.call('GET', `/v1/webhooks/${json.id}/stats?period=2h`)).status).to.equal(400);
    // Filters are by the latest attempt, also of a delivery that had succeeded.
    receiver.respondWith(503);
    await api.call('POST', `${one}/redeliver`);
    await deliver(json.id);
    expect((await api.call('GET', one)).json.state).to.equal('succeeded');
    for (const query of [
      'outcome=failed',
      'status_code=503',
      'status_code=200',
      'status_code=2xx',
    ]) {
      const found = (await api.call('GET', `${path}?${query}`)).json.data;
      const isIn = found.some(({ id }: { id: string }) => id === listed[0].id);
      expect(isIn, query).to.equal(!query.includes('=2'));
    }
    await api.call('POST', `/v1/webhooks/${json.id}/pause`);
    expect((await api.call('POST', `${one}/redeliver`)).json.code).to.equal('state_conflict');
  });

  it('show the messages of attempts as they were sent, without the values of custom headers', async () => {
    const { json } = await create({
      secret: receiver.secret,
      signing: ['v1', 'v1a'],
      headers: { 'X-Token': 'hidden-token' },
    });
    const path = `/v1/webhooks/${json.id}`;
    await trash();
    receiver.respondWith(500);
    await deliver(json.id);
    receiver.respondWith(204);
    await deliver(json.id);
    const [{ id }] = (await api.call('GET', `${path}/deliveries`)).json.data;
    const shown = await api.call('GET', `${path}/deliveries/${id}`);
    expect(shown.text).not.to.contain('hidden-token');
    expect(receiver.requests).to.have.length(2);
    expect(shown.json.request).to.deep.equal({
      method: 'POST',
      url: receiver.url,
      body: receiver.requests[0]!.body.toString(),
    });
    for (const [at, { headers }] of receiver.requests.entries()) {
      const { request_headers: told } = shown.json.attempts[at];
      expect(told['x-token'] ?? told['X-Token']).to.equal(hiddenValue);
      for (const name of ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']) {
        expect(told[name], name).to.equal(headers[name]);
      }
    }
    // A thin payload is what the next attempt sends.
    const { json: thin } = await api.call('PATCH', path, {
      body: { payload: 'thin' },
      headers: { 'If-Match': `"${json.version}"` },
    });
    expect(thin.payload).to.equal('thin');
    const { body } = (await api.call('GET', `${path}/deliveries/${id}`)).json.request;
    expect(JSON.parse(body)).not.to.have.property('data');
  });

  it('have no next attempt in the past, whether due or resting', async () => {
    const { json } = await create();
    await trash();
    const asked = async () => {
      const since = Date.now();
      const [{ next_attempt_at: next }] = (
        await api.call('GET', `/v1/webhooks/${json.id}/deliveries`)
      ).json.data;
      const { held_until: held } = (await api.call('GET', `/v1/webhooks/${json.id}`)).json.health;
      return { next: Date.parse(next) - since, held: held && Date.parse(held) - since };
    };
    const rest = (seconds: number) =>
      inTransaction(relay.worker, (tx) =>
        prepared(
          tx,
          `UPDATE webhook_flow SET hold_seconds = 10, failures_in_row = 10,
             held_until = now() + $2 * interval '1 second' WHERE endpoint_id = $1`,
          [json.id, seconds],
        ),
      );
    await api.rows(`UPDATE due_delivery SET due_at = now() - interval '1 hour'`);
    expect(await asked(), 'due').to.satisfy(
      ({ next, held }: { next: number; held: null }) => next >= 0 && held === null,
    );
    await rest(-45);
    expect(await asked(), 'rested').to.satisfy(
      ({ next, held }: { next: number; held: null }) => next >= 0 && held === null,
    );
    await rest(600);
    expect(await asked(), 'resting').to.satisfy(
      ({ next, held }: { next: number; held: number }) => next > 60_000 && held > 60_000,
    );
  });

  it('show when further failures would disable them, while that can happen', async () => {
    const { json } = await create();
    const health = async () => (await api.call('GET', `/v1/webhooks/${json.id}`)).json.health;
    await trash();
    receiver.respondWith(500);
    await deliver(json.id);
    const failing = await health();
    expect(failing.state).to.equal('failing');
    expect(Date.parse(failing.disables_at) - Date.parse(failing.since)).to.equal(5 * 86_400_000);
    // The next failure after a long silence is the first of a new row.
    const silentFor = (hours: number) =>
      inTransaction(relay.worker, (tx) =>
        prepared(
          tx,
          `UPDATE webhook_flow SET last_failure_at = now() - $2 * interval '1 hour' WHERE endpoint_id = $1`,
          [json.id, hours],
        ),
      );
    await silentFor(37);
    expect((await health()).disables_at).to.equal(null);
    await silentFor(35);
    expect((await health()).disables_at).to.equal(failing.disables_at);
    receiver.respondWith(410);
    await trash();
    await deliver(json.id);
    expect((await api.call('GET', `/v1/webhooks/${json.id}`)).json.state).to.equal('disabled');
    expect(await health()).to.include({ state: 'failing', disables_at: null });
  });

  it('show no reason for a delivery that is queued again', async () => {
    const { json } = await create({ state: 'paused' });
    const path = `/v1/webhooks/${json.id}`;
    await trash();
    await relay.run();
    await api.call('POST', `${path}/deliveries/cancel`, { body: {} });
    const [cancelled] = (await api.call('GET', `${path}/deliveries`)).json.data;
    expect(cancelled).to.include({ state: 'cancelled', reason: 'requested' });
    await api.call('POST', `${path}/enable`);
    const again = await api.call('POST', `${path}/deliveries/${cancelled.id}/redeliver`);
    expect(again.json).to.include({ state: 'pending', reason: null });
    receiver.respondWith(500);
    await deliver(json.id);
    const after = await api.call('GET', `${path}/deliveries/${cancelled.id}`);
    expect(after.json).to.include({ state: 'cancelled', reason: 'requested', attempts_made: 1 });
  });

  it('keep projects apart, byte for byte', async () => {
    const { json } = await create();
    await trash();
    await deliver(json.id);
    const [mine] = (await api.call('GET', `/v1/webhooks/${json.id}/deliveries`)).json.data;
    const strange = newId('webhook');
    const calls: [string, (id: string) => string, object][] = [
      ['GET', (id) => `/v1/webhooks/${id}`, {}],
      ['PATCH', (id) => `/v1/webhooks/${id}`, { body: {} }],
      ['DELETE', (id) => `/v1/webhooks/${id}`, {}],
      ['POST', (id) => `/v1/webhooks/${id}/disable`, {}],
      ['GET', (id) => `/v1/webhooks/${id}/deliveries`, {}],
      ['GET', (id) => `/v1/webhooks/${id}/deliveries/${mine.id}`, {}],
      ['POST', (id) => `/v1/webhooks/${id}/deliveries/${mine.id}/redeliver`, {}],
    ];
    for (const [method, path, options] of calls) {
      const headers = { 'x-request-id': 'same', 'if-match': '"1"' };
      const ask = (id: string) => api.call(method, path(id), { ...api.other, ...options, headers });
      const [foreign, absent] = [await ask(json.id), await ask(strange)];
      expect(foreign.status, method).to.equal(404);
      expect(foreign.text.replaceAll(json.id, '')).to.equal(absent.text.replaceAll(strange, ''));
    }
    expect((await api.call('GET', '/v1/webhooks', api.other)).json.data).to.deep.equal([]);
    expect((await api.call('GET', `/v1/webhooks/${json.id}`)).json.version).to.equal(1);
    const reader = await api.issue(['webhooks:read']);
    expect((await create({}, reader)).json.code).to.equal('insufficient_scope');
  });
});
