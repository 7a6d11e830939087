import { useEffect, useState } from 'preact/hooks';

/** The signed parts of a message. */
export interface MessageParts {
  id: string;
  timestamp: string;
  body: string;
}

/** A `v1` signature of Standard Webhooks, with its inputs. */
interface Signature {
  content: string;
  keyLength: number;
  hex: string;
  /** `v1,` followed by the base64 of the signature. */
  value: string;
}

/**
 * `invalid`: the secret is malformed. `unavailable`: browsers compute signatures only on https
 * pages and localhost.
 */
export type SignatureState = Signature | 'invalid' | 'unavailable' | 'pending';

/** Computes the signature of a message in the browser: the secret is not sent anywhere. */
export function useSignature(message: MessageParts | null, secret: string): SignatureState {
  const [signature, setSignature] = useState<SignatureState>('pending');
  const { id, timestamp, body } = message ?? { id: '', timestamp: '', body: '' };
  useEffect(() => {
    let isCurrent = true;
    const key = keyOf(secret);
    if (!isSecureContext) setSignature('unavailable');
    else if (!key) setSignature('invalid');
    else {
      void sign(key, { id, timestamp, body }).then((result) => {
        if (isCurrent) setSignature(result);
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [id, timestamp, body, secret]);
  return signature;
}

async function sign(key: Uint8Array<ArrayBuffer>, message: MessageParts): Promise<Signature> {
  const content = `${message.id}.${message.timestamp}.${message.body}`;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const cryptoKey = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', cryptoKey, new TextEncoder().encode(content));
  const bytes = new Uint8Array(digest);
  return {
    content,
    keyLength: key.length,
    hex: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    value: `v1,${btoa(String.fromCharCode(...bytes))}`,
  };
}

/** Returns the key within a secret, or null if it is not a valid secret. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> | null {
  const match = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim());
  if (!match?.[1] || match[1].length % 4 !== 0) return null;
  return Uint8Array.from(atob(match[1]), (character) => character.charCodeAt(0));
}
