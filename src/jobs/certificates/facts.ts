import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import { Any } from 'typeorm';
import type { Tx } from '../../db/transaction.ts';
import { Member } from '../../entities/access/member.ts';
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

type Reviewed = NonNullable<Certificate['certificate']['reviewed']>;

/** The maximum number of places listed for the first page. */
const maxBoxes = 500;

/**
 * Builds the part of a certificate that is stored when a redaction ends, since source and outputs
 * may be purged later. Null without an output. Contains neither values nor file names.
 */
export async function certificateOf(
  tx: Tx,
  { job, source, operation, decisions }: StepContext,
  { result, firstPage }: Assembly,
  outputs: readonly CertifiedOutput[],
  engines: Readonly<Record<string, string>>,
): Promise<Pick<JobOperation, 'certificate'>['certificate']> {
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
    first_page: firstPage ? { ...firstPage, boxes: firstPage.boxes.slice(0, maxBoxes) } : null,
    options: withoutSecrets(operation.options),
    result: redaction,
    // `withReview` has added it.
    reviewed: reviewed && (await withRoles(tx, job.projectId, reviewed as Reviewed)),
    requested_by: { type: job.origin.actor.type, id: job.origin.actor.id },
    engines,
  };
}

/** Adds the current roles of the people who reviewed a redaction. */
async function withRoles(tx: Tx, projectId: string, reviewed: Reviewed): Promise<Reviewed> {
  const people = reviewed.by.flatMap(({ type, id }) => (type === 'user' && id ? [id] : []));
  const members =
    people.length === 0 ? [] : await tx.findBy(Member, { projectId, userId: Any(people) });
  const roles = new Map(members.map(({ userId, role }) => [userId, role]));
  return {
    ...reviewed,
    by: reviewed.by.map((actor) => ({ ...actor, role: roles.get(actor.id ?? '') ?? null })),
  };
}
