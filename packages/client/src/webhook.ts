/**
 * Verifies and signs webhooks: Standard Webhooks 1.0, `v1` (HMAC-SHA256) and `v1a` (Ed25519).
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import type { EventType, TypedEvent } from './resources/events.ts';

/** The tolerance for clock skew and delay, in seconds. */
const defaultToleranceSeconds = 300;

type FeedOnlyField = 'published' | 'published_at' | 'address';
/** An event as sent to webhooks. Thin payloads have no `data`. */
export type WebhookEvent<T extends EventType = EventType> = {
  [K in T]: Omit<TypedEvent<K>, FeedOnlyField> & { timestamp: string };
}[T];

export type WebhookFault =
  | 'headers_missing'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'secret_invalid'
  | 'body_invalid';

/** A message that could not be verified. Respond with 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookFault;
  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/**
 * Verifies a webhook and returns its event.
 * @param body the raw body, before parsing
 * @param headers the request headers of Node or fetch, or any record
 * @param secret the secret (`whsec_…`), one of the `public_keys` (`whpk_…`), or several during a
 *   rotation: one match is enough
 * @param options.now milliseconds since 1970. Default: the current time
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: { toleranceSeconds?: number; now?: number } = {},
): Promise<WebhookEvent> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signature = readHeader(headers, 'webhook-signature');
  if (!id || !timestamp || !signature) {
    const message = 'The headers webhook-id, webhook-timestamp and webhook-signature are required.';
    throw new WebhookVerificationError('headers_missing', message);
  }
  checkTime(timestamp, options);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const keys = secrets.map(readKey);
  const content = contentOf(id, timestamp, body);
  const signatures = signature.split(' ').map(readSignature);
  let isVerified = false;
  for (const key of keys) {
    for (const { version, bytes } of signatures) {
      // Checks all signatures, so that the time does not reveal which one matched.
      if (version === key.version && (await key.verify(content, bytes))) isVerified = true;
    }
  }
  if (!isVerified) {
    const message = 'No signature matches. Check the secret, and that the body is unmodified.';
    throw new WebhookVerificationError('signature_mismatch', message);
  }
  return parseEvent(body);
}

/**
 * Signs a body like the service does, to test receivers.
 * @param secret `whsec_…`
 * @param message.timestamp whole Unix seconds. Default: now
 * @returns the headers of the message
 */
export async function signWebhook(
  body: string,
  secret: string,
  message: { id: string; timestamp?: number },
): Promise<Record<string, string>> {
  const timestamp = String(message.timestamp ?? Math.floor(Date.now() / 1_000));
  const key = await crypto.subtle.importKey('raw', readSecret(secret), hmac, false, ['sign']);
  const content = contentOf(message.id, timestamp, body);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

const hmac = { name: 'HMAC', hash: 'SHA-256' };

interface Key {
  version: 'v1' | 'v1a';
  verify(content: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>): Promise<boolean>;
}

function readKey(secret: string): Key {
  if (!secret.startsWith('whpk_')) {
    const raw = readSecret(secret);
    return {
      version: 'v1',
      async verify(content, signature) {
        const key = await crypto.subtle.importKey('raw', raw, hmac, false, ['verify']);
        // Compares in constant time.
        return crypto.subtle.verify('HMAC', key, signature, content);
      },
    };
  }
  const raw = decodeBase64(secret.slice('whpk_'.length));
  if (raw?.byteLength !== 32) {
    const message = 'A public key must be whpk_ and the base64 of 32 bytes.';
    throw new WebhookVerificationError('secret_invalid', message);
  }
  return {
    version: 'v1a',
    async verify(content, signature) {
      const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
      return crypto.subtle.verify('Ed25519', key, signature, content);
    },
  };
}

function readSecret(secret: string): Uint8Array<ArrayBuffer> {
  const raw = secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : null;
  if (!raw || raw.byteLength < 24 || raw.byteLength > 64) {
    const message = 'A secret must be whsec_ and the base64 of 24 to 64 bytes.';
    throw new WebhookVerificationError('secret_invalid', message);
  }
  return raw;
}

function readSignature(entry: string) {
  const comma = entry.indexOf(',');
  return {
    version: entry.slice(0, Math.max(comma, 0)),
    bytes: decodeBase64(entry.slice(comma + 1)) ?? new Uint8Array(),
  };
}

function checkTime(timestamp: string, options: { toleranceSeconds?: number; now?: number }): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    const message = `webhook-timestamp must be whole Unix seconds, but is '${timestamp.slice(0, 40)}'.`;
    throw new WebhookVerificationError('timestamp_invalid', message);
  }
  const tolerance = options.toleranceSeconds ?? defaultToleranceSeconds;
  const age = Math.floor((options.now ?? Date.now()) / 1_000) - Number(timestamp);
  if (Math.abs(age) <= tolerance) return;
  const isOld = age > 0;
  const message = `The message is ${Math.abs(age)} s ${isOld ? 'old' : 'ahead of the clock'}. The tolerance is ${tolerance} s.`;
  throw new WebhookVerificationError(isOld ? 'timestamp_too_old' : 'timestamp_too_new', message);
}

function parseEvent(body: string | Uint8Array): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new WebhookVerificationError('body_invalid', 'The body is not valid JSON.');
  }
  const isEvent = typeof event === 'object' && event !== null && 'id' in event && 'type' in event;
  if (!isEvent) throw new WebhookVerificationError('body_invalid', 'The body is not an event.');
  // Signed by the service, which validates every event against its schema.
  return event as WebhookEvent;
}

function contentOf(id: string, timestamp: string, body: string | Uint8Array) {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${timestamp}.`);
  const tail = typeof body === 'string' ? encoder.encode(body) : body;
  const content = new Uint8Array(head.byteLength + tail.byteLength);
  content.set(head);
  content.set(tail, head.byteLength);
  return content;
}

/** The value of a header; the case of its name is ignored. */
function readHeader(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? null);
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  if (base64 === '' || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return null;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
