/**
 * Webhooks as the service signs them: Standard Webhooks 1.0, `v1` (HMAC-SHA256) and `v1a` (ed25519).
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import type { EventType, TypedEvent } from './resources/events.ts';

/** Seconds that clocks may differ, and a message may have been on its way. */
const toleranceSeconds = 300;

type Unpushed = 'published' | 'published_at' | 'address';
/** A fact as webhooks send it. `data` is missing where the endpoint asked for thin payloads. */
export type WebhookEvent<T extends EventType = EventType> = {
  [K in T]: Omit<TypedEvent<K>, Unpushed> & { timestamp: string };
}[T];

export type WebhookFault =
  | 'headers_missing'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'secret_invalid'
  | 'body_invalid';

/** A message that is not to be believed; answer it with 400 and do nothing. */
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
 * Verifies a webhook and gives its event.
 * @param body exactly as it came, before anything parsed it
 * @param headers of the request: Node's, those of fetch, or any record
 * @param secret what creating the webhook showed (`whsec_…`), one of its `public_keys` (`whpk_…`), or
 *   several of them while secrets are rotated: one that holds is enough
 * @param options.now milliseconds since 1970; the clock unless said
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: { toleranceSeconds?: number; now?: number } = {},
): Promise<WebhookEvent> {
  const id = read(headers, 'webhook-id');
  const timestamp = read(headers, 'webhook-timestamp');
  const signature = read(headers, 'webhook-signature');
  if (!id || !timestamp || !signature) {
    const message = 'webhook-id, webhook-timestamp and webhook-signature are all needed.';
    throw new WebhookVerificationError('headers_missing', message);
  }
  checkTime(timestamp, options);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const keys = secrets.map(readKey);
  const content = contentOf(id, timestamp, body);
  const given = signature.split(' ').map(readSignature);
  let holds = false;
  for (const key of keys) {
    for (const { version, bytes } of given) {
      // All of them, so that how long it takes tells nothing of which.
      if (version === key.version && (await key.verify(content, bytes))) holds = true;
    }
  }
  if (!holds) {
    const message = 'No signature holds: another secret, or a body that was changed on its way.';
    throw new WebhookVerificationError('signature_mismatch', message);
  }
  return parse(body);
}

/**
 * Signs a body as the service does, for tests of a receiver.
 * @param secret `whsec_…`
 * @param message.timestamp whole unix seconds
 * @returns the headers to send with it
 */
export async function signWebhook(
  body: string,
  secret: string,
  message: { id: string; timestamp?: number },
): Promise<Record<string, string>> {
  const timestamp = String(message.timestamp ?? Math.floor(Date.now() / 1_000));
  const key = await crypto.subtle.importKey('raw', readSecret(secret), hmac, false, ['sign']);
  const content = contentOf(message.id, timestamp, body);
  const made = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...made))}`,
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
  const raw = decode(secret.slice('whpk_'.length));
  if (raw?.byteLength !== 32) {
    const message = 'A public key is whpk_ and the base64 of 32 bytes.';
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
  const raw = secret.startsWith('whsec_') ? decode(secret.slice('whsec_'.length)) : null;
  if (!raw || raw.byteLength < 24 || raw.byteLength > 64) {
    const message = 'A secret is whsec_ and the base64 of 24 to 64 bytes.';
    throw new WebhookVerificationError('secret_invalid', message);
  }
  return raw;
}

function readSignature(entry: string) {
  const comma = entry.indexOf(',');
  return {
    version: entry.slice(0, Math.max(comma, 0)),
    bytes: decode(entry.slice(comma + 1)) ?? new Uint8Array(),
  };
}

function checkTime(timestamp: string, options: { toleranceSeconds?: number; now?: number }): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    const message = `webhook-timestamp must be whole unix seconds, not '${timestamp.slice(0, 40)}'.`;
    throw new WebhookVerificationError('timestamp_invalid', message);
  }
  const tolerance = options.toleranceSeconds ?? toleranceSeconds;
  const age = Math.floor((options.now ?? Date.now()) / 1_000) - Number(timestamp);
  if (Math.abs(age) <= tolerance) return;
  const old = age > 0;
  const message = `The message is ${Math.abs(age)} s ${old ? 'old' : 'ahead of the clock'}; ${tolerance} s are tolerated.`;
  throw new WebhookVerificationError(old ? 'timestamp_too_old' : 'timestamp_too_new', message);
}

function parse(body: string | Uint8Array): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new WebhookVerificationError('body_invalid', 'The body is signed, but it is not JSON.');
  }
  const isEvent = typeof event === 'object' && event !== null && 'id' in event && 'type' in event;
  if (!isEvent) throw new WebhookVerificationError('body_invalid', 'The body is not an event.');
  // Signed by the service, which holds every event against its schema when it is recorded.
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

/** The one value of a header, whatever the case of its name. */
function read(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? null);
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  if (base64 === '' || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return null;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
