import { inProject } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { decideProcessing } from '../../policies/enforce.ts';
import type { JobDeps } from '../steps/step.ts';
import type { Recogniser } from './recogniser.ts';

/** The external recogniser, for a source whose text it may read. */
export interface PermittedRecogniser {
  recogniser: Recogniser;
  /** What the project's policies want for pages that it could not search. */
  ifUnavailable: 'fail' | 'warn';
}

/** The external recogniser; null without one, or if no policy allows it to read the source. */
export async function permittedRecogniser(
  { recogniser, database }: JobDeps,
  { projectId, sourceObjectId }: Job,
): Promise<PermittedRecogniser | null> {
  if (!recogniser) return null;
  const { obligations } = await inProject(database, projectId, (tx) =>
    decideProcessing(tx, projectId, sourceObjectId),
  );
  const permission = obligations.find((one) => one.type === 'external');
  return permission ? { recogniser, ifUnavailable: permission.if_unavailable } : null;
}
