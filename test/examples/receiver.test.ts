import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../examples/receiver/event.ts';
import { createFeed, type Feed } from '../../examples/receiver/feed.ts';
import { type Journal, openJournal } from '../../examples/receiver/journal.ts';
import { createOrder, type Handle, type Order } from '../../examples/receiver/order.ts';
import { createReceiver } from '../../examples/receiver/server.ts';
import { createVerifier, NotVerified } from '../../examples/receiver/verify.ts';
import { newId } from '../../src/contracts/ids.ts';
import { newKeyPair, newSecret, signedHeaders } from '../../src/webhooks/sign.ts';
import { eventually } from '../support/eventually.ts';
import { openService, type TestService } from '../support/service.ts';

const now = (): number => Math.floor(Date.now() / 1_000);

/** An event as the service would send it. */
function eventOf(sequence: number, projectId = 'prj_1'): Event {
  return {
    id: newId('event'),
    type: 'dam.object.trashed',
    project_id: projectId,
    resource_id: 'obj_1',
    category: 'domain',
    sequence,
    occurred_at: '2026-01-01T00:00:00.000Z',
    data: {},
  };
}

function signed(
  event: Event,
  secrets: string[],
  more: { timestamp?: number; replayId?: string } = {},
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(event);
  return {
    body,
    headers: signedHeaders({ id: event.id, timestamp: now(), body, secrets, ...more }),
  };
}

/** The example's receiver, run in this process, with the events it handled. */
interface Running {
  url: string;
  handled: { event: Event; replayId: string | null }[];
  journal: Journal;
  order: Order;
  stop(): Promise<void>;
}

async function run(options: {
  folder: string;
  keys: string[];
  feed: Feed;
  handle?: Handle;
  gapMs?: number;
  start?: string[];
  port?: number;
}): Promise<Running> {
  const handled: Running['handled'] = [];
  const journal = await openJournal(options.folder);
  const order = createOrder({
    journal,
    feed: options.feed,
    gapMs: options.gapMs ?? 20,
    retryMs: 20,
    log: () => undefined,
    async handle(event, replayId) {
      await options.handle?.(event, replayId);
      handled.push({ event, replayId });
    },
  });
  const verify = createVerifier(options.keys);
  const server = createReceiver({ verify, journal, order, log: () => undefined });
  const port = await listen(server, options.port);
  order.start(options.start ?? []);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    handled,
    journal,
    order,
    async stop() {
      await closeServer(server);
      await order.stop();
      await journal.close();
    },
  };
}

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function send(
  url: string,
  message: { body: string; headers: Record<string, string> },
): Promise<number> {
  const response = await fetch(url, { method: 'POST', ...message });
  await response.arrayBuffer();
  return response.status;
}

const sequences = (running: Running): number[] =>
  running.handled.map(({ event }) => event.sequence);

describe('examples/receiver', () => {
  const folders: string[] = [];
  const running: Running[] = [];
  const temporary = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-receiver-'));
    folders.push(folder);
    return folder;
  };
  const started = async (options: Parameters<typeof run>[0]): Promise<Running> => {
    const it = await run(options);
    running.push(it);
    return it;
  };
  afterEach(async () => {
    for (const it of running.splice(0)) await it.stop();
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  describe('when verifying', () => {
    const secret = newSecret();
    const event = eventOf(1);
    const bytes = (text: string) => Buffer.from(text);

    it('accepts both kinds of signature, and any of several keys during a rotation', () => {
      const pair = newKeyPair();
      const [old, fresh] = [newSecret(), newSecret()];
      for (const [signers, keys] of [
        [[fresh], [fresh]],
        [[old, fresh], [fresh]],
        [[fresh], [old, fresh]],
        [[pair.privateKey], [pair.publicKey]],
        [[old, pair.privateKey], [pair.publicKey]],
        [[pair.privateKey], [newKeyPair().publicKey, pair.publicKey, old]],
      ] as const) {
        const { body, headers } = signed(event, [...signers]);
        const message = createVerifier(keys)(bytes(body), headers);
        expect(message).to.deep.equal({ event, key: event.id, replayId: null });
      }
    });

    for (const [kind, key, signature] of [
      [
        'v1',
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      ],
      [
        'v1a',
        'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
        'hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
      ],
    ] as const) {
      it(`accepts the public vector of ${kind}`, () => {
        const verify = createVerifier([key]);
        const headers = {
          'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
          'webhook-timestamp': '1614265330',
          'webhook-signature': `${kind},${signature}`,
        };
        const clock = Date.now;
        Date.now = () => 1_614_265_330_000;
        try {
          // The signature is valid, but the signed body is not an event.
          const body = bytes('{"test": 2432232314}');
          expect(() => verify(body, headers)).to.throw('The value is not an event.');
          expect(() => verify(bytes('{"test": 2432232315}'), headers)).to.throw(NotVerified);
        } finally {
          Date.now = clock;
        }
      });
    }

    for (const kind of ['v1', 'v1a'] as const) {
      const pair = newKeyPair();
      const [signer, key] = kind === 'v1' ? [secret, secret] : [pair.privateKey, pair.publicKey];
      const verify = createVerifier([key]);
      const refused: [string, (given: ReturnType<typeof signed>) => ReturnType<typeof signed>][] = [
        ['a changed body', ({ body, headers }) => ({ body: `${body} `, headers })],
        [
          'another id',
          ({ body, headers }) => ({ body, headers: { ...headers, 'webhook-id': 'evt_x' } }),
        ],
        [
          'another time',
          ({ body, headers }) => ({
            body,
            headers: { ...headers, 'webhook-timestamp': String(now() - 1) },
          }),
        ],
        [
          'no time',
          ({ body, headers }) => ({ body, headers: { ...headers, 'webhook-timestamp': 'NaN' } }),
        ],
        [
          'no signature',
          ({ body, headers }) => ({ body, headers: { ...headers, 'webhook-signature': '' } }),
        ],
        [
          'an empty signature',
          ({ body, headers }) => ({
            body,
            headers: { ...headers, 'webhook-signature': `${kind},` },
          }),
        ],
        ['a message of six minutes ago', () => signed(event, [signer], { timestamp: now() - 360 })],
        [
          'a message of six minutes from now',
          () => signed(event, [signer], { timestamp: now() + 360 }),
        ],
        [
          'a signature by another key',
          () => signed(event, [kind === 'v1' ? newSecret() : newKeyPair().privateKey]),
        ],
      ];
      for (const [what, change] of refused) {
        it(`accepts ${kind}, and rejects ${what}`, () => {
          const given = change(signed(event, [signer]));
          expect(() => verify(bytes(given.body), given.headers)).to.throw(NotVerified);
        });
      }
    }
    it('rejects unsuitable keys at the start', () => {
      expect(() => createVerifier([])).to.throw('Set at least one key');
      expect(() => createVerifier(['secret'])).to.throw('Set at least one key');
    });
  });

  describe('when receiving', () => {
    const secret = newSecret();
    const empty: Feed = { after: async () => ({ events: [] }) };
    /** A feed of these events, which counts its calls. */
    const feedOf = (events: Event[]) => {
      const asked: number[] = [];
      const feed: Feed = {
        async after(_category, sequence) {
          asked.push(sequence);
          return { events: events.filter((event) => event.sequence > sequence) };
        },
      };
      return { feed, asked };
    };

    it('handles an event once, however often it arrives, also after a restart', async () => {
      const folder = await temporary();
      const event = eventOf(1);
      const first = await run({ folder, keys: [secret], feed: empty });
      for (let i = 0; i < 3; i += 1) {
        expect(await send(first.url, signed(event, [secret]))).to.equal(204);
      }
      await eventually(async () => first.handled.length > 0);
      await first.stop();
      const second = await started({ folder, keys: [secret], feed: empty });
      expect(await send(second.url, signed(event, [secret]))).to.equal(204);
      expect(await send(second.url, signed(eventOf(2), [secret]))).to.equal(204);
      await eventually(async () => second.handled.length > 0);
      expect([sequences(first), sequences(second)]).to.deep.equal([[1], [2]]);
    });

    it('rejects messages that are altered, too old, too large or at another path', async () => {
      const it = await started({ folder: await temporary(), keys: [secret], feed: empty });
      const good = signed(eventOf(1), [secret]);
      expect(await send(it.url, { ...good, body: `${good.body} ` })).to.equal(401);
      const old = signed(eventOf(1), [secret], { timestamp: now() - 400 });
      expect(await send(it.url, old)).to.equal(401);
      expect(await send(it.url.replace('hooks', 'other'), good)).to.equal(404);
      expect((await fetch(it.url)).status).to.equal(405);
      const noEvent = '{"id":"x"}';
      const odd = { id: 'x', timestamp: now(), body: noEvent, secrets: [secret] };
      expect(await send(it.url, { body: noEvent, headers: signedHeaders(odd) })).to.equal(400);
      expect(it.journal.streams()).to.deep.equal([]);
    });

    it('handles events in order, whatever the order of arrival, without the feed', async () => {
      const events = [1, 2, 3, 4, 5].map((sequence) => eventOf(sequence));
      const { feed, asked } = feedOf([]);
      const folder = await temporary();
      const it = await started({ folder, keys: [secret], feed, gapMs: 60_000 });
      for (const at of [4, 2, 3, 1, 0]) {
        expect(await send(it.url, signed(events[at]!, [secret]))).to.equal(204);
      }
      await eventually(async () => it.handled.length === 5);
      expect(sequences(it)).to.deep.equal([1, 2, 3, 4, 5]);
      expect(asked).to.deep.equal([]);
    });

    it('fetches missing events from the feed', async () => {
      const events = [1, 2, 3, 4, 5, 6].map((sequence) => eventOf(sequence));
      const { feed } = feedOf(events);
      const it = await started({ folder: await temporary(), keys: [secret], feed });
      await send(it.url, signed(events[0]!, [secret]));
      await send(it.url, signed(events[4]!, [secret]));
      await eventually(async () => it.handled.length === 5);
      // A late arrival is already known.
      await send(it.url, signed(events[2]!, [secret]));
      await send(it.url, signed(events[5]!, [secret]));
      await eventually(async () => it.handled.length === 6);
      expect(sequences(it)).to.deep.equal([1, 2, 3, 4, 5, 6]);
    });

    it('continues at the feed’s first event if the missing ones have expired', async () => {
      const events = [8, 9, 10].map((sequence) => eventOf(sequence));
      const feed: Feed = {
        after: async (_category, sequence) =>
          sequence < 7
            ? { events: [], first: 8 }
            : { events: events.filter((event) => event.sequence > sequence) },
      };
      const it = await started({ folder: await temporary(), keys: [secret], feed });
      await send(it.url, signed(events[2]!, [secret]));
      await eventually(async () => it.handled.length === 3);
      expect(sequences(it)).to.deep.equal([8, 9, 10]);
    });

    it('handles events that were accepted before a crash, despite half a line', async () => {
      const folder = await temporary();
      const stuck = await run({
        folder,
        keys: [secret],
        feed: empty,
        handle: () => Promise.reject(new Error('not today')),
      });
      expect(await send(stuck.url, signed(eventOf(1), [secret]))).to.equal(204);
      expect(await send(stuck.url, signed(eventOf(2), [secret]))).to.equal(204);
      await stuck.stop();
      await appendFile(join(folder, 'journal.jsonl'), '{"received":{"key":"evt_ha');
      const it = await started({ folder, keys: [secret], feed: empty });
      await eventually(async () => it.handled.length === 2);
      expect(sequences(it)).to.deep.equal([1, 2]);
    });

    it('handles an event again for each replay, once and in order', async () => {
      const folder = await temporary();
      const events = [1, 2].map((sequence) => eventOf(sequence));
      const it = await started({ folder, keys: [secret], feed: empty });
      await send(it.url, signed(events[0]!, [secret]));
      await eventually(async () => it.journal.position('prj_1/domain') === 1);
      for (const replayId of ['rpl_1', 'rpl_1', 'rpl_2']) {
        await send(it.url, signed(events[0]!, [secret], { replayId }));
      }
      await send(it.url, signed(events[1]!, [secret], { replayId: 'rpl_1' }));
      await eventually(async () => it.handled.length === 4);
      const done = it.handled.map(({ event, replayId }) => `${event.sequence} ${replayId}`);
      expect(done.slice(0, 1)).to.deep.equal(['1 null']);
      expect(done.slice(1).sort()).to.deep.equal(['1 rpl_1', '1 rpl_2', '2 null']);
    });
  });

  describe('with the service', () => {
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
        const headers = names.map((name): [string, string] => [
          name,
          String(request.headers[name]),
        ]);
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
      const first = await run({ folder, keys: [secret], feed: feed(), gapMs: 100, start });
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
});
