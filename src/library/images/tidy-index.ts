import { prepared, type Tx } from '../../db/transaction.ts';

/** The number of words that a run checks. */
const wordsPerRun = 500;

/**
 * Updates the counters of a project, and deletes words that no image contains any more. Each run checks
 * a batch that starts at a random position, so every word is eventually checked.
 */
export async function tidyIndex(tx: Tx, projectId: string): Promise<void> {
  await prepared(tx, 'SELECT image_count_fold($1), object_count_fold($1)', [projectId]);
  // If an image with the word is being saved at this moment, the word is added again with the
  // image's next change.
  await prepared(
    tx,
    `DELETE FROM image_word k USING (
       SELECT word FROM image_word WHERE project_id = $1 ORDER BY word, id
       OFFSET floor(random() * greatest(1, (SELECT count(*) - ${wordsPerRun - 1}
         FROM image_word WHERE project_id = $1))) LIMIT ${wordsPerRun}) checked
     WHERE k.project_id = $1 AND k.word = checked.word
       AND NOT EXISTS (SELECT FROM image_search s WHERE s.project_id = $1
         AND s.document @@ phraseto_tsquery('simple', checked.word))`,
    [projectId],
  );
}
