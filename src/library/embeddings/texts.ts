import type { EmbeddedTexts } from '@scriptorium/contracts/embeddings';
import type { Origin } from '@scriptorium/contracts/origin';
import { sendUpdate } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { ProjectEmbedding } from '../../entities/embeddings/project-embedding.ts';
import { record } from '../../outbox/record.ts';
import { lockState, scheduleWalk } from './state.ts';

/** Changes which texts of a project are embedded; a walk then deletes and computes vectors. */
export async function changeTexts(tx: Tx, origin: Origin, texts: EmbeddedTexts): Promise<void> {
  const { projectId } = origin;
  if ((await lockState(tx, projectId)).texts === texts) return;
  sendUpdate(tx, ProjectEmbedding, { projectId }, { texts });
  await record(tx, origin, {
    type: 'access.project.updated',
    resourceId: projectId,
    data: { changed: ['embeddings'] },
  });
  await scheduleWalk(tx, projectId);
}
