import { prepared, type Tx } from '../../db/transaction.ts';

/** How many words are looked up at a time. */
const wordsChecked = 500;

/**
 * Brings the counters of a project up to date, and forgets words that no image has any more: some at
 * a time, wherever in the list, so that all have their turn.
 */
export async function tidyIndex(tx: Tx, projectId: string): Promise<void> {
  await prepared(tx, 'SELECT image_count_fold($1)', [projectId]);
  // An image that is being saved with the word just now brings it back with its next change.
  await prepared(
    tx,
    `DELETE FROM image_word WHERE project_id = $1 AND id IN (
       SELECT id FROM (
         SELECT id, word FROM image_word WHERE project_id = $1 AND id >= (
           SELECT min(id) + floor(random() * greatest(0, max(id) - min(id) - ${wordsChecked - 1}))
           FROM image_word WHERE project_id = $1)
         ORDER BY id LIMIT ${wordsChecked}) some_words
       WHERE NOT EXISTS (SELECT FROM image_search s WHERE s.project_id = $1
         AND s.document @@ phraseto_tsquery('simple', some_words.word)))`,
    [projectId],
  );
}
