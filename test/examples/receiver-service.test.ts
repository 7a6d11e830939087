import { createServer, type Server } from 'node:http';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { createFeed } from '../../examples/receiver/feed.ts';
import { newSecret } from '../../src/webhooks/sign.ts';
import { eventually } from '../support/eventually.ts';
import { openService, type TestService } from '../support/service.ts';
import {
  closeServer,
  listen,
  type Running,
  runReceiver,
  sequences,
  startReceivers,
} from './receivers.ts';

describe('examples/receiver with the service', () => {
  const { temporary, started, clear } = startReceivers();
  afterEach(clear);

  let service: TestService;
  /** A proxy between the two: the test decides what happens to each message. */
  let network: Server;
  let networkUrl: string;
  let onMessage: (forward: () => Promise<number>, number: number) => Promise<number>;
  let target = '';
  const secret = newSecret();

  before(async () => {
    service = await openService();
    await service.startServer();
    service.startWorker('relay,webhooks');
    let count = 0;
    network = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type'];
      const headers = names.map((name): [string, string] => [name, String(request.headers[name])]);
      const body = Buffer.concat(chunks);
      const forward = async () => {
        const answer = await fetch(target, { method: 'POST', headers, body });
        return answer.status;
      };
      count += 1;
      response.writeHead(await onMessage(forward, count).catch(() => 502)).end();
    });
    networkUrl = `http://127.0.0.1:${await listen(network)}/hooks`;
    const made = await service.call('POST', '/v1/webhooks', {
      url: networkUrl,
      event_types: ['*'],
      secret,
    });
    expect(made.status).to.equal(201);
  });
  after(async () => {
    await service.close();
    await closeServer(network);
  });

  const feed = () => createFeed({ ...service, url: service.url, apiKey: service.apiKey });
  let made = 0;
  /** Each upload records two events: created and available. */
  const change = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i += 1) {
      await service.upload(Buffer.from(`a file ${newId('object')}`), 'note.txt');
      made += 2;
    }
  };
  /** Waits until all recorded events were handled, then expects each once and in order. */
  const expectAll = async (...parts: Running[]): Promise<void> => {
    const all = () => parts.flatMap(sequences);
    await eventually(async () => all().length >= made);
    expect(all()).to.deep.equal(Array.from({ length: made }, (_, at) => at + 1));
  };

  it('handles each event once and in order over a hostile network', async () => {
    const folder = await temporary();
    const start = [`${service.projectId}/domain`];
    const first = await runReceiver({ folder, keys: [secret], feed: feed(), gapMs: 100, start });
    target = first.url;
    let held: (() => Promise<number>) | null = null;
    onMessage = async (forward, number) => {
      if (number % 7 === 0) return 204; // lost, although the service counts it as delivered
      if (number % 5 === 0) return 500; // not forwarded: it will be sent again
      if (number % 3 === 0) {
        held = forward; // overtaken by the next one
        return 204;
      }
      const status = await forward();
      if (number % 2 === 0) await forward(); // twice
      await held?.();
      held = null;
      return status;
    };
    await change(12);
    // A loss at the end is noticed only when another event arrives.
    onMessage = (forward) => forward();
    await change(1);
    await expectAll(first);

    // Down while more happens. The feed delivers what was missed, and the service retries it
    // later.
    await first.stop();
    await change(6);
    const port = Number(new URL(first.url).port);
    const second = await started({
      folder,
      keys: [secret],
      feed: feed(),
      gapMs: 100,
      start,
      port,
    });
    await expectAll(first, second);
    await eventually(async () => {
      const response = await service.call('GET', '/v1/events?published=false');
      const page = (await response.json()) as { data: unknown[] };
      return page.data.length === 0;
    });
    await change(1);
    await expectAll(first, second);
  });
});
