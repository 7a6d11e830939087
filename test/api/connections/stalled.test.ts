import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { strictObject } from '@scriptorium/contracts/wire/shapes';
import { expect } from 'chai';
import { Type } from 'typebox';
import { ok, stream } from '../../../src/api/frame/reply.ts';
import { type Route, route, streamRoute } from '../../../src/api/frame/route.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRaw, requestHead } from '../../support/raw-connection.ts';

const piece = Buffer.alloc(64 * 1024, 'x');
/** More than the system's socket buffers hold. */
const pieces = 320;
let wait = async (): Promise<void> => undefined;
const sources: Readable[] = [];

const shared = { method: 'GET', tag: 'Test', summary: 'Test.', scopes: [], rate: 'none' } as const;
const streamed = streamRoute({
  ...shared,
  path: '/v1/test/stream',
  operationId: 'testStream',
  concurrency: 1,
  produces: [],
  responses: { 200: null },
  handler: async () => {
    const source = Readable.from(Array.from({ length: pieces }, () => piece));
    sources.push(source);
    return stream(200, source, { 'Content-Type': 'text/plain' });
  },
});
const whole = route({
  ...shared,
  path: '/v1/test/whole',
  operationId: 'testWhole',
  responses: { 200: strictObject({ text: Type.String() }) },
  handler: async () => ok({ text: 'x'.repeat(pieces * piece.length) }),
});
const held = streamRoute({
  ...shared,
  path: '/v1/test/held',
  operationId: 'testHeld',
  responses: { 200: strictObject({}) },
  handler: async () => {
    await wait();
    return ok({});
  },
});
const routes: readonly Route[] = [streamed, whole, held];

describe('a client that stops reading', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes, clientLimits: { writeIdleMs: 300, headersMs: 300 } });
  });
  after(() => api.close());

  const askAndStop = async (path: string, trailing = '') => {
    const connection = await connectRaw(api.url);
    connection.send(requestHead(`GET ${path}`, trailing ? { 'Content-Length': 1e9 } : {}, api));
    // At the first bytes: a moment later all of it could have arrived.
    await new Promise<void>((resolve) => {
      connection.socket.once('data', () => {
        connection.socket.pause();
        resolve();
      });
    });
    return connection;
  };
  /** The number of finished responses of an operation. */
  const over = async (operation: string): Promise<number> => {
    const text = await api.deps.metrics.getSingleMetricAsString('http_request_duration_seconds');
    return Number(new RegExp(`_count\\{operation="${operation}".*\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  /** Waits until the server has given the response up; bytes in transit do not count. */
  const cutOff = async (ask: () => ReturnType<typeof askAndStop>, operation: string) => {
    const before = await over(operation);
    const connection = await ask();
    await eventually(async () => (await over(operation)) > before);
    connection.socket.resume();
    expect((await connection.closed).length).to.be.lessThan(pieces * piece.length);
  };

  it('is cut off from a stream, and its slot is released', async () => {
    await cutOff(() => askAndStop('/v1/test/stream'), 'testStream');
    expect(sources.at(-1)!.destroyed).to.equal(true);
    expect((await api.call('HEAD', '/v1/test/stream')).status).to.equal(200);
  });

  it('is cut off from plain JSON', async () => {
    await cutOff(() => askAndStop('/v1/test/whole'), 'testWhole');
  });

  it('is cut off even if it goes on sending', async () => {
    const before = sources.length;
    const connection = await askAndStop('/v1/test/stream', 'x');
    const drip = setInterval(() => connection.send('x'), 50);
    try {
      await eventually(async () => sources[before]?.destroyed);
    } finally {
      clearInterval(drip);
      connection.socket.destroy();
    }
  });

  it('does not include a client that waits for the service', async () => {
    let release = (): void => undefined;
    wait = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const answer = api.call('GET', '/v1/test/held');
    // By the time this client is cut off, the other one has waited as long.
    await cutOff(() => askAndStop('/v1/test/whole'), 'testWhole');
    release();
    expect((await answer).status).to.equal(200);
  });

  it('is cut off in the middle of its headers', async () => {
    const connection = await connectRaw(api.url);
    connection.send('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => connection.send('X-A: b\r\n'), 50);
    expect(await connection.closed).to.match(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
    const silent = await connectRaw(api.url);
    expect(await silent.closed).to.match(/^HTTP\/1\.1 408 /);
  });
});

describe('a client that reads slowly', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes, clientLimits: { writeIdleMs: 3_000 } });
  });
  after(() => api.close());

  it('receives the complete response', async () => {
    const client = request(`${api.url}/v1/test/whole`, {
      headers: { authorization: `Bearer ${api.key}`, 'x-service-project-id': api.projectId },
    });
    client.end();
    const [response] = (await once(client, 'response')) as [Readable];
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      // Slow on purpose; nothing waits for this to pass.
      if (bytes % 3 === 0) await delay(5);
    }
    expect(bytes).to.equal(pieces * piece.length + '{"text":""}'.length);
  });
});

describe('client connections', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ clientLimits: { connectionsPerAddress: 3 } });
  });
  after(() => api.close());

  it('are limited per address and released', async () => {
    const open = await Promise.all([1, 2, 3].map(() => connectRaw(api.url)));
    const fourth = await connectRaw(api.url);
    expect(await fourth.closed).to.match(/^HTTP\/1\.1 429 .*[\s\S]*rate_limited/);
    open[0]!.socket.destroy();
    await eventually(async () => {
      const again = await connectRaw(api.url);
      again.send(requestHead('GET /healthz', { Connection: 'close' }));
      return /^HTTP\/1\.1 200 /.test(await again.closed);
    });
    for (const { socket } of open) socket.destroy();
  });
});
