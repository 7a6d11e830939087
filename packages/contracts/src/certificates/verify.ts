import type { Certificate, CertificateKeyRecord } from '../wire/certificates.ts';
import { checkSignature, keyIdOf, type SignatureState } from './signature.ts';

/** The public keys that a verifier knows. */
export interface KnownKeys {
  /** Those that the service publishes for a project; null if they were not loaded. */
  published: {
    projectId: string;
    keys: readonly Pick<CertificateKeyRecord, 'public_key'>[];
  } | null;
  /** Those that the verifier got in another way, in base64. */
  given: readonly string[];
}

/**
 * Where the key that verified a signature comes from. `enclosed`: only from the certificate itself,
 * which proves that nothing was changed, but not who signed it. `foreign`: the project has published
 * keys, and this is none of them. `missing`: no key to verify with.
 */
export type KeySource = 'published' | 'given' | 'enclosed' | 'foreign' | 'missing';

export interface Verification {
  signature: SignatureState;
  key: KeySource;
  /** The identifier of the key; computed from the key, if it is known. */
  keyId: string;
}

/** Verifies the signature of a certificate, with the most trustworthy key that fits. */
export async function verifyCertificate(
  certificate: Certificate,
  { published, given }: KnownKeys,
): Promise<Verification> {
  const { key_id: claimedId, public_key: enclosed } = certificate.signature;
  const ofProject =
    published?.projectId === certificate.certificate.project_id
      ? published.keys.map((key) => key.public_key)
      : [];
  const trusted = [
    ...ofProject.map((key) => ({ key, source: 'published' as const })),
    ...given.map((key) => ({ key, source: 'given' as const })),
  ];
  const fitting = trusted.find(({ key }) => keyIdOf(key) === claimedId);
  if (fitting) {
    const signature = await checkSignature(certificate, fitting.key);
    return { signature, key: fitting.source, keyId: claimedId };
  }
  const isForeign = ofProject.length > 0 || given.length > 0;
  if (enclosed === undefined) {
    return { signature: 'unsupported', key: isForeign ? 'foreign' : 'missing', keyId: claimedId };
  }
  return {
    signature: await checkSignature(certificate, enclosed),
    key: isForeign ? 'foreign' : 'enclosed',
    keyId: keyIdOf(enclosed) ?? claimedId,
  };
}

/** What a file is to a certificate. */
export type FileRole = 'output' | 'source' | 'other';

/** Compares a file with those that a certificate names. */
export function fileRole(
  { certificate: { outputs, source } }: Certificate,
  file: { bytes: number; sha256: string },
): FileRole {
  const isSame = (named: { bytes: number; sha256: string }): boolean =>
    named.sha256 === file.sha256 && named.bytes === file.bytes;
  if (outputs.some(isSame)) return 'output';
  return isSame(source) ? 'source' : 'other';
}
