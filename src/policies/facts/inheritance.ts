import { sendDelete } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { ObjectHold } from '../../entities/policies/object-hold.ts';
import { copyHolds, lockScopes } from './holds.ts';
import { knownItems, loadFacts, typesOf } from './load.ts';

/**
 * Copies the inheritable facts of an object (types, tags, labels, collections, holds, redactions,
 * reviews) to its outputs. Call it before the object is purged. Otherwise a purge would take outputs out
 * of the scope of policies, or make them count as never redacted.
 */
export async function copyFactsToOutputs(
  tx: Tx,
  projectId: string,
  objectId: string,
  outputIds: readonly string[],
): Promise<void> {
  if (outputIds.length > 0) {
    lockScopes(tx, projectId, 'shared');
    const [source] = await loadFacts(tx, projectId, [objectId]);
    const listOf = (name: 'tags' | 'labels' | 'collections' | 'unreviewed'): readonly string[] =>
      source ? knownItems(source.facts[name]) : [];
    // Without labels, the output is unclassified anyway, and can still be classified itself.
    const isUnclassified = source?.facts.labels.state === 'unknown' && listOf('labels').length > 0;
    const redactions = source?.facts.redactions;
    const covers = redactions?.state === 'known' ? redactions.value.covers : [];
    await prepared(
      tx,
      `INSERT INTO inherited_fact AS f (project_id, object_id, tags, labels, collection_ids, redactions,
         unreviewed, unclassified, types)
       SELECT $1, o.id, $3, $4, $5, $6, $7, $8, $9 FROM unnest($2::text[]) AS o (id)
       ON CONFLICT (project_id, object_id) DO UPDATE SET
         tags = f.tags || excluded.tags, labels = f.labels || excluded.labels,
         collection_ids = f.collection_ids || excluded.collection_ids,
         redactions = f.redactions || excluded.redactions,
         unreviewed = f.unreviewed || excluded.unreviewed,
         unclassified = f.unclassified OR excluded.unclassified,
         types = f.types || excluded.types`,
      [
        projectId,
        outputIds,
        listOf('tags'),
        listOf('labels'),
        listOf('collections'),
        JSON.stringify(covers),
        listOf('unreviewed'),
        isUnclassified,
        JSON.stringify(source ? typesOf(source.facts) : []),
      ],
    );
    await copyHolds(tx, projectId, outputIds, source?.holds ?? []);
  }
  sendDelete(tx, ObjectHold, { projectId, objectId });
}
