import { expect } from 'chai';
import { frozenRateLimits, startApi, type TestApi } from '../../support/api.ts';

describe('request handling', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ deps: frozenRateLimits });
  });
  after(() => api.close());

  it('checks requests in the documented order', async () => {
    const wrongEverything = { name: 1, unknown: true };
    const steps: [string, number, string, Parameters<TestApi['call']>][] = [
      ['route', 404, 'not_found', ['GET', '/v1/assets', { headers: { authorization: undefined } }]],
      ['method', 405, 'method_not_allowed', ['PUT', '/v1/keys', { key: 'no' }]],
      ['credential', 401, 'api_key_invalid', ['POST', '/v1/keys', { key: 'no', projectId: 'x' }]],
      ['project', 400, 'project_header_required', ['POST', '/v1/keys?x=1', { projectId: 'x' }]],
      ['forbidden', 403, 'project_forbidden', ['POST', '/v1/keys?x=1', { key: api.other.key }]],
      ['parse', 400, 'malformed_json', ['POST', '/v1/keys', { body: '{' }]],
      ['query', 400, 'unknown_parameter', ['POST', '/v1/keys?x=1', { body: wrongEverything }]],
      [
        'path before body',
        404,
        'not_found',
        [
          'PATCH',
          '/v1/keys/key_00000000000000000000000000',
          { body: wrongEverything, headers: { 'if-match': '"9"' } },
        ],
      ],
      [
        'precondition before body',
        412,
        'etag_mismatch',
        [
          'PATCH',
          `/v1/keys/${api.keyId}`,
          { body: wrongEverything, headers: { 'if-match': '"9"' } },
        ],
      ],
      ['body', 422, 'validation_failed', ['POST', '/v1/keys', { body: wrongEverything }]],
    ];
    for (const [step, status, code, call] of steps) {
      const answer = await api.call(...call);
      expect([answer.status, answer.json.code], step).to.deep.equal([status, code]);
      expect(answer.headers.get('content-type'), step).to.equal('application/problem+json');
      expect(answer.json.request_id, step).to.equal(answer.headers.get('x-request-id'));
    }
  });

  it('checks the scope before the query, the rate after the scope', async () => {
    const narrow = await api.issue(['objects:read'], { read: 1 });
    const denied = await api.call('GET', '/v1/keys?x=1', narrow);
    expect(denied.json.code).to.equal('insufficient_scope');
    expect(denied.headers.get('ratelimit')).to.match(/^"read";r=1;t=\d+$/);
    expect((await api.call('GET', '/v1/limits', narrow)).status).to.equal(200);
    const limited = await api.call('GET', '/v1/limits?x=1', narrow);
    expect(limited.json.code).to.equal('rate_limited');
    expect(limited.headers.get('retry-after')).to.match(/^\d+$/);
    expect(limited.headers.get('ratelimit-policy')).to.equal('"read";q=1;w=60');
    expect((await api.call('GET', '/v1/keys', narrow)).json.code).to.equal('insufficient_scope');
  });

  it('reports all faults of a body at once', async () => {
    const { json } = await api.call('POST', '/v1/keys', {
      body: { scopes: ['keys:read', 'nothing'], colour: 'blue', allowed_cidrs: [7] },
    });
    const told = json.errors.map((fault: { pointer: string; code: string }) => [
      fault.pointer,
      fault.code,
    ]);
    expect(told).to.have.deep.members([
      ['/name', 'required'],
      ['/colour', 'unknown_field'],
      ['/scopes/1', 'not_allowed'],
      ['/allowed_cidrs/0', 'wrong_type'],
    ]);
    const scope = json.errors.find((fault: { pointer: string }) => fault.pointer === '/scopes/1');
    expect(scope.allowed).to.include('keys:read');
  });

  it('reports all faults of a query at once', async () => {
    const { json } = await api.call('GET', '/v1/keys?limit=0&colour=blue&state=sleepy');
    expect(json.code).to.equal('invalid_parameter');
    const told = json.errors.map((fault: { parameter: string; code: string }) => [
      fault.parameter,
      fault.code,
    ]);
    expect(told).to.have.deep.members([
      ['limit', 'too_small'],
      ['colour', 'unknown_parameter'],
      ['state', 'not_allowed'],
    ]);
  });

  it('echoes a valid request ID, and generates one otherwise', async () => {
    const kept = await api.call('GET', '/v1/limits', { headers: { 'x-request-id': 'Mine_7-x' } });
    expect(kept.headers.get('x-request-id')).to.equal('Mine_7-x');
    const odd = await api.call('GET', '/v1/limits', { headers: { 'x-request-id': 'a b' } });
    expect(odd.headers.get('x-request-id')).to.match(/^req_/);
  });

  it('responds to HEAD without a body, and to OPTIONS with the allowed methods', async () => {
    const headers = { 'accept-encoding': 'identity' };
    const get = await api.call('GET', '/v1/limits', { headers });
    const head = await api.call('HEAD', '/v1/limits', { headers });
    expect(head.status).to.equal(200);
    expect(head.text).to.equal('');
    expect(head.headers.get('content-length')).to.equal(String(Buffer.byteLength(get.text)));
    const options = await api.call('OPTIONS', '/v1/keys', {
      headers: { authorization: undefined },
    });
    expect(options.status).to.equal(204);
    expect(options.headers.get('allow')).to.equal('GET, HEAD, OPTIONS, POST');
    expect(options.headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('returns 304 for a current version, at a lower cost', async () => {
    const path = `/v1/keys/${api.keyId}`;
    const first = await api.call('GET', path);
    const etag = first.headers.get('etag') ?? '';
    const again = await api.call('GET', path, { headers: { 'if-none-match': `"x", W/${etag}` } });
    expect(again.status).to.equal(304);
    expect(again.headers.get('etag')).to.equal(etag);
    const next = await api.call('GET', path);
    const left = (answer: typeof first) =>
      Number(/r=(\d+)/.exec(answer.headers.get('ratelimit')!)![1]);
    expect(left(first) - left(next)).to.equal(1);
  });

  it('counts every read against the rate, whatever If-None-Match contains', async () => {
    const reader = await api.issue(['keys:read'], { read: 20 });
    const path = `/v1/keys/${api.keyId}`;
    const etag = (await api.call('GET', path)).headers.get('etag')!;
    const statuses = async (tag: string): Promise<Set<number>> => {
      const answers = new Set<number>();
      for (let times = 0; times < 250 && !answers.has(429); times++) {
        const headers = { 'if-none-match': tag };
        answers.add((await api.call('GET', path, { headers, key: reader.key })).status);
      }
      return answers;
    };
    expect([...(await statuses(etag))]).to.deep.equal([304, 429]);
    const other = await api.issue(['keys:read'], { read: 20 });
    const asked = await Promise.all(
      Array.from({ length: 25 }, () =>
        api.call('GET', path, { headers: { 'if-none-match': '*' }, key: other.key }),
      ),
    );
    expect(asked.filter(({ status }) => status === 304).length).to.equal(20);
    expect(asked.filter(({ status }) => status === 429).length).to.equal(5);
  });

  it('wakes the workers after a commit and only then', async () => {
    const before = api.wakeCount();
    await api.call('GET', '/v1/keys');
    await api.call('POST', '/v1/keys', { body: { name: '' } });
    expect(api.wakeCount()).to.equal(before);
    const made = await api.call('POST', '/v1/keys', { body: { name: 'k', scopes: ['keys:read'] } });
    expect(made.status).to.equal(201);
    expect(api.wakeCount()).to.equal(before + 1);
  });

  it('reports on its own health without a credential', async () => {
    const headers = { authorization: undefined, 'x-service-project-id': undefined };
    expect((await api.call('GET', '/healthz', { headers })).json).to.deep.equal({ state: 'ok' });
    const ready = await api.call('GET', '/readyz', { headers });
    expect(ready.json).to.deep.equal({ state: 'ready', postgres: 'up', redis: 'down' });
  });
});
