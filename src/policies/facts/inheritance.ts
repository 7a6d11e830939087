import { sendDelete } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { ObjectHold } from '../../entities/policies/object-hold.ts';
import { copyHolds, lockScopes } from './holds.ts';
import { listIn, loadFacts, typesOf } from './load.ts';

/**
 * Run before an object is purged: copies its inheritable facts (types, tags, labels, collections,
 * holds, redactions, reviews) to its outputs, so that purging a source neither takes them out of a
 * policy's scope nor makes them count as never redacted.
 */
export async function bequeath(
  tx: Tx,
  projectId: string,
  objectId: string,
  outputIds: readonly string[],
): Promise<void> {
  if (outputIds.length > 0) {
    lockScopes(tx, projectId, 'shared');
    const [source] = await loadFacts(tx, projectId, [objectId]);
    const list = (name: 'tags' | 'labels' | 'collections' | 'unreviewed'): readonly string[] =>
      source ? listIn(source.facts[name]) : [];
    // An output of an unlabelled source may still be classified itself.
    const unclassified = source?.facts.labels.state === 'unknown' && list('labels').length > 0;
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
        list('tags'),
        list('labels'),
        list('collections'),
        JSON.stringify(covers),
        list('unreviewed'),
        unclassified,
        JSON.stringify(source ? typesOf(source.facts) : []),
      ],
    );
    await copyHolds(tx, projectId, outputIds, source?.holds ?? []);
  }
  sendDelete(tx, ObjectHold, { projectId, objectId });
}
