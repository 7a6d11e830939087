import { createHmac, timingSafeEqual } from 'node:crypto';
import { readKeys } from './seal.ts';

/** Signs values that are sent out and must come back unchanged: cursors, tokens, sessions. */
export interface Signer {
  /** `payload` and its signature. `purpose` keeps a token of one kind from passing as another. */
  sign(purpose: string, payload: string): string;
  /** The payload, or null if the signature does not match. */
  verify(purpose: string, token: string): string | null;
}

/** HMAC-SHA256 under one or two keys, comma-separated: the first signs, all verify. */
export function createSigner(signingKey: string): Signer {
  const keys = readKeys('SIGNING_KEY', signingKey);
  const mac = (key: Buffer, purpose: string, payload: string): Buffer =>
    createHmac('sha256', key).update(`${purpose}\n${payload}`).digest().subarray(0, 16);
  return {
    sign(purpose, payload) {
      const signature = mac(keys[0]!, purpose, payload).toString('base64url');
      return `${Buffer.from(payload).toString('base64url')}.${signature}`;
    },
    verify(purpose, token) {
      const [body, signature, rest] = token.split('.');
      if (body === undefined || !signature || rest !== undefined) return null;
      const payload = Buffer.from(body, 'base64url').toString('utf8');
      const given = Buffer.from(signature, 'base64url');
      const fits = keys.some((key) => {
        const wanted = mac(key, purpose, payload);
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
      // Base64 allows several spellings of some bytes; only one is accepted.
      const canonical = given.toString('base64url') === signature;
      return fits && canonical && Buffer.from(payload).toString('base64url') === body
        ? payload
        : null;
    },
  };
}
