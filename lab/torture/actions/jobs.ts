import type { KnownJob } from '../ledger.ts';
import { type ClientAction, expectStatus, idOf } from './action.ts';
import { pickObject } from './objects.ts';

/** A job of operations that take milliseconds: a page of text. */
const startJob: ClientAction = async (context) => {
  const { client, pick } = context;
  const object = pickObject(context, ({ state, isImage }) => state === 'available' && !isImage);
  if (!object) return;
  object.isPinned = true;
  const operations = [
    [{ op: 'normalize_for_llm' }],
    [{ op: 'classify' }],
    [{ op: 'normalize_for_llm' }, { op: 'classify' }],
  ][pick(3)];
  const response = await client.send('POST', '/v1/documents/jobs', {
    body: { source_object_id: object.id, operations },
    isKeyed: true,
  });
  if (!expectStatus(client, response, 202)) return;
  response.entry.effects.push('documents.job.created');
  client.ledger.jobs.set(idOf(response), {
    id: idOf(response),
    project: client.project.id,
    client: client.number,
    sourceId: object.id,
    isCancelled: false,
  });
};

const cancelJob: ClientAction = async ({ client, pick }) => {
  const candidates = [...client.ledger.jobs.values()].filter(
    (job: KnownJob) => job.client === client.number && job.project === client.project.id,
  );
  const job = candidates[pick(Math.max(candidates.length, 1))];
  if (!job) return;
  // A job that has ended stays as it is.
  const response = await client.send('POST', `/v1/documents/jobs/${job.id}/cancel`, {
    isKeyed: true,
  });
  if (!expectStatus(client, response, 200, 202, 409)) return;
  if (response.status !== 409) job.isCancelled = true;
};

export const jobActions = { startJob, cancelJob };
