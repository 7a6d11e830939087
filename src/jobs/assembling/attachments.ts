import type { JobWarning } from '@scriptorium/contracts/jobs';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Trait } from '@scriptorium/contracts/rules';
import { sendInsert } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { JobOutput } from '../../entities/jobs/job-output.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { retainBytes } from '../../library/bytes/retain.ts';
import { cleanFilename } from '../../library/files/filename.ts';
import { sniff } from '../../library/files/sniff.ts';
import { readTypeAndTraits } from '../../library/files/traits.ts';
import { createAttachment } from '../../library/objects/arrival/outputs.ts';
import type { ReceivedBytes } from '../../storage/storage.ts';
import { jobOrigin } from '../load.ts';
import type { AttachedOutput } from '../operations/operation.ts';
import type { JobDeps } from '../steps/step.ts';

/** A file found inside a source, stored, with its detected type and traits. */
export interface StoredAttachment {
  filename: string;
  mime: string;
  traits: Trait[];
  received: ReceivedBytes;
}

/** Stores a file found inside a source, and detects its type as for an upload. */
export async function receiveAttachment(
  { storage }: JobDeps,
  projectId: string,
  { path, filename: givenFilename, declaredMime }: AttachedOutput,
): Promise<StoredAttachment> {
  const received = await storage.receiveFile(projectId, path);
  await received.commit();
  const isMessage = declaredMime === 'message/rfc822';
  const filename = cleanFilename(givenFilename ?? '', isMessage ? 'message.eml' : 'attachment');
  const hints = { filename, declaredMime, bytes: received.bytes };
  const detected = await readTypeAndTraits(sniff(received.head, hints), hints, (range) =>
    storage.open(projectId, received.sha256, range),
  );
  return { filename, ...detected, received };
}

/**
 * Stores files found inside a source as outputs.
 * @returns a warning if policies deny some of them
 */
export async function storeAttachments(
  tx: Tx,
  job: Job,
  { index }: JobOperation,
  source: StoredObject,
  attachments: readonly StoredAttachment[],
): Promise<JobWarning[]> {
  const { projectId, id: jobId } = job;
  let denied = 0;
  for (const { received, ...file } of attachments) {
    const content = await retainBytes(tx, projectId, received);
    const newObject = { source, jobId, ...file, content };
    const objectId = await createAttachment(tx, jobOrigin(job), newObject);
    if (objectId === null) denied += 1;
    else {
      const output = { projectId, jobId, operationIndex: index, kind: 'attachment', objectId };
      sendInsert(tx, JobOutput, output);
    }
  }
  if (denied === 0) return [];
  return [
    {
      code: 'attachments_denied',
      message: `Policies on uploads denied ${pluralise(denied, 'attachment')}, which the audit events name.`,
    },
  ];
}
