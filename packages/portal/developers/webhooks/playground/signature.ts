import { useEffect, useState } from 'preact/hooks';

/** A message as a receiver gets it. */
export interface SignedParts {
  id: string;
  timestamp: string;
  body: string;
}

/** A `v1` signature of Standard Webhooks, with its inputs. */
interface Signature {
  content: string;
  keyBytes: number;
  hex: string;
  /** `v1,` followed by the base64 of the signature. */
  value: string;
}

/**
 * `invalid`: the secret. `unavailable`: browsers compute signatures only on https pages and
 * localhost.
 */
export type Signing = Signature | 'invalid' | 'unavailable' | 'pending';

/** Computes the signature of a message in the browser: the secret is not sent anywhere. */
export function useSignature(message: SignedParts | null, secret: string): Signing {
  const [signing, setSigning] = useState<Signing>('pending');
  const { id, timestamp, body } = message ?? { id: '', timestamp: '', body: '' };
  useEffect(() => {
    let isCurrent = true;
    const key = keyOf(secret);
    if (!isSecureContext) setSigning('unavailable');
    else if (!key) setSigning('invalid');
    else {
      void sign(key, { id, timestamp, body }).then((made) => {
        if (isCurrent) setSigning(made);
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [id, timestamp, body, secret]);
  return signing;
}

async function sign(key: Uint8Array<ArrayBuffer>, message: SignedParts): Promise<Signature> {
  const content = `${message.id}.${message.timestamp}.${message.body}`;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(content));
  const bytes = new Uint8Array(digest);
  return {
    content,
    keyBytes: key.length,
    hex: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    value: `v1,${btoa(String.fromCharCode(...bytes))}`,
  };
}

/** Returns the key within a secret, or null if it is not a valid secret. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> | null {
  const found = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim());
  if (!found?.[1] || found[1].length % 4 !== 0) return null;
  return Uint8Array.from(atob(found[1]), (character) => character.charCodeAt(0));
}
