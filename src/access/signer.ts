import { createHmac, timingSafeEqual } from 'node:crypto';
import { readKeys } from './seal.ts';

/** Signs values that clients send back and must not change: cursors, tokens, sessions. */
export interface Signer {
  /** `payload` and its signature. `purpose` prevents the use of a token of one kind as another. */
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
      const [body, signature, extra] = token.split('.');
      if (body === undefined || !signature || extra !== undefined) return null;
      const payload = Buffer.from(body, 'base64url').toString('utf8');
      const received = Buffer.from(signature, 'base64url');
      const isValid = keys.some((key) => {
        const expected = mac(key, purpose, payload);
        return received.length === expected.length && timingSafeEqual(received, expected);
      });
      // Base64 allows several spellings of some bytes; only one is accepted.
      const isCanonical = received.toString('base64url') === signature;
      return isValid && isCanonical && Buffer.from(payload).toString('base64url') === body
        ? payload
        : null;
    },
  };
}
