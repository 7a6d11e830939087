import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** An API key, which its holder sees once, and its stored form. */
interface NewKey {
  secret: string;
  /** The part that may be shown: `sk_` and eight characters. */
  prefix: string;
  hash: Buffer;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = /^(sk_[0-9A-Za-z]{8})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/**
 * Creates a key: `sk_<8 id>_<32 random><6 checksum>`, base62. The random part has 190 bits, so a fast
 * hash of it is enough. The checksum lets scanners and this service detect typing errors.
 */
export function newKey(): NewKey {
  const prefix = `sk_${randomText(8)}`;
  const body = `${prefix}_${randomText(32)}`;
  const secret = body + checksum(body);
  return { secret, prefix, hash: hashKey(secret) };
}

/** The hash of a well-formed key; null for anything else, without a database query. */
export function parseKey(text: string): { prefix: string; hash: Buffer } | null {
  const parts = keyPattern.exec(text);
  if (!parts) return null;
  if (checksum(text.slice(0, -6)) !== parts[3]) return null;
  return { prefix: parts[1]!, hash: hashKey(text) };
}

function hashKey(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function randomText(length: number): string {
  let text = '';
  for (let at = 0; at < length; at++) text += alphabet[randomInt(alphabet.length)];
  return text;
}

/** CRC-32 in base62, most significant digit first. Six digits suffice, since 62^6 > 2^32. */
function checksum(text: string): string {
  let quotient = crc32(text);
  let digits = '';
  for (let at = 0; at < 6; at++) {
    digits = alphabet[quotient % 62]! + digits;
    quotient = Math.floor(quotient / 62);
  }
  return digits;
}
