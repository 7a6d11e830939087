/**
 * Webhook signatures according to Standard Webhooks 1.0.0: `v1` (HMAC-SHA256) and `v1a` (ed25519).
 * Pure: keys, time and bytes are arguments.
 */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
  timingSafeEqual,
  verify as verifyBytes,
} from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const PRIVATE_PREFIX = 'whsk_';
const PUBLIC_PREFIX = 'whpk_';
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
/** Seconds of clock skew that the reference libraries tolerate, either way. */
const TOLERANCE_SECONDS = 300;

type SigningErrorCode =
  | 'secret_prefix_unknown'
  | 'secret_not_base64'
  | 'secret_length_invalid'
  | 'secret_key_mismatch'
  | 'secret_missing'
  | 'message_id_invalid'
  | 'timestamp_invalid';

/** A secret or message cannot be used for signing. The message never contains the secret. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
  readonly code: SigningErrorCode;
  constructor(code: SigningErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A parsed secret. Parse it once when signing many messages. */
export type SigningKey =
  | { kind: 'hmac'; key: Buffer }
  | { kind: 'ed25519'; privateKey: KeyObject; publicKey: string };

/** The key of the receiver: the same HMAC secret, or the public key of an ed25519 pair. */
type VerifyingKey = { kind: 'hmac'; key: Buffer } | { kind: 'ed25519'; publicKey: KeyObject };

/**
 * The signed content: the event's id, the attempt's time in whole Unix seconds, and the bytes sent.
 */
interface SignedMessage {
  id: string;
  timestamp: number;
  body: string | Uint8Array;
}

/** Creates an HMAC secret: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64');
}

/** Creates an ed25519 key pair: `whsk_` (private: seed and public key, 64 bytes) and `whpk_` (public). */
export function newKeyPair(): { privateKey: string; publicKey: string } {
  const pair = generateKeyPairSync('ed25519');
  const seed = rawKey(pair.privateKey.export({ format: 'jwk' }).d);
  const pub = rawKey(pair.publicKey.export({ format: 'jwk' }).x);
  return {
    privateKey: PRIVATE_PREFIX + Buffer.concat([seed, pub]).toString('base64'),
    publicKey: PUBLIC_PREFIX + pub.toString('base64'),
  };
}

/**
 * Reads a `whsec_` secret (24 to 64 bytes) or a `whsk_` private key (32 bytes of seed, or the seed
 * followed by its public key).
 * @throws SigningError `secret_prefix_unknown`, `secret_not_base64`, `secret_length_invalid`,
 *   `secret_key_mismatch`
 */
export function parseSecret(secret: string): SigningKey {
  if (secret.startsWith(SECRET_PREFIX)) {
    const key = decodeBase64(secret.slice(SECRET_PREFIX.length), SECRET_PREFIX);
    if (key.length < MIN_SECRET_BYTES || key.length > MAX_SECRET_BYTES) {
      throw new SigningError(
        'secret_length_invalid',
        `The secret has ${key.length} bytes; it must have ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES}.`,
      );
    }
    return { kind: 'hmac', key };
  }
  if (secret.startsWith(PRIVATE_PREFIX)) {
    return parsePrivateKey(decodeBase64(secret.slice(PRIVATE_PREFIX.length), PRIVATE_PREFIX));
  }
  throw new SigningError(
    'secret_prefix_unknown',
    `The secret must start with ${SECRET_PREFIX} (HMAC) or ${PRIVATE_PREFIX} (ed25519).`,
  );
}

/**
 * Reads a verification key: `whsec_…` or `whpk_…`.
 * @throws SigningError as `parseSecret`
 */
export function parseVerifyingKey(key: string): VerifyingKey {
  if (!key.startsWith(PUBLIC_PREFIX)) {
    const parsed = parseSecret(key);
    return parsed.kind === 'hmac'
      ? parsed
      : { kind: 'ed25519', publicKey: createPublicKey(parsed.privateKey) };
  }
  const raw = decodeBase64(key.slice(PUBLIC_PREFIX.length), PUBLIC_PREFIX);
  if (raw.length !== 32) {
    throw new SigningError(
      'secret_length_invalid',
      `The public key has ${raw.length} bytes; an ed25519 public key must have 32.`,
    );
  }
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  });
  return { kind: 'ed25519', publicKey };
}

/**
 * The value of `webhook-signature`: one entry per secret, separated by spaces, in the given order.
 * Several secrets allow rotation without downtime, or `v1` and `v1a` side by side.
 * @throws SigningError `secret_missing`, `message_id_invalid`, `timestamp_invalid` and those of
 *   `parseSecret`
 */
export function sign(
  message: SignedMessage & { secrets: readonly (string | SigningKey)[] },
): string {
  if (message.secrets.length === 0) {
    throw new SigningError('secret_missing', 'Signing a webhook requires at least one secret.');
  }
  const content = signedContent(message);
  return message.secrets
    .map((secret) => signWith(typeof secret === 'string' ? parseSecret(secret) : secret, content))
    .join(' ');
}

/** The headers of one attempt: id, timestamp, signature, and the replay's id, if any. */
export function signedHeaders(
  message: SignedMessage & { secrets: readonly (string | SigningKey)[]; replayId?: string },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': sign(message),
    ...(message.replayId === undefined ? {} : { 'webhook-replay-id': message.replayId }),
  };
}

/**
 * Whether one entry of `signature` was made with one of the keys, and the timestamp is within the
 * tolerance of `now` (both in Unix seconds). Compares in constant time; never throws on untrusted
 * input.
 */
export function verify(
  message: { id: string; timestamp: string; body: string | Uint8Array; signature: string },
  options: { keys: readonly VerifyingKey[]; now: number; toleranceSeconds?: number },
): boolean {
  if (!/^\d{1,12}$/.test(message.timestamp) || message.id === '') return false;
  const timestamp = Number(message.timestamp);
  const tolerance = options.toleranceSeconds ?? TOLERANCE_SECONDS;
  if (Math.abs(options.now - timestamp) > tolerance) return false;
  const content = contentOf(message.id, message.timestamp, message.body);
  return message.signature.split(' ').some((entry) => {
    const comma = entry.indexOf(',');
    const version = entry.slice(0, comma);
    const signature = Buffer.from(entry.slice(comma + 1), 'base64');
    return options.keys.some((key) => {
      if (key.kind === 'hmac') {
        if (version !== 'v1') return false;
        const expected = createHmac('sha256', key.key).update(content).digest();
        return signature.length === expected.length && timingSafeEqual(signature, expected);
      }
      return version === 'v1a' && verifyBytes(null, bytesOf(content), key.publicKey, signature);
    });
  });
}

function signWith(key: SigningKey, content: string | Buffer): string {
  return key.kind === 'hmac'
    ? `v1,${createHmac('sha256', key.key).update(content).digest('base64')}`
    : `v1a,${signBytes(null, bytesOf(content), key.privateKey).toString('base64')}`;
}

function signedContent({ id, timestamp, body }: SignedMessage): string | Buffer {
  // A dot in the id would allow the same bytes to be read as another id and timestamp.
  if (!/^[\x21-\x2d\x2f-\x7e]{1,256}$/.test(id)) {
    throw new SigningError(
      'message_id_invalid',
      'A message id is 1 to 256 printable ASCII characters without spaces and dots.',
    );
  }
  if (!Number.isSafeInteger(timestamp) || timestamp <= 0) {
    throw new SigningError(
      'timestamp_invalid',
      `A timestamp must be whole Unix seconds, not ${timestamp}.`,
    );
  }
  return contentOf(id, String(timestamp), body);
}

function contentOf(id: string, timestamp: string, body: string | Uint8Array): string | Buffer {
  const head = `${id}.${timestamp}.`;
  return typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body]);
}

function bytesOf(content: string | Buffer): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : content;
}

function parsePrivateKey(raw: Buffer): SigningKey {
  if (raw.length !== 32 && raw.length !== 64) {
    throw new SigningError(
      'secret_length_invalid',
      `The private key has ${raw.length} bytes; it must have 32 (seed) or 64 (seed and public key).`,
    );
  }
  // PKCS#8 framing of a bare ed25519 seed (RFC 8410): node reads a JWK only with its public half.
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    raw.subarray(0, 32),
  ]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const pub = rawKey(createPublicKey(privateKey).export({ format: 'jwk' }).x);
  if (raw.length === 64 && !pub.equals(raw.subarray(32))) {
    throw new SigningError(
      'secret_key_mismatch',
      'The last 32 bytes of the private key are not the public key of the first 32.',
    );
  }
  return { kind: 'ed25519', privateKey, publicKey: PUBLIC_PREFIX + pub.toString('base64') };
}

function decodeBase64(text: string, prefix: string): Buffer {
  // Buffer.from skips invalid characters, which would turn a mistyped secret into a weaker one.
  if (text === '' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new SigningError(
      'secret_not_base64',
      `The part after ${prefix} must be base64 with padding (RFC 4648 §4).`,
    );
  }
  return Buffer.from(text, 'base64');
}

function rawKey(part: string | undefined): Buffer {
  if (part === undefined) throw new Error('An ed25519 key has no raw part.');
  return Buffer.from(part, 'base64url');
}
