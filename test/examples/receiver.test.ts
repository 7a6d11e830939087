import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../examples/receiver/event.ts';
import type { Feed } from '../../examples/receiver/feed.ts';
import { createVerifier, WebhookVerificationError } from '../../examples/receiver/verify.ts';
import { newKeyPair, newSecret, signedHeaders } from '../../src/webhooks/sign.ts';
import { eventually } from '../support/eventually.ts';
import { eventOf, now, runReceiver, send, sequences, signed, startReceivers } from './receivers.ts';

describe('examples/receiver', () => {
  const { temporary, started, clear } = startReceivers();
  afterEach(clear);

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
          expect(() => verify(bytes('{"test": 2432232315}'), headers)).to.throw(
            WebhookVerificationError,
          );
        } finally {
          Date.now = clock;
        }
      });
    }

    for (const kind of ['v1', 'v1a'] as const) {
      const pair = newKeyPair();
      const [signer, key] = kind === 'v1' ? [secret, secret] : [pair.privateKey, pair.publicKey];
      const verify = createVerifier([key]);
      const rejected: [string, (given: ReturnType<typeof signed>) => ReturnType<typeof signed>][] =
        [
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
          [
            'a message of six minutes ago',
            () => signed(event, [signer], { timestamp: now() - 360 }),
          ],
          [
            'a message of six minutes from now',
            () => signed(event, [signer], { timestamp: now() + 360 }),
          ],
          [
            'a signature by another key',
            () => signed(event, [kind === 'v1' ? newSecret() : newKeyPair().privateKey]),
          ],
        ];
      for (const [what, change] of rejected) {
        it(`accepts ${kind}, and rejects ${what}`, () => {
          const given = change(signed(event, [signer]));
          expect(() => verify(bytes(given.body), given.headers)).to.throw(WebhookVerificationError);
        });
      }
    }
    it('rejects unsuitable keys at the start', () => {
      expect(() => createVerifier([])).to.throw('Set at least one key');
      const { publicKey } = newKeyPair();
      for (const [key, message] of [
        [
          'sk_live',
          'Unknown key at position 2. Expected a secret (whsec_…) or a public key (whpk_…).',
        ],
        ['whsec_', 'The secret at position 2 is malformed. Copy it again.'],
        [publicKey.slice(0, -8), 'The public key at position 2 is malformed. Copy it again.'],
      ] as const) {
        expect(() => createVerifier([secret, key, publicKey])).to.throw(message);
      }
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
      const first = await runReceiver({ folder, keys: [secret], feed: empty });
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
      const stuck = await runReceiver({
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
});
