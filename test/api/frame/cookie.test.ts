import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { postRaw } from '../../support/uploads.ts';

describe('cookies over TLS', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ settings: { trustProxy: true } });
  });
  after(() => api.close());
  const https = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.1' };

  it('are taken by browsers from this host alone, and recognised', async () => {
    const { headers } = await api.call('POST', '/portal/session', { headers: https });
    const cookie = headers.get('Set-Cookie')!;
    expect(cookie).to.match(
      /^__Host-portal=s2\.\S+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    );
    const none = { authorization: undefined, 'x-service-project-id': undefined };
    const session = (Cookie: string) =>
      api.call('GET', '/portal/session', { headers: { ...https, ...none, Cookie } });
    const held = cookie.split(';')[0]!;
    expect((await session(held)).status).to.equal(200);
    // What another host of the domain could set.
    expect((await session(held.replace('__Host-', ''))).status).to.equal(401);
  });

  it('of shared links are for TLS, and for the link', async () => {
    const file = await postRaw(api, 'text', 'a.txt');
    const body = { object_id: file.json.id, max_views: 3 };
    const { json, text } = await api.call('POST', '/v1/shares', { body });
    expect(json.url, text).to.be.a('string');
    const { pathname } = new URL(json.url);
    const visit = await api.call('POST', pathname, { headers: { ...https, Accept: 'text/html' } });
    expect(visit.headers.get('Set-Cookie')).to.match(
      new RegExp(`^__Secure-share_visit=\\S+; Path=${pathname}; .*; Secure$`),
    );
  });
});
