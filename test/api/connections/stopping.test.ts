import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { listen } from '../../../src/api/listen.ts';

/** An application whose responses wait until they are let go. */
async function openServer() {
  const waiting: (() => void)[] = [];
  let arrived: () => void = () => undefined;
  const app = new Koa();
  app.use(async (ctx) => {
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
    arrival: () =>
      new Promise<void>((resolve) => {
        arrived = resolve;
      }),
    release: () => {
      for (const open of waiting.splice(0)) open();
    },
  };
}

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
});
