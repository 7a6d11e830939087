import { mock } from 'node:test';
import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.ts';
import { policiesPath } from '../support/policies.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { createUploadPath, patch, tusHeaders } from '../support/tus.ts';
import { postRaw } from '../support/uploads.ts';

const hourMs = 3_600_000;
const wrongBy = [-74 * hourMs, 74 * hourMs];
const none = { Authorization: undefined, 'X-Service-Project-ID': undefined };

/** The time, whatever `Date` says. */
const realTime = (): number => performance.timeOrigin + performance.now();
const inHours = (hours: number): string => new Date(realTime() + hours * hourMs).toISOString();
/** How many hours from now a time is. */
const hoursTo = (time: string): number => (Date.parse(time) - realTime()) / hourMs;

describe('an API process whose clock is wrong by days', () => {
  let api: TestApi;
  let receiver: Receiver;
  let objectId: string;
  before(async () => {
    receiver = await startReceiver();
    api = await startApi({ settings: { operatorPassword: 'of the operator' } });
    await api.rows('DELETE FROM policy');
    objectId = (await postRaw(api, 'Plan of the harbour', 'plan.txt')).json.id;
  });
  after(async () => {
    await api.close();
    await receiver.close();
  });
  afterEach(() => mock.timers.reset());

  /** Like `it`, once for a clock that is behind and once for one that is ahead. */
  function despite(promise: string, test: (setWrong: () => void) => Promise<void>): void {
    for (const off of wrongBy) {
      it(`${promise}, ${off > 0 ? 'ahead' : 'behind'}`, () =>
        test(() => mock.timers.enable({ apis: ['Date'], now: Date.now() + off })));
    }
  }

  despite('continues uploads', async (setWrong) => {
    const path = await createUploadPath(api, 10);
    setWrong();
    const part = await patch(api, path, 0, 'abc');
    expect(part.status).to.equal(204);
    expect(hoursTo(String(part.headers['upload-expires']))).to.be.closeTo(24, 0.1);
    const head = await api.call('HEAD', path, { headers: tusHeaders });
    expect([head.status, head.headers.get('upload-offset')]).to.deep.equal([200, '3']);
    expect((await api.call('GET', path)).json.state).to.equal('uploading');
  });

  despite(
    'accepts signed URLs of other processes, and signs for their clocks',
    async (setWrong) => {
      const sign = () => api.call('POST', `/v1/objects/${objectId}/signed-urls`, { body: {} });
      const { json: before } = await sign();
      const left = hoursTo(before.expires_at);
      setWrong();
      expect((await fetch(before.url)).status).to.equal(200);
      expect(hoursTo((await sign()).json.expires_at)).to.be.closeTo(left, 0.1);
    },
  );

  despite('judges the ends of shares and keys', async (setWrong) => {
    setWrong();
    for (const [path, body] of [
      ['/v1/shares', { object_id: objectId }],
      ['/v1/keys', { name: 'K', scopes: ['objects:read'] }],
    ] as const) {
      const create = async (hours: number) =>
        (await api.call('POST', path, { body: { ...body, expires_at: inHours(hours) } })).status;
      expect([await create(1), await create(-1)], path).to.deep.equal([201, 422]);
    }
  });

  despite('continues visits of shared links', async (setWrong) => {
    const body = { object_id: objectId, max_views: 1 };
    const { url } = (await api.call('POST', '/v1/shares', { body })).json;
    const entered = await fetch(url, { method: 'POST', redirect: 'manual' });
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
    setWrong();
    expect((await fetch(url, { headers: { cookie } })).status).to.equal(200);
  });

  despite('continues sessions of the portal and of the operator', async (setWrong) => {
    const begin = () => api.call('POST', '/portal/session', { key: api.key });
    const logIn = () =>
      api.call('POST', '/admin/login', {
        headers: { ...none, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'password=of the operator',
      });
    const cookies = [await begin(), await logIn()].map(
      ({ headers }) => headers.get('set-cookie')!.split(';')[0]!,
    );
    setWrong();
    for (const [at, path] of ['/portal/session', '/metrics'].entries()) {
      const { status } = await api.call('GET', path, { headers: { ...none, cookie: cookies[at] } });
      expect(status, path).to.equal(200);
    }
    expect((await begin()).headers.get('set-cookie')).to.include('Max-Age=43200;');
  });

  despite('judges windows of time', async (setWrong) => {
    const hour = (ahead: number) => inHours(ahead).slice(11, 16);
    const body = { name: 'Now', actions: ['download'], scope: { type: 'project' } };
    const window = { type: 'time_window', time_zone: 'UTC', from: hour(-0.5), to: hour(0.5) };
    const policy = { ...body, mode: 'enforce', rules: [window] };
    const { json } = await api.call('POST', policiesPath, { body: policy });
    setWrong();
    const { status } = await api.call('GET', `/v1/objects/${objectId}/content`);
    mock.timers.reset();
    await api.call('DELETE', `${policiesPath}/${json.id}`);
    expect(status).to.equal(200);
  });

  despite('signs tests of webhooks for the clocks of receivers', async (setWrong) => {
    const body = { url: receiver.url, event_types: ['dam.*'] };
    const { json } = await api.call('POST', '/v1/webhooks', { body });
    setWrong();
    receiver.respondWith(204);
    const sent = (await api.call('POST', `/v1/webhooks/${json.id}/test`)).json;
    expect(hoursTo(sent.at)).to.be.closeTo(0, 0.1);
    const seconds = Number(sent.request.headers['webhook-timestamp']);
    expect(seconds * 1_000).to.be.closeTo(realTime(), 60_000);
  });
});
