import { prepared, send, type Tx } from '../../db/transaction.ts';
import { gatherFacts } from './gather.ts';
import { copyHolds, lockScopes } from './holds.ts';

/**
 * Before an object is purged: what it hands on to what was made from it (tags, labels, collections,
 * holds, redactions) is written down there, so that nothing leaves a policy's scope by the end of its
 * source, nor is taken for what was never redacted.
 */
export async function bequeath(
  tx: Tx,
  projectId: string,
  objectId: string,
  outputIds: readonly string[],
): Promise<void> {
  if (outputIds.length > 0) {
    lockScopes(tx, projectId, 'shared');
    const [source] = await gatherFacts(tx, projectId, [objectId]);
    const list = (name: 'tags' | 'labels' | 'collections'): readonly string[] => {
      const fact = source?.facts[name];
      return fact?.state === 'known' ? fact.value : [];
    };
    const redactions = source?.facts.redactions;
    const covers = redactions?.state === 'known' ? redactions.value.covers : [];
    await prepared(
      tx,
      `INSERT INTO inherited_fact AS f (project_id, object_id, tags, labels, collection_ids, covers)
       SELECT $1, o.id, $3, $4, $5, $6 FROM unnest($2::text[]) AS o (id)
       ON CONFLICT (project_id, object_id) DO UPDATE SET
         tags = f.tags || excluded.tags, labels = f.labels || excluded.labels,
         collection_ids = f.collection_ids || excluded.collection_ids,
         covers = f.covers || excluded.covers`,
      [
        projectId,
        outputIds,
        list('tags'),
        list('labels'),
        list('collections'),
        JSON.stringify(covers),
      ],
    );
    await copyHolds(tx, projectId, outputIds, source?.holds ?? []);
  }
  send(tx, 'DELETE FROM object_hold WHERE project_id = $1 AND object_id = $2', [
    projectId,
    objectId,
  ]);
}
