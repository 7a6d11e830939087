import { prepared, type Tx } from '../../db/transaction.ts';

/** The number of words that a run checks. */
const wordsPerRun = 500;

/**
 * Updates the counters of a project, and deletes words that no object contains any more. Each run checks
 * a batch that starts at a random position, so every word is eventually checked.
 */
export async function tidyIndex(tx: Tx, projectId: string): Promise<void> {
  await prepared(tx, 'SELECT image_count_fold($1), object_count_fold($1)', [projectId]);
  // If an object with the word is being saved at this moment, the word is added again with its
  // next change.
  await prepared(
    tx,
    `DELETE FROM image_word k USING (
       SELECT word FROM image_word WHERE project_id = $1 ORDER BY word, id
       OFFSET floor(random() * greatest(1, (SELECT count(*) - ${wordsPerRun - 1}
         FROM image_word WHERE project_id = $1))) LIMIT ${wordsPerRun}) checked
     WHERE k.project_id = $1 AND k.word = checked.word
       AND NOT EXISTS (SELECT FROM object_search
         WHERE everything @@ phraseto_tsquery('simple', checked.word))
       AND NOT EXISTS (SELECT FROM object_search WHERE redacted_free_of IS NOT NULL
         AND everything_redacted @@ phraseto_tsquery('simple', checked.word))`,
    [projectId],
  );
}
