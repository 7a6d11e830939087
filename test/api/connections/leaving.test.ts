import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { noContent, stream } from '../../../src/api/frame/reply.ts';
import { streamRoute } from '../../../src/api/frame/route.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

/** A point at which a request waits until the test lets it continue. */
function gate() {
  let reached: () => void = () => undefined;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    reached: new Promise<void>((resolve) => {
      reached = resolve;
    }),
    open,
    pass: (): Promise<void> => {
      reached();
      return opened;
    },
  };
}

const hooks = {
  load: async (): Promise<void> => undefined,
  handle: async (): Promise<void> => undefined,
  handled: 0,
  bodies: [] as Readable[],
  hold: async (): Promise<void> => undefined,
};

const hold = streamRoute({
  method: 'GET',
  path: '/v1/test/hold',
  operationId: 'testHold',
  tag: 'Test',
  summary: 'Waits.',
  scopes: ['objects:read'],
  rate: 'none',
  produces: [],
  responses: { 204: null },
  handler: async () => {
    await hooks.hold();
    return noContent();
  },
});

/** One request at a time per key, so that a leaked slot shows at once. */
const route = streamRoute({
  method: 'GET',
  path: '/v1/test/stream',
  operationId: 'testStream',
  tag: 'Test',
  summary: 'Streams.',
  scopes: ['objects:read'],
  rate: 'none',
  concurrency: 1,
  produces: ['text/plain'],
  responses: { 200: null },
  load: async () => {
    await hooks.load();
    return {};
  },
  handler: async () => {
    hooks.handled += 1;
    await hooks.handle();
    const body = Readable.from(['a', 'b']);
    hooks.bodies.push(body);
    return stream(200, body, { 'Content-Type': 'text/plain' });
  },
});

describe('a client that disconnects before its response', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: [route, hold] });
  });
  beforeEach(() => {
    hooks.load = async () => undefined;
    hooks.handle = async () => undefined;
    hooks.handled = 0;
    hooks.bodies = [];
  });
  after(() => api.close());

  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\nX-Service-Project-ID: ${api.projectId}\r\n\r\n`;
  const ask = async (text: string): Promise<Socket> => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const metric = async (operation: string): Promise<number> => {
    const text = await api.deps.metrics.metrics();
    const found = text.match(
      new RegExp(`_count\\{operation="${operation}",status="\\d+"\\} (\\d+)`, 'g'),
    );
    return (found ?? []).reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
  };
  /** Disconnects, and waits until the server has noticed. */
  const leave = async (socket: Socket, operation: string): Promise<void> => {
    const before = await metric(operation);
    socket.destroy();
    await eventually(async () => (await metric(operation)) > before);
  };
  /** Waits until its slot is free again. */
  const isServed = async (): Promise<void> => {
    const answer = await eventually(async () => {
      const one = await api.call('GET', '/v1/test/stream');
      return one.status === 429 ? null : one;
    });
    expect([answer.status, answer.text]).to.deep.equal([200, 'ab']);
  };

  it('during authentication releases its slot, and its handler never runs', async () => {
    const login = gate();
    hooks.load = login.pass;
    const socket = await ask(get('/v1/test/stream'));
    await login.reached;
    await leave(socket, 'testStream');
    login.open();
    hooks.load = async () => undefined;
    await eventually(async () => (await api.call('GET', '/v1/test/stream')).status === 200);
    expect(hooks.handled).to.equal(1);
  });

  it('during its response leaves no source open', async () => {
    const handling = gate();
    hooks.handle = handling.pass;
    const socket = await ask(get('/v1/test/stream'));
    await handling.reached;
    await leave(socket, 'testStream');
    handling.open();
    const body = await eventually(async () => hooks.bodies[0]);
    await eventually(async () => body.destroyed);
    hooks.handle = async () => undefined;
    await isServed();
  });

  it('releases the slots of requests that wait behind another on its connection', async () => {
    const holding = gate();
    hooks.hold = holding.pass;
    const socket = await ask(get('/v1/test/hold') + get('/v1/test/stream'));
    await holding.reached;
    await eventually(async () => hooks.bodies.length > 0);
    await leave(socket, 'testStream');
    await eventually(async () => hooks.bodies[0]!.destroyed);
    await isServed();
    holding.open();
  });

  it('gets 429 for more requests than may wait on one connection', async () => {
    const holding = gate();
    hooks.hold = holding.pass;
    const socket = await ask(get('/v1/test/hold') + get('/healthz').repeat(40));
    let text = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    await holding.reached;
    holding.open();
    await once(socket, 'close');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses.slice(0, 33)).to.deep.equal(['204', ...Array(31).fill('200'), '429']);
  });
});
