import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  signWebhook,
  verifyWebhook,
  WebhookVerificationError,
} from '../../packages/client/src/index.ts';
import { composeMessage } from '../../src/webhooks/message.ts';
import { newKeyPair, newSecret } from '../../src/webhooks/sign.ts';

const body = JSON.stringify({ id: 'evt_1', type: 'dam.object.trashed', data: { name: 'Ünï 🙂' } });
const at = 1_790_000_000;
const now = at * 1_000;

/** A message as the service sends it. */
function sent(secrets: string[], text = body) {
  const message = { eventId: 'evt_1', begunAt: new Date(), body: text, secrets };
  return composeMessage({ headers: {}, payload: 'full' }, message).headers;
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
  return 'none';
}

describe('verifyWebhook in the client', () => {
  it('accepts the service’s signatures, with v1 and v1a', async () => {
    const secret = newSecret();
    const pair = newKeyPair();
    const headers = sent([secret, pair.privateKey]);
    expect(headers['webhook-signature']).to.match(/^v1,\S+ v1a,\S+$/);
    for (const held of [secret, pair.publicKey]) {
      const event = await verifyWebhook(body, headers, held);
      expect(event).to.deep.equal(JSON.parse(body));
    }
    const bytes = new TextEncoder().encode(body);
    expect((await verifyWebhook(bytes, new Headers(headers), secret)).id).to.equal('evt_1');
  });

  it('agrees with the reference library on valid and on altered messages', async () => {
    for (let round = 0; round < 50; round += 1) {
      const secret = newSecret();
      const reference = new Webhook(secret);
      const text = JSON.stringify({
        id: 'evt_1',
        type: 'a',
        noise: randomBytes(round).toString('latin1'),
      });
      const ours = await signWebhook(text, secret, { id: 'evt_1' });
      expect(reference.verify(text, ours)).to.deep.equal(JSON.parse(text));
      const theirs = {
        ...ours,
        'webhook-signature': reference.sign(
          'evt_1',
          new Date(Number(ours['webhook-timestamp']) * 1_000),
          text,
        ),
      };
      expect(await verifyWebhook(text, theirs, secret)).to.deep.equal(JSON.parse(text));
      const changed = text.replace('evt_1', 'evt_2');
      expect(() => reference.verify(changed, theirs)).to.throw();
      expect(await faultOf(verifyWebhook(changed, theirs, secret))).to.equal('signature_mismatch');
    }
  });

  it('accepts any of several signatures and secrets during a rotation', async () => {
    const [old, next, other] = [newSecret(), newSecret(), newSecret()];
    const headers = sent([next, old]);
    for (const held of [old, next, [other, old], [next, other]]) {
      expect((await verifyWebhook(body, headers, held)).id).to.equal('evt_1');
    }
    expect(await faultOf(verifyWebhook(body, headers, other))).to.equal('signature_mismatch');
    expect(await faultOf(verifyWebhook(body, headers, []))).to.equal('signature_mismatch');
  });

  it('does not accept one kind of signature for the other', async () => {
    const secret = newSecret();
    const headers = sent([secret]);
    const renamed = {
      ...headers,
      'webhook-signature': headers['webhook-signature']!.replace('v1,', 'v1a,'),
    };
    expect(await faultOf(verifyWebhook(body, renamed, secret))).to.equal('signature_mismatch');
    const { publicKey } = newKeyPair();
    expect(await faultOf(verifyWebhook(body, renamed, publicKey))).to.equal('signature_mismatch');
  });

  it('reads headers in any case, and rejects missing or invalid ones', async () => {
    const secret = newSecret();
    const headers = sent([secret]);
    const loud = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect((await verifyWebhook(body, loud, secret)).id).to.equal('evt_1');
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const without = { ...headers, [name]: undefined };
      expect(await faultOf(verifyWebhook(body, without, secret))).to.equal('headers_missing');
    }
    for (const timestamp of ['soon', '1e9', '-1', '1.5', '']) {
      const fault = await faultOf(
        verifyWebhook(body, { ...headers, 'webhook-timestamp': timestamp }, secret),
      );
      expect(['timestamp_invalid', 'headers_missing']).to.include(fault);
    }
    for (const signature of ['v1', ',', 'v1,', 'v1,????', 'v2,AAAA', ' ', 'v1,AAAA v1,BBBB']) {
      const wrong = { ...headers, 'webhook-signature': signature };
      expect(await faultOf(verifyWebhook(body, wrong, secret))).to.equal('signature_mismatch');
    }
  });

  it('rejects messages more than five minutes off, or another tolerance', async () => {
    const secret = newSecret();
    const headers = await signWebhook(body, secret, { id: 'evt_1', timestamp: at });
    const verdict = (seconds: number, toleranceSeconds?: number) =>
      faultOf(
        verifyWebhook(body, headers, secret, {
          now: now + seconds * 1_000,
          ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
        }),
      );
    expect(await verdict(300)).to.equal('none');
    expect(await verdict(301)).to.equal('timestamp_too_old');
    expect(await verdict(-300)).to.equal('none');
    expect(await verdict(-301)).to.equal('timestamp_too_new');
    expect(await verdict(11, 10)).to.equal('timestamp_too_old');
  });

  it('rejects invalid secrets, and signed bodies that are not events', async () => {
    const headers = sent([newSecret()]);
    for (const secret of ['', 'abc', 'whsec_', 'whsec_AAAA', 'whpk_AAAA', 'whsec_!!!!']) {
      expect(await faultOf(verifyWebhook(body, headers, secret))).to.equal('secret_invalid');
    }
    const secret = newSecret();
    for (const text of ['', 'nonsense', '[]', 'null', '{"id": "evt_1"}']) {
      const signed = await signWebhook(text, secret, { id: 'evt_1' });
      expect(await faultOf(verifyWebhook(text, signed, secret))).to.equal('body_invalid');
    }
  });
});
