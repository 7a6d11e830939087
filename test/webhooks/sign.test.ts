import { createPublicKey, verify as verifyBytes } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  newKeyPair,
  newSecret,
  parseSecret,
  parseVerifyingKey,
  SigningError,
  sign,
  signedHeaders,
  verify,
} from '../../src/webhooks/sign.ts';

// The public test vectors: the reference libraries' own, and Svix's ed25519 one.
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const timestamp = 1614265330;
const body = '{"test": 2432232314}';
const hmacSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const hmacSignature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const edSecret =
  'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
const edPublic = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';
const edSignature =
  'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==';

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof SigningError) return error.code;
    throw error;
  }
  return 'nothing thrown';
}

describe('webhook signatures', () => {
  describe('of the public vectors', () => {
    it('match the HMAC vector', () => {
      expect(sign({ id, timestamp, body, secrets: [hmacSecret] })).to.equal(hmacSignature);
    });
    it('match the ed25519 vector, with the whole key or only the seed', () => {
      const seed = `whsk_${Buffer.from(edSecret.slice(5), 'base64').subarray(0, 32).toString('base64')}`;
      expect(sign({ id, timestamp, body, secrets: [edSecret] })).to.equal(edSignature);
      expect(sign({ id, timestamp, body, secrets: [seed] })).to.equal(edSignature);
      expect(parseSecret(edSecret)).to.include({ kind: 'ed25519', publicKey: edPublic });
    });
    it('are combined in one header in the order of the secrets', () => {
      const value = sign({ id, timestamp, body, secrets: [hmacSecret, edSecret] });
      expect(value).to.equal(`${hmacSignature} ${edSignature}`);
    });
    it('are the same for bytes and for a string of these bytes', () => {
      const secrets = [hmacSecret];
      const text = '{"name":"Zoë 文字"}';
      expect(sign({ id, timestamp, body: Buffer.from(text), secrets })).to.equal(
        sign({ id, timestamp, body: text, secrets }),
      );
    });
  });

  describe('verified by the standardwebhooks package', () => {
    const now = () => Math.floor(Date.now() / 1000);

    it('are accepted with the old and the new secret, and with v1a next to v1', () => {
      const [older, newer] = [newSecret(), newSecret()];
      const sent = signedHeaders({
        id: 'evt_1',
        timestamp: now(),
        body: '{"ok":true,"text":"ü"}',
        secrets: [newer, older, newKeyPair().privateKey],
      });
      for (const secret of [older, newer]) {
        expect(new Webhook(secret).verify('{"ok":true,"text":"ü"}', sent)).to.deep.equal({
          ok: true,
          text: 'ü',
        });
      }
    });
    it('are rejected with another secret, body, ID or time', () => {
      const secret = newSecret();
      const sent = signedHeaders({
        id: 'evt_1',
        timestamp: now(),
        body: '{"a":1}',
        secrets: [secret],
      });
      const hook = new Webhook(secret);
      expect(() => new Webhook(newSecret()).verify('{"a":1}', sent)).to.throw('No matching');
      expect(() => hook.verify('{"a":2}', sent)).to.throw('No matching');
      expect(() => hook.verify('{"a":1}', { ...sent, 'webhook-id': 'evt_2' })).to.throw(
        'No matching',
      );
      const later = String(now() - 10);
      expect(() => hook.verify('{"a":1}', { ...sent, 'webhook-timestamp': later })).to.throw(
        'No matching',
      );
    });
    it('are accepted for an empty body', () => {
      const secret = newSecret();
      const sent = signedHeaders({ id: 'evt_1', timestamp: now(), body: '', secrets: [secret] });
      expect(new Webhook(secret).verify('', sent)).to.equal(undefined);
    });
  });

  describe('as headers', () => {
    it('are three headers, plus one for a replay', () => {
      const plain = signedHeaders({ id, timestamp, body, secrets: [hmacSecret] });
      expect(plain).to.deep.equal({
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': '1614265330',
        'webhook-signature': hmacSignature,
      });
      const replayed = signedHeaders({
        id,
        timestamp,
        body,
        secrets: [hmacSecret],
        replayId: 'rpl_1',
      });
      expect(replayed).to.deep.equal({ ...plain, 'webhook-replay-id': 'rpl_1' });
    });
  });

  describe('with secrets', () => {
    it('use generated secrets of 32 bytes that never repeat', () => {
      const made = new Set(Array.from({ length: 50 }, newSecret));
      expect(made.size).to.equal(50);
      for (const secret of made) {
        const parsed = parseSecret(secret);
        expect(parsed.kind === 'hmac' && parsed.key.length).to.equal(32);
      }
    });
    it('use ed25519 key pairs that Node can verify', () => {
      const pair = newKeyPair();
      const value = sign({ id, timestamp, body, secrets: [pair.privateKey] });
      const raw = Buffer.from(pair.publicKey.slice('whpk_'.length), 'base64');
      const publicKey = createPublicKey({
        key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
        format: 'jwk',
      });
      const content = Buffer.from(`${id}.${timestamp}.${body}`);
      const given = Buffer.from(value.slice('v1a,'.length), 'base64');
      expect(verifyBytes(null, content, publicKey, given)).to.equal(true);
    });

    const of = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');
    const rejected: [string, string, string][] = [
      ['no prefix', of(32), 'secret_prefix_unknown'],
      ['an empty string', '', 'secret_prefix_unknown'],
      ['a public key', edPublic, 'secret_prefix_unknown'],
      ['a prefix alone', 'whsec_', 'secret_not_base64'],
      ['characters outside base64', `whsec_${'*'.repeat(44)}`, 'secret_not_base64'],
      ['base64url', 'whsec_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_', 'secret_not_base64'],
      [
        'white space inside',
        `whsec_${of(24).slice(0, 16)}    ${of(24).slice(20)}`,
        'secret_not_base64',
      ],
      ['missing padding', `whsec_${of(32).replace('=', '')}`, 'secret_not_base64'],
      ['23 bytes', `whsec_${of(23)}`, 'secret_length_invalid'],
      ['65 bytes', `whsec_${of(65)}`, 'secret_length_invalid'],
      ['a private key of 33 bytes', `whsk_${of(33)}`, 'secret_length_invalid'],
      ['a private key with another public half', `whsk_${of(64)}`, 'secret_key_mismatch'],
    ];
    for (const [what, secret, code] of rejected) {
      it(`reject ${what} with ${code}`, () => {
        expect(codeOf(() => parseSecret(secret))).to.equal(code);
      });
    }
    it('accept secrets of 24 and 64 bytes', () => {
      expect(parseSecret(`whsec_${of(24)}`).kind).to.equal('hmac');
      expect(parseSecret(`whsec_${of(64)}`).kind).to.equal('hmac');
    });
    it('never repeat the secret in the error', () => {
      const secret = `whsec_${of(23)}`;
      expect(() => parseSecret(secret))
        .to.throw(SigningError)
        .with.property('message')
        .that.does.not.include(of(23));
    });
  });

  describe('of invalid messages', () => {
    const secrets = [hmacSecret];
    it('reject IDs that are empty or contain a dot or a space', () => {
      for (const bad of ['', 'a.b', 'a b', 'a\n', 'ü', 'x'.repeat(257)]) {
        expect(
          codeOf(() => sign({ id: bad, timestamp, body, secrets })),
          bad,
        ).to.equal('message_id_invalid');
      }
    });
    it('reject times that are not whole seconds', () => {
      for (const bad of [Number.NaN, 1.5, -1, 0, Number.POSITIVE_INFINITY]) {
        expect(
          codeOf(() => sign({ id, timestamp: bad, body, secrets })),
          String(bad),
        ).to.equal('timestamp_invalid');
      }
    });
    it('require at least one secret', () => {
      expect(codeOf(() => sign({ id, timestamp, body, secrets: [] }))).to.equal('secret_missing');
    });
  });

  describe('in `verify`', () => {
    const keys = [parseVerifyingKey(hmacSecret), parseVerifyingKey(edPublic)];
    const good = { id, timestamp: String(timestamp), body, signature: hmacSignature };
    const now = timestamp;

    it('are accepted as v1, as v1a, and if one of several is valid', () => {
      expect(verify(good, { keys, now })).to.equal(true);
      expect(verify({ ...good, signature: edSignature }, { keys, now })).to.equal(true);
      const mixed = `v1,${Buffer.alloc(32).toString('base64')} v2,x ${hmacSignature}`;
      expect(verify({ ...good, signature: mixed }, { keys, now })).to.equal(true);
    });
    it('tolerate a clock difference of five minutes and no more', () => {
      expect(verify(good, { keys, now: now + 300 })).to.equal(true);
      expect(verify(good, { keys, now: now - 300 })).to.equal(true);
      expect(verify(good, { keys, now: now + 301 })).to.equal(false);
      expect(verify(good, { keys, now: now - 301 })).to.equal(false);
    });
    const bad: [string, Partial<typeof good>][] = [
      ['no signature', { signature: '' }],
      ['a truncated signature', { signature: 'v1,' }],
      ['the bare base64', { signature: hmacSignature.slice(3) }],
      ['the wrong version', { signature: hmacSignature.replace('v1,', 'v1a,') }],
      ['an ed25519 signature called v1', { signature: edSignature.replace('v1a,', 'v1,') }],
      ['no id', { id: '' }],
      ['another id', { id: 'msg_other' }],
      ['no time', { timestamp: '' }],
      ['another time within the tolerance', { timestamp: String(timestamp + 1) }],
      ['a time that is not a number', { timestamp: 'NaN' }],
      ['a time with a sign', { timestamp: `+${timestamp}` }],
      ['another body', { body: '{"test": 2432232315}' }],
    ];
    for (const [what, change] of bad) {
      it(`are rejected with ${what}`, () => {
        expect(verify({ ...good, ...change }, { keys, now })).to.equal(false);
      });
    }
  });
});
