import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import type { Assembly } from '../operations/operation.ts';
import { withoutSecrets } from '../sealing/secret-options.ts';
import type { StepContext } from '../steps/step.ts';

/** An output as a certificate describes it. */
export interface CertifiedOutput {
  object_id: string;
  kind: string;
  mime: string;
  bytes: number;
  sha256: string;
}

/**
 * Builds the part of a certificate that is stored when a redaction ends, since source and outputs
 * may be purged later. Null without an output. Contains neither values nor file names.
 */
export function certificateOf(
  { job, source, operation, decisions }: StepContext,
  { result }: Assembly,
  outputs: readonly CertifiedOutput[],
  engines: Readonly<Record<string, string>>,
): Pick<JobOperation, 'certificate'>['certificate'] {
  if (operation.op !== 'redact_pii' || outputs.length === 0 || !source) return null;
  const { reviewed = null, ...redaction } = result;
  return {
    version: 1,
    rejected_by_type: decisions?.rejectedByType ?? {},
    project_id: job.projectId,
    job_id: job.id,
    operation_index: operation.index,
    pages: job.pages,
    source: {
      object_id: source.id,
      mime: source.mime,
      bytes: source.bytes,
      sha256: source.sha256,
    },
    outputs,
    options: withoutSecrets(operation.options),
    result: redaction,
    reviewed,
    requested_by: { type: job.origin.actor.type, id: job.origin.actor.id },
    engines,
  };
}
