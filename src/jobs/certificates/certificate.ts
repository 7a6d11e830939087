import { notFound, Problem } from '@scriptorium/contracts/problems';
import type { Certificate, CertificateKeyRecord } from '@scriptorium/contracts/wire/certificates';
import type { Tx } from '../../db/transaction.ts';
import type { CertificateKey } from '../../entities/jobs/certificate-key.ts';
import { Job } from '../../entities/jobs/job.ts';
import { JobOperation } from '../../entities/jobs/job-operation.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { signContents } from './keys.ts';

/** The contents of a job's certificate. */
export type CertificateContents = Certificate['certificate'];

/**
 * Reads the contents of a job's certificate.
 * @throws Problem 404 for an unknown job, 409 for one without a redaction that has ended with an
 *   output
 */
export async function readCertificateContents(
  tx: Tx,
  projectId: string,
  jobId: string,
): Promise<CertificateContents> {
  const [job, operation] = await Promise.all([
    tx.findOne(Job, { select: { id: true }, where: { projectId, id: jobId } }),
    tx.findOneBy(JobOperation, { projectId, jobId, op: 'redact_pii' }),
  ]);
  if (!job) throw notFound('job', jobId);
  if (!operation?.certificate || !operation.startedAt || !operation.finishedAt) {
    throw new Problem(
      'state_conflict',
      `Job '${jobId}' has no certificate: it needs a redaction that has ended with an output.`,
    );
  }
  const { version, rejected_by_type, ...facts } = operation.certificate as Omit<
    CertificateContents,
    'started_at' | 'finished_at' | 'state'
  >;
  // The most important facts first, whatever the order in the database.
  return {
    version,
    rejected_by_type,
    ...facts,
    state: operation.state,
    started_at: operation.startedAt.toISOString(),
    finished_at: operation.finishedAt.toISOString(),
  };
}

/** Signs a certificate. The same certificate always gets the same signature. */
export function signCertificate(
  seal: Pick<PageSeal, 'unseal'>,
  key: CertificateKey,
  certificate: CertificateContents,
): Certificate {
  return { certificate, signature: signContents(seal, key, certificate) };
}

/** The public half of a key as the API returns it. */
export function presentCertificateKey(key: CertificateKey): CertificateKeyRecord {
  return {
    id: key.id,
    algorithm: 'Ed25519',
    public_key: key.publicKey,
    created_at: key.createdAt.toISOString(),
  };
}
