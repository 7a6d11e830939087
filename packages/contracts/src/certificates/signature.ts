import type { Certificate } from '../wire/certificates.ts';
import { canonicalJson } from './canonical.ts';
import { Sha256 } from './sha256.ts';

/** `unsupported`: this browser cannot verify Ed25519, or the page was not loaded securely. */
export type SignatureState = 'valid' | 'invalid' | 'unsupported';

const keyBytes = 32;
const signatureBytes = 64;

/** Verifies the signature of a certificate with a public key in base64. */
export async function checkSignature(
  { certificate, signature }: Certificate,
  publicKey: string,
): Promise<SignatureState> {
  const [key, value] = [decodeBase64(publicKey), decodeBase64(signature.value)];
  if (key?.length !== keyBytes || value?.length !== signatureBytes) return 'invalid';
  // Undefined on pages that were loaded without TLS.
  if (crypto.subtle === undefined) return 'unsupported';
  const imported = await importKey(key);
  if (typeof imported === 'string') return imported;
  try {
    const signed = new TextEncoder().encode(canonicalJson(certificate));
    return (await crypto.subtle.verify('Ed25519', imported, value, signed)) ? 'valid' : 'invalid';
  } catch {
    // Nested too deeply: the service writes no such certificate.
    return 'invalid';
  }
}

/** Imports a public key. Browsers report in different ways that they do not know the algorithm. */
async function importKey(key: Uint8Array<ArrayBuffer>) {
  try {
    return await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  } catch (error) {
    const isKeyInvalid = error instanceof DOMException && error.name === 'DataError';
    return isKeyInvalid ? 'invalid' : 'unsupported';
  }
}

/** The identifier of a public key: the start of its SHA-256. Null if it is not a key. */
export function keyIdOf(publicKey: string): string | null {
  const bytes = decodeBase64(publicKey);
  return bytes?.length === keyBytes ? new Sha256().update(bytes).digest().slice(0, 16) : null;
}

/** Decodes base64, also in its form for URLs; null if the text is neither. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
