import { expect } from 'chai';
import { type ApiResponse, startApi, type TestApi } from '../support/api.ts';
import { postRaw } from '../support/uploads.ts';

const page = 'https://app.example.com';
const corsOf = ({ headers }: ApiResponse) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
const preflight = (api: TestApi, path: string, origin: string) =>
  api.call('OPTIONS', path, {
    headers: {
      origin,
      authorization: undefined,
      'x-service-project-id': undefined,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,if-match,x-service-project-id',
    },
  });

describe('cross-origin requests', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({
      settings: { corsOrigins: [page], operatorPassword: 'a password of an operator' },
    });
  });
  after(() => api.close());

  it('get a preflight response without a key', async () => {
    for (const path of ['/v1/objects', '/v1/uploads', '/v1/nothing', '/s/none']) {
      const answer = await preflight(api, path, page);
      expect([answer.status, answer.text], path).to.deep.equal([204, '']);
      expect(answer.headers.get('access-control-allow-origin')).to.equal(page);
      expect(answer.headers.get('access-control-allow-methods')).to.include('PATCH');
      expect(answer.headers.get('access-control-allow-headers')!.toLowerCase())
        .to.include('authorization')
        .and.include('x-service-project-id')
        .and.include('idempotency-key')
        .and.include('upload-offset');
      expect(answer.headers.get('vary')).to.include('Origin');
      expect(answer.headers.has('access-control-allow-credentials')).to.equal(false);
    }
  });

  it('may read responses, their headers and errors', async () => {
    const headers = { origin: page };
    const made = await postRaw(api, Buffer.from('text'), 'a.txt');
    for (const [path, status, options] of [
      [`/v1/objects/${made.json.id}`, 200, {}],
      [`/v1/objects/${made.json.id}/content`, 200, {}],
      ['/v1/objects/none', 404, {}],
      ['/v1/objects', 401, { key: 'sk_wrong' }],
      ['/v1/objects?colour=red', 400, {}],
      ['/s/none', 403, {}],
    ] as const) {
      const answer = await api.call('GET', path, { headers, ...options });
      expect(answer.status, path).to.equal(status);
      expect(answer.headers.get('access-control-allow-origin'), path).to.equal(page);
      const shown = answer.headers.get('access-control-expose-headers')!.split(', ');
      expect(shown).to.include.members(['ETag', 'Location', 'Link', 'Retry-After', 'RateLimit']);
    }
  });

  it('are denied from unlisted origins, and for the portal and the operator pages', async () => {
    for (const origin of ['https://evil.example', `${page}.evil.example`, 'null', `${page}:444`]) {
      const headers = { origin };
      expect(corsOf(await api.call('GET', '/v1/objects', { headers })), origin).to.deep.equal({});
      expect(corsOf(await preflight(api, '/v1/objects', origin)), origin).to.deep.equal({});
    }
    for (const path of [
      '/portal/api/v1/objects',
      '/portal/api/session',
      '/admin/queues',
      '/metrics',
      '/healthz',
      '/docs',
      '/',
    ]) {
      const headers = { origin: page };
      expect(corsOf(await api.call('GET', path, { headers })), path).to.deep.equal({});
      expect(corsOf(await preflight(api, path, page)), path).to.deep.equal({});
    }
  });

  it('have Vary: Origin even without an Origin header, for shared caches', async () => {
    expect((await api.call('GET', '/v1/limits')).headers.get('vary')).to.include('Origin');
  });

  it('may be allowed from all origins, still without cookies', async () => {
    const open = await startApi({ settings: { corsOrigins: ['*'] } });
    try {
      const answer = await open.call('GET', '/v1/limits', {
        headers: { origin: 'https://a.test' },
      });
      expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
      expect(answer.headers.has('access-control-allow-credentials')).to.equal(false);
    } finally {
      await open.close();
    }
  });

  it('are not allowed by default', async () => {
    const closed = await startApi();
    try {
      const answer = await closed.call('GET', '/v1/limits', { headers: { origin: page } });
      expect(corsOf(answer)).to.deep.equal({});
    } finally {
      await closed.close();
    }
  });
});

describe('the root path', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  it('describes the service and links to its documentation, without a key', async () => {
    const headers = { authorization: undefined, 'x-service-project-id': undefined };
    const { status, json } = await api.call('GET', '/', { headers });
    expect([status, json.name, json.api]).to.deep.equal([200, 'Scriptorium', '/v1']);
    for (const path of Object.values<string>(json.links)) {
      if (path === '/portal') continue; // there once it is built
      expect((await api.call('GET', path, { headers })).status, path).to.equal(200);
    }
    const html = await api.call('GET', '/', { headers: { ...headers, accept: 'text/html' } });
    expect(html.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(html.text).to.include('href="/docs"');
    expect(html.headers.get('content-security-policy')).to.include("default-src 'none'");
    expect((await api.call('HEAD', '/', { headers })).status).to.equal(200);
    const posted = await api.call('POST', '/', { headers, body: {} });
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });
});
