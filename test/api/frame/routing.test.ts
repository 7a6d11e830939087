import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { routes } from '../../../src/api/routes/index.ts';
import { createLogger } from '../../../src/logger.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { pickFrom } from '../../support/random.ts';

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

  /** Sends a path unchanged, without a key: the route is found before the key is missed. */
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
    const below = pickFrom(16);
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
