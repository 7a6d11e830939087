import { createPublicKey, type KeyObject, verify as verifyBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type Event, readEvent } from './event.ts';

/** A message that is what it says it is. */
export interface Message {
  event: Event;
  /** What never comes twice but by retrying: the webhook's id, and the replay's where it is one. */
  key: string;
  replayId: string | null;
}

/** A message that must not be believed. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified';
}

/** The tolerance for differing clocks. An older message may be a replay attack. */
const toleranceSeconds = 300;
/** What comes before the 32 bytes of an ed25519 key in DER (RFC 8410). */
const ed25519Der = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Makes the check. `keys` are secrets (`whsec_…`, for v1) and public keys (`whpk_…`, for v1a): all
 * that are good now, so that a rotation needs no pause.
 */
export function createVerifier(
  keys: readonly string[],
): (body: Buffer, headers: IncomingHttpHeaders) => Message {
  const secrets = keys.filter((key) => key.startsWith('whsec_')).map((key) => new Webhook(key));
  const publicKeys = keys.filter((key) => key.startsWith('whpk_')).map(publicKeyOf);
  if (secrets.length + publicKeys.length !== keys.length || keys.length === 0) {
    throw new Error('Keys are secrets (whsec_…) or public keys (whpk_…), at least one of them.');
  }

  return (body, headers) => {
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    );
    const trusted =
      secrets.some((secret) => holds(() => secret.verify(body, given, { jsonParse: false }))) ||
      publicKeys.some((key) => holds(() => verifyV1a(key, body, given)));
    if (!trusted) {
      throw new NotVerified('The signature does not hold, or the message is not of these minutes.');
    }
    const event = readEvent(JSON.parse(body.toString('utf8')));
    // The header's id is signed and so is the body: they can only differ by a mistake of ours.
    if (event.id !== given['webhook-id']) throw new NotVerified('The ids differ.');
    const replayId = given['webhook-replay-id'] ?? null;
    return { event, replayId, key: replayId === null ? event.id : `${event.id} ${replayId}` };
  };
}

/** v1a, ed25519: the Standard Webhooks libraries do not have it yet, so this is all of it. */
function verifyV1a(key: KeyObject, body: Buffer, headers: Record<string, string>): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': list } = headers;
  if (!id || !timestamp || !list) throw new NotVerified('A header is missing.');
  const age = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds) {
    throw new NotVerified('The message is too old, or of the future.');
  }
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const good = list
    .split(' ')
    .filter((entry) => entry.startsWith('v1a,'))
    .some((entry) => verifyBytes(null, signed, key, Buffer.from(entry.slice(4), 'base64')));
  if (!good) throw new NotVerified('No signature holds.');
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
