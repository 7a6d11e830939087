import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { OpenSealed, SealedContext, SealText } from '@scriptorium/contracts/documents/sealed';

/**
 * Encrypts secrets at rest: a sealed text cannot be read or changed without the key, and opens only in
 * the place for which it was sealed.
 */
export interface Seal {
  seal: SealText;
  open: OpenSealed;
}

const algorithm = 'aes-256-gcm';

/**
 * AES-256-GCM under one or two keys, each 32 bytes in base64, comma-separated. The first seals and all
 * open, so keys can be rotated. A sealed text is `s2.<key mark>.<nonce>.<tag and data>`, where the mark
 * identifies the key. Its place is authenticated with it.
 */
export function createSeal(secretKey: string): Seal {
  const keys = readKeys('SECRET_KEY', secretKey).map((key) => ({
    key,
    mark: createHash('sha256').update('mark').update(key).digest('base64url').slice(0, 6),
  }));
  return {
    seal(text, place) {
      const { key, mark } = keys[0]!;
      const nonce = randomBytes(12);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(placeBytes(place));
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([cipher.getAuthTag(), data]);
      return `s2.${mark}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
    },
    open(sealed, place) {
      const [version, mark, nonce, data] = sealed.split('.');
      const keyEntry = keys.find((candidate) => candidate.mark === mark);
      if (version !== 's2' || !nonce || !data || !keyEntry) {
        throw new Error('A text was sealed with a key that is not in SECRET_KEY.');
      }
      const bytes = Buffer.from(data, 'base64url');
      const decipher = createDecipheriv(algorithm, keyEntry.key, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      });
      decipher.setAAD(placeBytes(place)).setAuthTag(bytes.subarray(0, 16));
      return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}

function placeBytes(place: SealedContext): Buffer {
  return Buffer.from(JSON.stringify(place));
}

/** Reads one or more comma-separated keys of 32 bytes in base64. */
export function readKeys(name: string, value: string): Buffer[] {
  return value.split(',').map((text) => {
    const key = Buffer.from(text.trim(), 'base64');
    if (key.length !== 32) {
      throw new Error(
        `${name} must be 32 bytes in base64, or two such keys, comma-separated; one has ${key.length} bytes. ` +
          `Generate one with: openssl rand -base64 32`,
      );
    }
    return key;
  });
}
