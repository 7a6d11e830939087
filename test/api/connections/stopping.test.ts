import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { listen } from '../../../src/api/listen.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRaw } from '../../support/raw-connection.ts';

/** More than the system takes from a process for a client that does not read. */
const large = Buffer.alloc(32 * 1024 * 1024, 'x');

/** An application whose responses wait until they are let go. */
async function openServer() {
  const waiting: (() => void)[] = [];
  const ran: string[] = [];
  let arrived: () => void = () => undefined;
  const app = new Koa();
  app.use(async (ctx) => {
    ran.push(ctx.path);
    if (ctx.path === '/large') {
      ctx.body = large;
      return;
    }
    if (ctx.path === '/slow') {
      const opened = new Promise<void>((resolve) => waiting.push(resolve));
      arrived();
      await opened;
    }
    ctx.body = 'done';
  });
  const running = await listen(app, '127.0.0.1', 0);
  return {
    running,
    ran,
    url: `http://127.0.0.1:${running.port}`,
    arrival: () =>
      new Promise<void>((resolve) => {
        arrived = resolve;
      }),
    release: () => {
      for (const open of waiting.splice(0)) open();
    },
  };
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** The `Connection` of each response. */
const connections = (text: string): string[] =>
  [...text.matchAll(/^Connection: (.+)\r$/gm)].map(([, value]) => value!);

async function get(port: number, path: string, agent: Agent) {
  const sent = request({ host: '127.0.0.1', port, path, agent }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  const { statusCode: status, headers } = response;
  return { status, connection: headers.connection, isKept: sent.reusedSocket };
}

describe('a server that stops', () => {
  let agent: Agent;
  beforeEach(() => {
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(() => agent.destroy());

  it('serves kept connections while it drains, and closes each with its next response', async () => {
    const { running } = await openServer();
    const first = await get(running.port, '/', agent);
    expect(first).to.deep.equal({ status: 200, connection: 'keep-alive', isKept: false });
    running.drain();
    const last = await get(running.port, '/', agent);
    expect(last).to.deep.equal({ status: 200, connection: 'close', isKept: true });
    const fresh = await get(running.port, '/', agent);
    expect(fresh).to.deep.equal({ status: 200, connection: 'close', isKept: false });
    await running.stop();
  });

  it('closes the connection of a request in progress with its response, and waits no longer', async () => {
    const { running, arrival, release } = await openServer();
    const arrived = arrival();
    const pending = get(running.port, '/slow', agent);
    await arrived;
    const stopped = running.stop();
    release();
    expect(await pending).to.deep.equal({ status: 200, connection: 'close', isKept: false });
    await stopped;
  });

  it('answers all requests that wait on a connection before it closes it', async () => {
    const { running, ran, release, url } = await openServer();
    const client = await connectRaw(url);
    client.send(ask('/slow') + ask('/slow'));
    await eventually(async () => ran.length === 2);
    running.drain();
    client.send(ask('/'));
    await eventually(async () => ran.length === 3);
    release();
    expect(connections(await client.closed)).to.deep.equal(['keep-alive', 'keep-alive', 'close']);
    await running.stop();
  });

  it('does not run requests behind a response that closes their connection', async () => {
    const { running, ran, url } = await openServer();
    running.drain();
    const client = await connectRaw(url);
    client.socket.pause();
    const [first] = await Promise.all([
      once(running.server, 'request'),
      client.send(ask('/large')),
    ]);
    await eventually(async () => first[1].headersSent);
    await Promise.all([once(running.server, 'request'), client.send(ask('/'))]);
    client.socket.resume();
    expect(connections(await client.closed)).to.deep.equal(['close']);
    expect(ran).to.deep.equal(['/large']);
    await running.stop();
  });

  it('lets clients read complete responses to their end', async () => {
    const { running, url } = await openServer();
    const client = await connectRaw(url);
    client.socket.pause();
    const [sent] = await Promise.all([once(running.server, 'request'), client.send(ask('/large'))]);
    await eventually(async () => sent[1].writableEnded);
    const stopped = running.stop();
    expect(running.server.listening).to.equal(false);
    client.socket.resume();
    expect((await client.closed).length).to.be.greaterThan(large.length);
    await stopped;
  });
});
