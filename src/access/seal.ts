import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Keeps secrets at rest: what `seal` returns says nothing without the key, and cannot be changed. */
export interface Seal {
  seal(text: string): string;
  /** @throws when no key of ours sealed it, or it was changed */
  open(sealed: string): string;
}

const algorithm = 'aes-256-gcm';

/**
 * AES-256-GCM under one or two keys, each 32 bytes in base64, comma-separated: the first seals, all
 * open, so that a key can be rotated. A sealed text is `s1.<key mark>.<nonce>.<tag and data>`.
 */
export function createSeal(secretKey: string): Seal {
  const keys = readKeys('SECRET_KEY', secretKey).map((key) => ({
    key,
    mark: createHash('sha256').update('mark').update(key).digest('base64url').slice(0, 6),
  }));
  return {
    seal(text) {
      const { key, mark } = keys[0]!;
      const nonce = randomBytes(12);
      const cipher = createCipheriv(algorithm, key, nonce);
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([cipher.getAuthTag(), data]);
      return `s1.${mark}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
    },
    open(sealed) {
      const [version, mark, nonce, data] = sealed.split('.');
      const found = keys.find((candidate) => candidate.mark === mark);
      if (version !== 's1' || !nonce || !data || !found) {
        throw new Error('A sealed text was made under a key that SECRET_KEY does not hold.');
      }
      const bytes = Buffer.from(data, 'base64url');
      const decipher = createDecipheriv(algorithm, found.key, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      });
      decipher.setAuthTag(bytes.subarray(0, 16));
      return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}

/** Reads one or more comma-separated keys of 32 bytes in base64. */
export function readKeys(name: string, value: string): Buffer[] {
  return value.split(',').map((text) => {
    const key = Buffer.from(text.trim(), 'base64');
    if (key.length !== 32) {
      throw new Error(
        `${name} must be 32 bytes in base64 (or two such, comma-separated); one of ${key.length} bytes was given. ` +
          `Make one with: openssl rand -base64 32`,
      );
    }
    return key;
  });
}
