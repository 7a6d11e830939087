import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { canonicalJson } from '@scriptorium/contracts/certificates/canonical';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import { insertNew } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { CertificateKey } from '../../entities/jobs/certificate-key.ts';
import type { PageSeal } from '../sealing/page-content.ts';

/** The project's key, or null before its first certificate. */
export async function findKey(tx: Tx, projectId: string): Promise<CertificateKey | null> {
  return tx.findOneBy(CertificateKey, { projectId });
}

/** The project's key, created with its first certificate. */
export async function ensureKey(
  tx: Tx,
  { seal }: Pick<PageSeal, 'seal'>,
  projectId: string,
): Promise<CertificateKey> {
  const existing = await findKey(tx, projectId);
  if (existing) return existing;
  const pair = generateKeyPairSync('ed25519');
  const raw = Buffer.from(String(pair.publicKey.export({ format: 'jwk' }).x), 'base64url');
  const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  await insertNew(tx, CertificateKey, {
    projectId,
    id: createHash('sha256').update(raw).digest('hex').slice(0, 16),
    publicKey: raw.toString('base64'),
    privateKey: seal(pem, ['certificate_key', projectId]),
  });
  // Another request may have created it first.
  return tx.findOneByOrFail(CertificateKey, { projectId });
}

/**
 * Signs contents with a project's key: Ed25519 (RFC 8032) over the UTF-8 of their canonical JSON
 * (RFC 8785).
 */
export function signContents(
  { unseal }: Pick<PageSeal, 'unseal'>,
  { projectId, id, publicKey, privateKey }: CertificateKey,
  contents: unknown,
): Certificate['signature'] {
  const key = createPrivateKey(unseal(privateKey, ['certificate_key', projectId]));
  return {
    algorithm: 'Ed25519',
    canonicalization: 'RFC 8785',
    key_id: id,
    public_key: publicKey,
    value: sign(null, Buffer.from(canonicalJson(contents), 'utf8'), key).toString('base64'),
  };
}
