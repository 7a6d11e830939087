import { createPublicKey, verify as verifyBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type Event, readEvent } from './event.ts';

/** A message with a valid signature. */
export interface Message {
  event: Event;
  /**
   * Identifies a message across retries: the event's id and, for a replay, the replay's id. The
   * replay's id is not signed, so within five minutes, a captured message can be sent again under
   * another key.
   */
  key: string;
  replayId: string | null;
}

/** Thrown for a message without a valid signature. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** The tolerance for differing clocks. An older message may be a replay attack. */
const toleranceSeconds = 300;
/** The DER prefix of an Ed25519 public key (RFC 8410). */
const ed25519Der = Buffer.from('302a300506032b6570032100', 'hex');
const ed25519KeyBytes = 32;

/** Returns whether a message has a valid signature by the key. */
type SignatureCheck = (body: Buffer, headers: Record<string, string>) => boolean;

/**
 * Returns a function that verifies messages. `keys` are secrets (`whsec_…`, for v1) and public keys
 * (`whpk_…`, for v1a). During a rotation, pass the old key and the new one.
 */
export function createVerifier(
  keys: readonly string[],
): (body: Buffer, headers: IncomingHttpHeaders) => Message {
  if (keys.length === 0) {
    throw new Error('Set at least one key: a secret (whsec_…) or a public key (whpk_…).');
  }
  const checks = keys.map((key, index) => readKey(key, index + 1));

  return (body, headers) => {
    const headerValues: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) headerValues[name] = String(value);
    }
    if (!checks.some((isVerified) => isVerified(body, headerValues))) {
      throw new WebhookVerificationError(
        'The signature is invalid, or the timestamp is more than 5 minutes off.',
      );
    }
    const event = readEvent(JSON.parse(body.toString('utf8')));
    // Both ids are signed, so they differ only if the sender has a bug.
    if (event.id !== headerValues['webhook-id'])
      throw new WebhookVerificationError('The id in the body is not the one in the header.');
    const replayId = headerValues['webhook-replay-id'] ?? null;
    return { event, replayId, key: replayId === null ? event.id : `${event.id} ${replayId}` };
  };
}

/** @throws Error that names the position of the key, never the key, which may be a secret */
function readKey(key: string, position: number): SignatureCheck {
  if (key.startsWith('whsec_')) return v1Check(key, position);
  if (key.startsWith('whpk_')) return v1aCheck(key, position);
  throw new Error(
    `Unknown key at position ${position}. Expected a secret (whsec_…) or a public key (whpk_…).`,
  );
}

function v1Check(secret: string, position: number): SignatureCheck {
  // With an empty secret, anyone could sign.
  if (!/^whsec_[A-Za-z\d+/]{32,}={0,2}$/.test(secret)) {
    throw new Error(`The secret at position ${position} is malformed. Copy it again.`);
  }
  const webhook = new Webhook(secret);
  return (body, headers) => {
    try {
      webhook.verify(body, headers, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  };
}

/** Checks v1a (Ed25519), which the Standard Webhooks libraries do not support yet. */
function v1aCheck(text: string, position: number): SignatureCheck {
  const bytes = Buffer.from(text.slice('whpk_'.length), 'base64');
  if (bytes.length !== ed25519KeyBytes) {
    throw new Error(`The public key at position ${position} is malformed. Copy it again.`);
  }
  const key = createPublicKey({
    key: Buffer.concat([ed25519Der, bytes]),
    format: 'der',
    type: 'spki',
  });
  return (body, headers) => {
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures,
    } = headers;
    if (!id || !timestamp || !signatures || !/^\d+$/.test(timestamp)) return false;
    if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
    return signatures
      .split(' ')
      .filter((entry) => entry.startsWith('v1a,'))
      .some((entry) => verifyBytes(null, signed, key, Buffer.from(entry.slice(4), 'base64')));
  };
}
