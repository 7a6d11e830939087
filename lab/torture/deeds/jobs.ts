import type { KnownJob } from '../ledger.ts';
import { type Deed, expectStatus, idOf } from './deed.ts';
import { someObject } from './objects.ts';

/** A job of operations that take milliseconds: a page of text. */
const startJob: Deed = async (scene) => {
  const { client, pick } = scene;
  const object = someObject(scene, ({ state, isImage }) => state === 'available' && !isImage);
  if (!object) return;
  object.isPinned = true;
  const operations = [
    [{ op: 'normalize_for_llm' }],
    [{ op: 'classify' }],
    [{ op: 'normalize_for_llm' }, { op: 'classify' }],
  ][pick(3)];
  const answer = await client.send('POST', '/v1/documents/jobs', {
    body: { source_object_id: object.id, operations },
    isKeyed: true,
  });
  if (!expectStatus(client, answer, 202)) return;
  answer.entry.effects.push('documents.job.created');
  client.ledger.jobs.set(idOf(answer), {
    id: idOf(answer),
    project: client.project.id,
    client: client.number,
    sourceId: object.id,
    isCancelled: false,
  });
};

const cancelJob: Deed = async ({ client, pick }) => {
  const own = [...client.ledger.jobs.values()].filter(
    (job: KnownJob) => job.client === client.number && job.project === client.project.id,
  );
  const job = own[pick(Math.max(own.length, 1))];
  if (!job) return;
  // A job that has ended stays as it is.
  const answer = await client.send('POST', `/v1/documents/jobs/${job.id}/cancel`, {
    isKeyed: true,
  });
  if (!expectStatus(client, answer, 200, 202, 409)) return;
  if (answer.status !== 409) job.isCancelled = true;
};

export const jobDeeds = { startJob, cancelJob };
