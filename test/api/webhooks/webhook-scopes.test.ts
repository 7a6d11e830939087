import { newId } from '@scriptorium/contracts/ids';
import type { Scope } from '@scriptorium/contracts/scopes';
import { expect } from 'chai';
import { createDialer, type Dialer } from '../../../src/webhooks/dialing/dial.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { deliverTo } from '../../support/deliver.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

const since = '2020-01-01T00:00:00Z';
const audit = 'access.api_key.created';

describe('the scopes for directing events to a webhook', () => {
  let api: TestApi;
  let relay: TestRelay;
  let receiver: Receiver;
  let dialer: Dialer;
  before(async () => {
    receiver = await startReceiver();
    dialer = createDialer({
      allowCidrs: ['127.0.0.0/8'],
      perOriginConnections: 4,
      connectTimeoutMs: 60_000,
    });
    api = await startApi();
    relay = await openRelay(api);
  });
  after(async () => {
    await relay.close();
    await api.close();
    await dialer.close();
    await receiver.close();
  });
  beforeEach(() => api.rows('DELETE FROM webhook_endpoint'));

  const webhooks: Scope[] = ['webhooks:read', 'webhooks:write'];
  const keys = async () => ({
    none: (await api.issue(webhooks)).key,
    reader: (await api.issue([...webhooks, 'events:read'])).key,
    auditor: (await api.issue([...webhooks, 'events:read', 'audit:read'])).key,
    onlyAudit: (await api.issue([...webhooks, 'audit:read'])).key,
  });
  const call = (key: string, method: string, path: string, body?: object) =>
    api.call(method, path, {
      key,
      ...(body ? { body } : {}),
      headers: method === 'PATCH' ? { 'if-match': '*' } : {},
    });
  const create = (key: string, types: string[]) =>
    call(key, 'POST', '/v1/webhooks', { url: receiver.url, event_types: types });
  const made = async (types: string[]): Promise<string> => (await create(api.key, types)).json.id;
  const needs = (answer: { status: number; json: { required_scopes?: string[] } }) => [
    answer.status,
    answer.json.required_scopes?.filter((scope) => !webhooks.includes(scope as Scope)),
  ];
  const reads = [403, ['events:read']];
  const audits = [403, ['events:read', 'audit:read']];

  it('are those to read the events, on subscription', async () => {
    const { none, reader, auditor, onlyAudit } = await keys();
    expect(needs(await create(none, ['dam.*']))).to.deep.equal(reads);
    expect(needs(await create(none, ['*']))).to.deep.equal(reads);
    expect(needs(await create(onlyAudit, [audit]))[0]).to.equal(403);
    expect(needs(await create(reader, ['dam.*', audit]))).to.deep.equal(audits);
    expect((await create(reader, ['*'])).status).to.equal(201);
    expect((await create(auditor, [audit])).status).to.equal(201);
  });

  it('cover the webhook’s events before and after a change', async () => {
    const { none, reader, auditor } = await keys();
    const domain = `/v1/webhooks/${await made(['dam.*'])}`;
    const audited = `/v1/webhooks/${await made([audit])}`;
    const steers = [
      { url: `${receiver.url}elsewhere` },
      { filter: { '/data/mime': 'image/png' } },
      { payload: 'thin' },
      { event_types: ['documents.*'] },
    ];
    for (const body of steers) {
      const label = JSON.stringify(body);
      expect(needs(await call(none, 'PATCH', domain, body)), label).to.deep.equal(reads);
      expect(needs(await call(reader, 'PATCH', audited, body)), label).to.deep.equal(audits);
    }
    const more = { event_types: ['dam.*', audit] };
    expect(needs(await call(reader, 'PATCH', domain, more))).to.deep.equal(audits);
    expect((await call(none, 'PATCH', audited, { description: 'Mine' })).status).to.equal(200);
    expect((await call(reader, 'PATCH', domain, steers[0])).status).to.equal(200);
    expect((await call(auditor, 'PATCH', audited, steers[0])).status).to.equal(200);
  });

  it('are required to enable a webhook, not to stop it', async () => {
    const { none, reader, auditor } = await keys();
    const path = `/v1/webhooks/${await made([audit])}`;
    expect((await call(none, 'POST', `${path}/pause`)).status).to.equal(200);
    expect(needs(await call(none, 'POST', `${path}/enable`))).to.deep.equal(reads);
    expect(needs(await call(reader, 'POST', `${path}/enable`))).to.deep.equal(audits);
    expect((await call(auditor, 'POST', `${path}/enable`)).status).to.equal(200);
    expect((await call(none, 'POST', `${path}/disable`)).status).to.equal(200);
  });

  it('cover a replay, also of types that the webhook no longer wants', async () => {
    const { none, reader, auditor } = await keys();
    await api.rows('DELETE FROM event');
    const id = await made([audit, 'dam.*']);
    await api.call('POST', '/v1/keys', { body: { name: 'Told', scopes: ['keys:read'] } });
    await relay.record(api.projectId, {
      type: 'dam.object.trashed',
      resourceId: newId('object'),
      data: {},
    });
    await relay.run();
    await api.rows(
      `UPDATE delivery SET state = 'exhausted', finished_at = now() WHERE endpoint_id = $1`,
      [id],
    );
    await api.rows('DELETE FROM due_delivery WHERE endpoint_id = $1', [id]);
    const replay = (key: string, body: object) =>
      call(key, 'POST', `/v1/webhooks/${id}/replay`, { since, dry_run: true, ...body });
    for (const only of ['failed', 'missing', 'all']) {
      expect(needs(await replay(none, { only })), only).to.deep.equal(reads);
    }
    for (const only of ['missing', 'all']) {
      expect(needs(await replay(reader, { only })), only).to.deep.equal(audits);
      const narrowed = await replay(reader, { only, event_types: ['dam.*'] });
      expect(narrowed.status, only).to.equal(200);
    }
    const named = await replay(reader, { only: 'failed', event_types: [audit] });
    expect(needs(named)).to.deep.equal(audits);
    expect((await replay(reader, { only: 'failed' })).json.matched).to.equal(1);
    expect((await replay(auditor, { only: 'failed' })).json.matched).to.equal(2);
  });

  it('cover a redelivery, and reading messages and the receiver’s responses', async () => {
    const { none, reader, auditor } = await keys();
    receiver.respondWith({ status: 200, body: 'echoed: {"name":"Told"}' });
    await api.rows('DELETE FROM event');
    const id = await made([audit, 'dam.*']);
    await api.call('POST', '/v1/keys', { body: { name: 'Told', scopes: ['keys:read'] } });
    await relay.record(api.projectId, {
      type: 'dam.object.trashed',
      resourceId: newId('object'),
      data: {},
    });
    await relay.run();
    const { open: unseal } = api.deps.seal;
    await deliverTo({ database: relay.worker, dialer, unseal, retrySchedule: [0, 300] }, id);
    const listed = (await call(none, 'GET', `/v1/webhooks/${id}/deliveries`)).json.data;
    expect(listed).to.have.length(2);
    for (const { id: delivery, event_type: type } of listed) {
      const path = `/v1/webhooks/${id}/deliveries/${delivery}`;
      const excerpt = async (key: string) => {
        const { request, attempts } = (await call(key, 'GET', path)).json;
        const parts = [request, attempts[0].request_headers, attempts[0].response_excerpt];
        expect(new Set(parts.map((part) => part === null))).to.have.length(1);
        return request !== null;
      };
      const seen = [await excerpt(none), await excerpt(reader), await excerpt(auditor)];
      expect(seen, type).to.deep.equal(type === audit ? [false, false, true] : [false, true, true]);
      expect(needs(await call(none, 'POST', `${path}/redeliver`)), type).to.deep.equal(reads);
      const again = await call(reader, 'POST', `${path}/redeliver`);
      if (type === audit) expect(needs(again)).to.deep.equal(audits);
      else expect(again.status).to.equal(202);
    }
  });
});
