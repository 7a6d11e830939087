import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Scriptorium, ScriptoriumError } from '../../packages/client/src/index.ts';
import { backoff, retryDelay } from '../../packages/client/src/retry.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What a request looked like. */
interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

const problem =
  (
    status: number,
    code: string,
    headers: Record<string, string> = {},
    extra: object = {},
  ): Answer =>
  (_, response) => {
    const type = { 'Content-Type': 'application/problem+json' };
    response
      .writeHead(status, { ...type, ...headers })
      .end(JSON.stringify({ status, code, detail: `It is ${code}.`, ...extra }));
  };
const json =
  (body: unknown, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
const reset: Answer = (request) => {
  request.socket.resetAndDestroy();
};
const halfway: Answer = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{"id": "obj');
  setImmediate(() => response.destroy());
};

describe('client requests', () => {
  const seen: Seen[] = [];
  let answers: Answer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    (answers.shift() ?? problem(500, 'no_answer_left'))(request, response);
  });
  let client: Scriptorium;
  before(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}`;
    client = new Scriptorium({ baseUrl, projectId: 'prj_1', apiKey: 'sk_1' });
  });
  beforeEach(() => {
    seen.length = 0;
    answers = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const failure = async (work: Promise<unknown>): Promise<ScriptoriumError> => {
    try {
      await work;
    } catch (error) {
      if (error instanceof ScriptoriumError) return error;
      throw error;
    }
    throw new Error('It did not fail.');
  };
  const now = { 'Retry-After': '0' };

  it('repeat a POST with the same Idempotency-Key after every kind of failure', async () => {
    answers = [
      problem(503, 'dependency_unavailable', now),
      problem(429, 'rate_limited', now),
      problem(409, 'idempotency_in_progress', now),
      json({ id: 'col_1' }, 201),
    ];
    expect(await client.collections.create({ name: 'Ä' })).to.deep.equal({ id: 'col_1' });
    expect(seen).to.have.length(4);
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).to.equal(1);
    expect([...keys][0]).to.match(/^[0-9a-f-]{36}$/);
    expect(new Set(seen.map(({ body }) => body))).to.deep.equal(new Set(['{"name":"Ä"}']));
    answers = [json({ id: 'col_2' }, 201), json({ id: 'col_3' }, 201)];
    await client.collections.create({ name: 'B' });
    await client.collections.create({ name: 'B' }, { idempotencyKey: 'mine' });
    expect(seen[5]?.headers['idempotency-key']).to.equal('mine');
    expect(keys.has(seen[4]?.headers['idempotency-key'])).to.equal(false);
  });

  it('repeat a read after a broken connection, also in the middle of a response', async () => {
    answers = [reset, halfway, json({ id: 'obj_1' })];
    expect(await client.objects.get('obj_1')).to.deep.equal({ id: 'obj_1' });
    expect(seen).to.have.length(3);
  });

  it('do not repeat a write without a key that may have taken effect', async () => {
    answers = [problem(503, 'dependency_unavailable', now)];
    expect(await failure(client.objects.update('obj_1', { tags: [] }))).to.include({
      code: 'dependency_unavailable',
      retry_after: 0,
    });
    answers = [reset];
    expect(await failure(client.webhooks.test('whk_1'))).to.include({ code: 'connection_failed' });
    expect(seen).to.have.length(2);
    // Rejected without an effect.
    answers = [problem(429, 'rate_limited', now), json({ id: 'obj_1' })];
    await client.objects.update('obj_1', { tags: [] });
    // Reads, although it is a POST without a key.
    answers = [problem(500, 'internal_error', now), json({ decision: 'allow' })];
    await client.policies.evaluate({ action: 'read', resource: { type: 'object', id: 'obj_1' } });
    expect(seen).to.have.length(6);
  });

  it('stop retrying at the limit or on request, and never repeat invalid requests', async () => {
    answers = [1, 2, 3, 4].map(() => problem(503, 'dependency_unavailable', now));
    expect(await failure(client.keys.self())).to.include({ status: 503 });
    expect(seen).to.have.length(4);
    answers = [problem(503, 'dependency_unavailable', now)];
    await failure(client.keys.self({ maxRetries: 0 }));
    expect(seen).to.have.length(5);
    answers = [problem(422, 'validation_failed')];
    await failure(client.collections.create({ name: '' }));
    expect(seen).to.have.length(6);
  });

  it('wait at most a minute for a busy service, and report the requested wait', async () => {
    answers = [problem(429, 'rate_limited', { 'Retry-After': '3600' })];
    expect(await failure(client.keys.self())).to.include({ status: 429, retry_after: 3600 });
    const busy = (retryAfter: number) =>
      new ScriptoriumError({ status: 429, code: 'rate_limited', detail: '' }, { retryAfter });
    expect(retryDelay(busy(7), 1, 'untouched')).to.equal(7_000);
    expect(retryDelay(busy(61), 1, 'always')).to.equal(null);
    for (const [tries, most] of [500, 1_000, 2_000, 4_000, 8_000, 8_000].entries()) {
      const waits = Array.from({ length: 50 }, () => backoff(tries + 1));
      for (const ms of waits) expect(ms).to.be.within(most / 2, most);
      expect(new Set(waits).size).to.be.greaterThan(10);
    }
  });

  it('throw the full problem', async () => {
    const errors = [{ pointer: '/name', code: 'too_short', detail: 'Too short.' }];
    const extra = { request_id: 'req_1', retryable: false, errors, required_scopes: ['a:b'] };
    answers = [problem(422, 'validation_failed', {}, extra)];
    const error = await failure(client.collections.create({ name: '' }));
    expect(error).to.be.instanceOf(Error);
    expect(error.message).to.equal('It is validation_failed.');
    expect(error).to.deep.include({ status: 422, request_id: 'req_1', errors, retry_after: null });
    expect(error.problem).to.deep.include({ required_scopes: ['a:b'] });
  });

  it('report responses that are not from the API', async () => {
    const page: Answer = (_, response) => {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Nothing here</h1>');
    };
    const fine: Answer = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Log in</h1>');
    };
    answers = [page, fine];
    expect(await failure(client.keys.self())).to.include({
      status: 404,
      code: 'unexpected_answer',
    });
    expect(await failure(client.keys.self())).to.include({ code: 'unexpected_answer' });
    // The key is not sent to another origin.
    answers = [(_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end()];
    expect(await failure(client.keys.self())).to.include({
      status: 302,
      code: 'unexpected_answer',
    });
    expect(seen).to.have.length(3);
    const away = { method: 'GET', path: 'http://127.0.0.1:9/v1/x', repeatable: 'always' } as const;
    expect(await client.transport.request(away).catch((e: Error) => e.message)).to.match(
      /not a URL of/,
    );
  });

  it('end when aborted and at a timeout', async () => {
    const never: Answer = () => undefined;
    const stop = new AbortController();
    answers = [
      (request, response) => {
        stop.abort(new Error('enough'));
        never(request, response);
      },
    ];
    const thrown = await client.keys.self({ signal: stop.signal }).catch((error: Error) => error);
    expect(thrown).to.have.property('message', 'enough');
    answers = [never];
    const late = await failure(client.keys.self({ timeoutMs: 20, maxRetries: 0 }));
    expect(late).to.include({ status: 0, code: 'timeout', retryable: true });
  });

  it('quote a version for If-Match and leave an ETag unchanged', async () => {
    answers = [1, 2, 3].map(() => json({}));
    await client.objects.update('obj_1', {}, { ifMatch: 7 });
    await client.objects.update('obj_1', {}, { ifMatch: '"8"' });
    await client.objects.update('obj_1', {}, { requestId: 'mine' });
    expect(seen.map(({ headers }) => headers['if-match'])).to.deep.equal(['"7"', '"8"', undefined]);
    expect(seen[2]?.headers['x-request-id']).to.equal('mine');
  });

  it('encode paths and queries as the API expects', async () => {
    answers = [1, 2].map(() => json({ data: [], has_more: false, next_cursor: null }));
    await client.images
      .list({ q: 'a&b', tag: ['x,y', '-z'], mime: ['image/png', 'image/jpeg'], untagged: true })
      .page();
    await client.objects.jobs('../keys?').page();
    const url = new URL(seen[0]!.url, 'http://x');
    expect([...url.searchParams]).to.deep.equal([
      ['q', 'a&b'],
      ['tag', 'x,y'],
      ['tag', '-z'],
      ['mime', 'image/png,image/jpeg'],
      ['untagged', 'true'],
    ]);
    expect(seen[1]?.url).to.equal('/v1/objects/..%2Fkeys%3F/jobs');
    const empty = await client.objects.get('').catch((error: Error) => error.message);
    expect(empty).to.match(/must be a non-empty string/);
  });

  it('fetch the pages of a list one by one, as needed', async () => {
    const page = (ids: string[], next: string | null) =>
      json({ data: ids.map((id) => ({ id })), has_more: next !== null, next_cursor: next });
    answers = [page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)];
    const ids: string[] = [];
    for await (const { id } of client.objects.list({ limit: 2 })) ids.push(id);
    expect(ids).to.deep.equal(['a', 'b', 'c']);
    expect(seen.map(({ url }) => url)).to.deep.equal([
      '/v1/objects?limit=2',
      '/v1/objects?limit=2&cursor=c1',
      '/v1/objects?limit=2&cursor=c2',
    ]);
    answers = [page(['a', 'b'], 'c1')];
    for await (const { id } of client.objects.list()) if (id === 'a') break;
    expect(seen).to.have.length(4);
  });

  it('require a base URL, a key and a project', () => {
    const options = { baseUrl: 'http://x', projectId: 'prj_1', apiKey: 'sk_1' };
    for (const name of ['baseUrl', 'projectId', 'apiKey']) {
      expect(() => new Scriptorium({ ...options, [name]: '' })).to.throw(TypeError, name);
    }
    expect(() => new Scriptorium({ ...options, baseUrl: 'x.test' })).to.throw(TypeError, 'http');
  });
});
