import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { routes } from '../../../src/api/routes/index.ts';
import { createLogger } from '../../../src/logger.ts';
import { frozenRateLimits, startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createPick } from '../../support/random.ts';

/** Finds a route by trying the templates of all routes in turn. */
const templates = routes
  .map(({ method, path, operationId }) => ({
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method as string],
    operationId: operationId as string | undefined,
    // A literal segment precedes a parameter.
    rank: path.replaceAll(/\{\w+\}/g, '~'),
    expression: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => (a.rank < b.rank ? -1 : 1));

function expected(method: string, path: string) {
  const there = templates.filter(({ expression }) => expression.test(path));
  const operation = there.find(({ methods }) => methods.includes(method))?.operationId;
  if (operation !== undefined) return { operation };
  if (there.length === 0) return { code: 'not_found' };
  const allow = [...new Set([...there.flatMap(({ methods }) => methods), 'OPTIONS'])].sort();
  return method === 'OPTIONS'
    ? { status: 204, allow: allow.join(', ') }
    : { code: 'method_not_allowed', allow: allow.join(', ') };
}

describe('routing', () => {
  let api: TestApi;
  const lines: { operation?: string }[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  before(async () => {
    const logger = createLogger('info', 'test', { write: (line) => lines.push(JSON.parse(line)) });
    api = await startApi({ deps: () => ({ logger }) });
  });
  after(async () => {
    agent.destroy();
    await api.close();
  });

  /** Sends a path unchanged and without a key: routes are matched before keys are checked. */
  const ask = async (method: string, path: string) => {
    const { hostname, port } = new URL(api.url);
    const sent = request({ agent, hostname, port, method, path }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const piece of answer) text += piece;
    const code: unknown = text.startsWith('{') ? JSON.parse(text).code : undefined;
    return { status: answer.statusCode, allow: answer.headers.allow, code };
  };

  it('finds the same as trying all routes, for any path and method', async () => {
    const below = createPick(16);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
    const odd = ['', '.', '%2F', '%C3%A9', '{id}', ':id', '*', '~', 'constructor', '__proto__'];
    const segments = [...new Set(routes.flatMap(({ path }) => path.split('/'))), ...odd, 'SELF'];
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
    const seen = new Set<string>();
    for (let times = 0; times < 1_500; times++) {
      const parts = pick(routes)
        .path.split('/')
        .map((part, at) =>
          at > 1 && (below(100) < 20 || part.startsWith('{')) ? pick(segments) : part,
        );
      if (below(100) < 10) parts.splice(2 + below(parts.length - 1), 0, pick(segments));
      const path = parts.join('/');
      const method = pick(methods);
      const want = expected(method, path);
      const before = lines.length;
      const got = await ask(method, path);
      // The line is logged when the response has been sent.
      await eventually(async () => lines.length > before);
      const told = { ...got, operation: lines.at(-1)!.operation };
      for (const [name, value] of Object.entries(want)) {
        if (name === 'code' && method === 'HEAD') continue;
        expect(told[name as keyof typeof told], `${method} ${path}: ${name}`).to.equal(value);
      }
      if (!('operation' in want)) expect(told.operation, `${method} ${path}`).to.equal(undefined);
      seen.add(Object.keys(want).join());
    }
    expect([...seen].sort()).to.deep.equal(['code', 'code,allow', 'operation', 'status,allow']);
  });
});

describe('a path or method that does not exist', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ deps: frozenRateLimits });
  });
  after(() => api.close());

  for (const [path, hint] of [
    ['/v1/objects/', 'Remove the trailing slash.'],
    ['/v1/documents/jobs/job_x/', 'Remove the trailing slash.'],
    ['/v1/nothing/', ''],
    ['/v2/objects', 'The version of the API is v1'],
    ['/v2', 'The version of the API is v1'],
    ['/v1/assets', '`/v1/objects`, `/v1/images` and `/v1/collections`'],
    ['/v1/assets/x', '`/v1/objects`, `/v1/images` and `/v1/collections`'],
    ['/v1/assetsx', ''],
    ['/v10', 'The version of the API is v1'],
  ] as const) {
    it(`is 404 for ${path}, with ${hint ? 'a hint' : 'no hint'}`, async () => {
      const { status, json } = await api.call('GET', path);
      expect([status, json.code]).to.deep.equal([404, 'not_found']);
      const detail = 'No endpoint exists at this path.';
      if (hint === '') expect(json.detail).to.equal(detail);
      else expect(json.detail).to.include(detail).and.to.include(hint);
    });
  }

  const remaining = (headers: Headers) =>
    Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

  it('shows a valid key its rate, and counts', async () => {
    const { key } = await api.issue(['objects:read'], { read: 4 });
    for (const [at, method, path, options, status] of [
      [3, 'GET', '/v1/nothing?unknown=1', {}, 404],
      [2, 'PUT', '/v1/objects', {}, 405],
      [1, 'GET', '/v1/objects', { headers: { accept: 'text/css' } }, 406],
      [0, 'GET', '/v1/assets/', {}, 404],
    ] as const) {
      const answer = await api.call(method, path, { ...options, key });
      expect(answer.status).to.equal(status);
      expect(answer.headers.get('ratelimit-policy')).to.equal('"read";q=4;w=60');
      expect(remaining(answer.headers), path).to.equal(at);
    }
    const more = await api.call('GET', '/v1/nothing', { key });
    expect([more.status, more.json.code]).to.deep.equal([429, 'rate_limited']);
  });

  it('is the same without a key, or with one that is wrong or of another project', async () => {
    for (const options of [
      { headers: { authorization: undefined } },
      { key: 'sk_wrong' },
      { key: `${api.key.slice(0, -1)}${api.key.endsWith('x') ? 'y' : 'x'}` },
      { projectId: api.other.projectId },
    ]) {
      const answer = await api.call('GET', '/v1/nothing', options);
      expect([answer.status, answer.json.code]).to.deep.equal([404, 'not_found']);
      expect(answer.headers.get('ratelimit')).to.equal(null);
    }
  });
});
