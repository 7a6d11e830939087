import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalJson } from '@scriptorium/contracts/certificates/canonical';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';

/** A key pair as a project has one. */
export interface TestKey {
  id: string;
  /** In base64. */
  publicKey: string;
  privateKey: KeyObject;
}

export function createKey(): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
  const id = createHash('sha256').update(raw).digest('hex').slice(0, 16);
  return { id, publicKey: raw.toString('base64'), privateKey };
}

type Contents = Certificate['certificate'];

/** A file as a certificate names it. */
const certifiedFile = (bytes: Uint8Array, name: string) => ({
  object_id: `obj_${name.padEnd(26, '0')}`,
  mime: 'application/pdf',
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** The contents of a certificate for a file and its source. */
export function certificateFor(output: Uint8Array, source: Uint8Array): Contents {
  return {
    version: 1,
    rejected_by_type: {},
    project_id: 'prj_00000000000000000000000001',
    job_id: 'job_00000000000000000000000001',
    operation_index: 1,
    state: 'succeeded',
    pages: null,
    source: certifiedFile(source, 'SOURCE'),
    outputs: [{ ...certifiedFile(output, 'OUTPUT'), kind: 'redacted_pdf' }],
    first_page: { width: 420, height: 595, boxes: [[40, 541, 180, 14]] },
    options: { entities: 'personal' },
    result: {
      verified: true,
      entities_by_type: { PERSON: 3, EMAIL_ADDRESS: 1, CUSTOM_CASE: 2 },
      checks: [
        { name: 'structure', passed: true, detail: 'One revision with 9 objects.', pages: [] },
        { name: 'streams', passed: true, detail: 'Searched 4 streams.', pages: [] },
      ],
    },
    reviewed: {
      by: [{ type: 'user', id: 'usr_1', name: 'Ada Okafor', role: 'reviewer' }],
      at: '2026-11-30T20:10:00.000Z',
      accepted: 4,
      rejected: 0,
      added: 1,
    },
    requested_by: { type: 'api_key', id: 'key_1' },
    engines: { pdfium: '2.15.1' },
    started_at: '2026-11-30T20:00:00.000Z',
    finished_at: '2026-11-30T20:11:05.000Z',
  };
}

export function signWith(
  { id, publicKey, privateKey }: TestKey,
  certificate: Contents,
): Certificate {
  const value = sign(null, Buffer.from(canonicalJson(certificate)), privateKey);
  return {
    certificate,
    signature: {
      algorithm: 'Ed25519',
      canonicalization: 'RFC 8785',
      key_id: id,
      public_key: publicKey,
      value: value.toString('base64'),
    },
  };
}
