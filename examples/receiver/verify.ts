import { createPublicKey, type KeyObject, verify as verifyBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type Event, readEvent } from './event.ts';

/** A message with a valid signature. */
export interface Message {
  event: Event;
  /** Identifies a message across retries: the event's id and, for a replay, the replay's id. */
  key: string;
  replayId: string | null;
}

/** Thrown for a message without a valid signature. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified';
}

/** The tolerance for differing clocks. An older message may be a replay attack. */
const toleranceSeconds = 300;
/** The DER prefix of an Ed25519 public key (RFC 8410). */
const ed25519Der = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Returns a function that verifies messages. `keys` are secrets (`whsec_…`, for v1) and public keys
 * (`whpk_…`, for v1a). During a rotation, pass the old key and the new one.
 */
export function createVerifier(
  keys: readonly string[],
): (body: Buffer, headers: IncomingHttpHeaders) => Message {
  const secrets = keys.filter((key) => key.startsWith('whsec_')).map((key) => new Webhook(key));
  const publicKeys = keys.filter((key) => key.startsWith('whpk_')).map(publicKeyOf);
  if (secrets.length + publicKeys.length !== keys.length || keys.length === 0) {
    throw new Error('Set at least one key: a secret (whsec_…) or a public key (whpk_…).');
  }

  return (body, headers) => {
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    );
    const trusted =
      secrets.some((secret) => holds(() => secret.verify(body, given, { jsonParse: false }))) ||
      publicKeys.some((key) => holds(() => verifyV1a(key, body, given)));
    if (!trusted) {
      throw new NotVerified(
        'The signature is invalid, or the timestamp is more than 5 minutes off.',
      );
    }
    const event = readEvent(JSON.parse(body.toString('utf8')));
    // Both ids are signed, so they differ only if the sender has a bug.
    if (event.id !== given['webhook-id'])
      throw new NotVerified('The id in the body is not the one in the header.');
    const replayId = given['webhook-replay-id'] ?? null;
    return { event, replayId, key: replayId === null ? event.id : `${event.id} ${replayId}` };
  };
}

/** Verifies v1a (Ed25519), which the Standard Webhooks libraries do not support yet. */
function verifyV1a(key: KeyObject, body: Buffer, headers: Record<string, string>): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': list } = headers;
  if (!id || !timestamp || !list) throw new NotVerified('A header is missing.');
  const age = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds) {
    throw new NotVerified('The timestamp is more than 5 minutes off.');
  }
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const good = list
    .split(' ')
    .filter((entry) => entry.startsWith('v1a,'))
    .some((entry) => verifyBytes(null, signed, key, Buffer.from(entry.slice(4), 'base64')));
  if (!good) throw new NotVerified('No signature is valid.');
}

function publicKeyOf(text: string): KeyObject {
  const bytes = Buffer.from(text.slice('whpk_'.length), 'base64');
  return createPublicKey({
    key: Buffer.concat([ed25519Der, bytes]),
    format: 'der',
    type: 'spki',
  });
}

function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
