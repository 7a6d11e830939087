import { createPublicKey, verify } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { SealedSecret } from '../../../src/entities/webhooks/webhook-endpoint.ts';
import { newKeyPair, newSecret, parseSecret } from '../../../src/webhooks/sign.ts';
import { type ApiResponse, type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../../support/receiver.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';

const edSecret =
  'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
const edPublic = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';

describe('webhook secrets', () => {
  let api: TestApi;
  let relay: TestRelay;
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
    api = await startApi();
    relay = await openRelay(api);
  });
  beforeEach(async () => {
    receiver.requests.length = 0;
    await api.rows('DELETE FROM webhook_endpoint');
    await api.rows('DELETE FROM event');
  });
  after(async () => {
    await relay.close();
    await api.close();
    await receiver.close();
  });

  const create = (body: object = {}, options: CallOptions = {}) =>
    api.call('POST', '/v1/webhooks', {
      body: { url: receiver.url, event_types: ['dam.*'], ...body },
      ...options,
    });
  const patch = (id: string, body: object) =>
    api.call('PATCH', `/v1/webhooks/${id}`, { body, headers: { 'if-match': '*' } });
  const rotate = (id: string, body?: object, options: CallOptions = {}) =>
    api.call('POST', `/v1/webhooks/${id}/rotate-secret`, { body, ...options });
  const show = async (id: string) => (await api.call('GET', `/v1/webhooks/${id}`)).json;
  const codes = (answer: ApiResponse): string[] =>
    answer.json.errors.map((fault: { pointer: string; code: string }) =>
      [fault.pointer, fault.code].join(' '),
    );
  /** What a message to the endpoint looks like now. */
  const sent = async (id: string): Promise<ReceivedRequest> => {
    const { json } = await api.call('POST', `/v1/webhooks/${id}/test`);
    expect(json.outcome).to.equal('succeeded');
    return receiver.requestsOf(json.request.headers['webhook-id'])[0]!;
  };
  const kinds = ({ headers }: ReceivedRequest): string[] =>
    headers['webhook-signature']!.split(' ').map((entry) => entry.split(',')[0]!);
  const stored = async (id: string): Promise<SealedSecret[]> => {
    const [row] = await api.rows<{ secrets: SealedSecret[] }>(
      'SELECT secrets FROM webhook_endpoint WHERE id = $1',
      [id],
    );
    return row!.secrets;
  };
  const store = (id: string, secrets: SealedSecret[]) =>
    api.rows('UPDATE webhook_endpoint SET secrets = $2 WHERE id = $1', [
      id,
      JSON.stringify(secrets),
    ]);
  const now = async (): Promise<number> =>
    (await api.rows<{ now: Date }>('SELECT now()'))[0]!.now.getTime();
  const events = async (): Promise<[string, unknown][]> => {
    await relay.run();
    const { json } = await api.call('GET', '/v1/events?category=audit&type=webhooks.endpoint.*');
    return json.data
      .filter(({ type }: { type: string }) => !type.endsWith('.tested'))
      .map((event: { type: string; data: unknown }) => [event.type.split('.')[2], event.data]);
  };

  /** Whether the reference library finds a signature of this secret. */
  const holds = ({ body, headers }: ReceivedRequest, secret: string): boolean => {
    try {
      new Webhook(secret).verify(body.toString('utf8'), headers);
      return true;
    } catch {
      return false;
    }
  };
  /** Whether an entry verifies with a public key, using Node alone. */
  const holdsPublicly = ({ body, headers }: ReceivedRequest, key: string): boolean => {
    const x = Buffer.from(key.slice('whpk_'.length), 'base64').toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    return headers['webhook-signature']!.split(' ').some((entry) => {
      const [version, signature = ''] = entry.split(',');
      return (
        version === 'v1a' &&
        verify(null, Buffer.from(content), publicKey, Buffer.from(signature, 'base64'))
      );
    });
  };

  describe('by kind of signature', () => {
    it('are HMAC by default', async () => {
      const { json } = await create();
      expect(json.signing).to.deep.equal(['v1']);
      const message = await sent(json.id);
      expect(kinds(message)).to.deep.equal(['v1']);
      expect(holds(message, json.secret)).to.equal(true);
      expect(holds(message, newSecret())).to.equal(false);
    });

    it('are an ed25519 key pair without a secret if only that is requested', async () => {
      const made = await create({ signing: ['v1a'] });
      expect(made.json).to.deep.include({ signing: ['v1a'], secret: null });
      expect(made.json.public_keys).to.have.length(1);
      expect(made.json.public_keys[0]).to.match(/^whpk_[A-Za-z0-9+/]{43}=$/);
      expect(made.text).to.not.include('whsk_');
      const message = await sent(made.json.id);
      expect(kinds(message)).to.deep.equal(['v1a']);
      expect(holdsPublicly(message, made.json.public_keys[0])).to.equal(true);
      expect(holdsPublicly(message, newKeyPair().publicKey)).to.equal(false);
    });

    it('are of both kinds in a fixed order, however requested', async () => {
      const { json } = await create({ signing: ['v1a', 'v1'] });
      expect(json.signing).to.deep.equal(['v1', 'v1a']);
      const message = await sent(json.id);
      expect(kinds(message)).to.deep.equal(['v1', 'v1a']);
      expect(holds(message, json.secret)).to.equal(true);
      expect(holdsPublicly(message, json.public_keys[0])).to.equal(true);
      const [first, second] = await Promise.all([create({ signing: ['v1a'] }), show(json.id)]);
      expect(first.json.public_keys).to.not.deep.equal(second.public_keys);
      expect(second.secret).to.equal(undefined);
    });

    it('are added when a kind is added, and end when it is removed', async () => {
      const { json } = await create({ secret: receiver.secret });
      const both = await patch(json.id, { signing: ['v1a', 'v1'] });
      expect(both.json.signing).to.deep.equal(['v1', 'v1a']);
      expect([both.text.includes('whsec_'), both.text.includes('whsk_')]).to.deep.equal([
        false,
        false,
      ]);
      const message = await sent(json.id);
      expect(message.verified).to.equal(true);
      expect(holdsPublicly(message, both.json.public_keys[0])).to.equal(true);

      const one = await patch(json.id, { signing: ['v1a'] });
      expect(one.json.public_keys).to.deep.equal(both.json.public_keys);
      expect(kinds(await sent(json.id))).to.deep.equal(['v1a']);

      const back = await patch(json.id, { signing: ['v1'] });
      expect(back.json.public_keys).to.deep.equal([]);
      const after = await sent(json.id);
      expect([kinds(after), after.verified]).to.deep.equal([['v1'], false]);
      const shown = await rotate(json.id, { overlap_seconds: 0 });
      expect(holds(await sent(json.id), shown.json.secret)).to.equal(true);

      expect((await patch(json.id, { signing: ['v1'] })).json.version).to.equal(5);
      expect(await events()).to.deep.equal([
        ['created', { event_types: ['dam.*'], state: 'enabled' }],
        ['updated', { changed: ['signing'] }],
        ['updated', { changed: ['signing'] }],
        ['updated', { changed: ['signing'] }],
        ['secret_rotated', { overlap_seconds: 0 }],
      ]);
    });

    it('may be a given private key, whose public key is returned', async () => {
      const made = await create({ signing: ['v1', 'v1a'], secret: edSecret });
      expect(made.json.public_keys).to.deep.equal([edPublic]);
      expect(made.json.secret).to.match(/^whsec_/);
      expect(made.text).to.not.include(edSecret);
      const message = await sent(made.json.id);
      expect([holds(message, made.json.secret), holdsPublicly(message, edPublic)]).to.deep.equal([
        true,
        true,
      ]);
      const seed = Buffer.from(edSecret.slice(5), 'base64').subarray(0, 32).toString('base64');
      const again = await create({ signing: ['v1a'], secret: `whsk_${seed}` });
      expect(again.json).to.deep.include({ public_keys: [edPublic], secret: null });
    });

    it('are rejected if unsuitable', async () => {
      const wrongHalf = `whsk_${Buffer.alloc(64, 7).toString('base64')}`;
      for (const [body, code] of [
        [{ secret: edSecret }, 'secret_not_wanted'],
        [{ secret: newSecret(), signing: ['v1a'] }, 'secret_not_wanted'],
        [{ secret: edPublic, signing: ['v1a'] }, 'secret_prefix_unknown'],
        [{ secret: wrongHalf, signing: ['v1a'] }, 'secret_key_mismatch'],
        [{ secret: 'whsec_AAAA' }, 'secret_length_invalid'],
        [{ secret: 'whsec_%%%%' }, 'secret_not_base64'],
        [{ secret: '' }, 'secret_prefix_unknown'],
      ] as const) {
        const answer = await create(body);
        expect([answer.status, codes(answer)]).to.deep.equal([422, [`/secret ${code}`]]);
        if (body.secret !== '') expect(answer.text).to.not.include(body.secret.slice(5));
      }
    });
  });

  describe('on rotation', () => {
    it('sign with the new and the old secret for a day, and show the new one once', async () => {
      const { json } = await create({ signing: ['v1', 'v1a'] });
      const before = await now();
      const rotated = await rotate(json.id);
      const after = await now();
      expect([rotated.status, rotated.headers.get('etag')]).to.deep.equal([200, '"2"']);
      expect(rotated.json.secret)
        .to.match(/^whsec_/)
        .and.to.not.equal(json.secret);
      expect(rotated.json.public_keys).to.have.length(2);
      expect(rotated.json.public_keys[1]).to.equal(json.public_keys[0]);
      const { secret, ...rest } = rotated.json;
      expect(await show(json.id)).to.deep.equal(rest);

      const message = await sent(json.id);
      expect(kinds(message)).to.deep.equal(['v1', 'v1', 'v1a', 'v1a']);
      for (const each of [secret, json.secret]) expect(holds(message, each)).to.equal(true);
      for (const key of rest.public_keys) expect(holdsPublicly(message, key)).to.equal(true);
      // The newest comes first.
      const first = message.headers['webhook-signature']!.split(' ')[0]!;
      expect(
        holds({ ...message, headers: { ...message.headers, 'webhook-signature': first } }, secret),
      ).to.equal(true);

      const kept = await stored(json.id);
      expect(kept.map(({ expires_at: end }) => end === null)).to.deep.equal([
        true,
        false,
        true,
        false,
      ]);
      const end = Date.parse(kept[1]!.expires_at!) - 86_400_000;
      expect(end).to.be.within(before, after);
      expect(JSON.stringify(kept)).to.not.include('whsec_').and.not.include('whsk_');
      expect((await events()).at(-1)).to.deep.equal([
        'secret_rotated',
        { overlap_seconds: 86_400 },
      ]);
    });

    it('end the old ones at once without an overlap', async () => {
      const { json } = await create({ signing: ['v1', 'v1a'] });
      await rotate(json.id);
      const rotated = await rotate(json.id, { overlap_seconds: 0 });
      expect(rotated.json.public_keys).to.have.length(1);
      const message = await sent(json.id);
      expect(kinds(message)).to.deep.equal(['v1', 'v1a']);
      expect([holds(message, rotated.json.secret), holds(message, json.secret)]).to.deep.equal([
        true,
        false,
      ]);
      expect(await stored(json.id)).to.have.length(2);
    });

    it('never extend the life of an old secret', async () => {
      const { json } = await create();
      await rotate(json.id, { overlap_seconds: 60 });
      const [, old] = await stored(json.id);
      await rotate(json.id, { overlap_seconds: 604_800 });
      const [newest, second, third] = await stored(json.id);
      expect(newest!.expires_at).to.equal(null);
      expect(third).to.deep.equal(old);
      expect(Date.parse(second!.expires_at!)).to.be.greaterThan(Date.parse(old!.expires_at!));
      await rotate(json.id, { overlap_seconds: 10 });
      const ends = (await stored(json.id)).slice(1).map(({ expires_at: end }) => Date.parse(end!));
      expect(Math.max(...ends)).to.be.lessThan(Date.parse(old!.expires_at!));
    });

    it('stop signing with expired ones, which are deleted at the next change', async () => {
      const { json } = await create({ signing: ['v1', 'v1a'] });
      const rotated = await rotate(json.id);
      const past = new Date((await now()) - 1_000).toISOString();
      const expired = (await stored(json.id)).map((secret) => ({
        ...secret,
        expires_at: secret.expires_at && past,
      }));
      await store(json.id, expired);
      expect((await show(json.id)).public_keys).to.deep.equal([rotated.json.public_keys[0]]);
      expect(kinds(await sent(json.id))).to.deep.equal(['v1', 'v1a']);
      expect(await stored(json.id)).to.have.length(4);
      await patch(json.id, { description: 'changed' });
      expect(await stored(json.id)).to.have.length(2);
      await store(json.id, expired);
      await rotate(json.id);
      expect(await stored(json.id)).to.have.length(4);
    });

    it('are limited to the ten newest of a kind', async () => {
      const { json } = await create({ signing: ['v1', 'v1a'] });
      const secrets = [json.secret];
      for (let time = 0; time < 12; time++) secrets.push((await rotate(json.id)).json.secret);
      expect(await stored(json.id)).to.have.length(20);
      const message = await sent(json.id);
      expect(secrets.map((secret) => holds(message, secret))).to.deep.equal([
        ...Array(3).fill(false),
        ...Array(10).fill(true),
      ]);
      expect((await show(json.id)).public_keys).to.have.length(10);
    });

    it('may be given by the client', async () => {
      const { json } = await create({ signing: ['v1', 'v1a'] });
      const own = newSecret();
      const first = await rotate(json.id, { secret: own });
      expect(first.json.secret).to.equal(own);
      const second = await rotate(json.id, { secret: edSecret, overlap_seconds: 1 });
      expect(second.json.public_keys[0]).to.equal(edPublic);
      expect(second.json.secret).to.not.equal(own);
      const wrong = await rotate(json.id, { secret: 'whsec_short' });
      expect([wrong.status, codes(wrong)]).to.deep.equal([422, ['/secret secret_not_base64']]);
      for (const body of [
        { overlap_seconds: -1 },
        { overlap_seconds: 604_801 },
        { overlap_seconds: 1.5 },
        { overlap_seconds: null },
      ]) {
        const answer = await rotate(json.id, body);
        expect([answer.status, codes(answer)[0]!.split(' ')[0]]).to.deep.equal([
          422,
          '/overlap_seconds',
        ]);
      }
      expect((await show(json.id)).version).to.equal(3);
    });

    it('rotate once for one Idempotency-Key, with a sealed stored response', async () => {
      const { json } = await create();
      const headers = { 'idempotency-key': 'rotate' };
      const first = await rotate(json.id, {}, { headers });
      const again = await rotate(json.id, {}, { headers });
      expect(again.text).to.equal(first.text);
      expect(parseSecret(again.json.secret).kind).to.equal('hmac');
      expect(await stored(json.id)).to.have.length(2);
      const rows = await api.rows<{ body: string }>(
        `SELECT body FROM idempotency WHERE value = 'rotate'`,
      );
      expect(rows.map(({ body }) => body.includes('whsec_'))).to.deep.equal([false]);
    });

    it('honour If-Match, scopes and tenant isolation', async () => {
      const { json } = await create();
      const stale = await rotate(json.id, {}, { headers: { 'if-match': '"9"' } });
      expect(stale.status).to.equal(412);
      const reader = await api.issue(['webhooks:read']);
      expect((await rotate(json.id, {}, reader)).json.code).to.equal('insufficient_scope');
      expect((await rotate(json.id, {}, api.other)).status).to.equal(404);
      expect(await stored(json.id)).to.have.length(1);
    });
  });
});
