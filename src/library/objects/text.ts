import { send, type Tx } from '../../db/transaction.ts';

/**
 * Copies the text that a job left of its pages to where its source is searched, in the transaction
 * that ends the job. The newest job's text stays, whichever job ends last; a job without any text
 * leaves what is there. The text of a very large document is cut, and is never an error. Of a job that
 * redacts, only what it left over is text (jobs/page-secrets); once that is verified, it is written
 * down what the text is free of.
 */
export function indexText(tx: Tx, projectId: string, objectId: string, jobId: string): void {
  send(
    tx,
    `UPDATE object_index i
     SET text = t.vector, has_positions = t.has_positions, text_job_id = $3,
       text_free_of = (
         SELECT coalesce(r.entities, '{all}') FROM job_output o
         JOIN redaction_fact r ON r.project_id = o.project_id AND r.object_id = o.object_id
         WHERE o.project_id = $1 AND o.job_id = $3 AND r.verified LIMIT 1)
     FROM job_text($1, $3) t
     WHERE i.project_id = $1 AND i.object_id = $2 AND t.vector IS NOT NULL
       AND (i.text_job_id IS NULL OR i.text_job_id <= $3)`,
    [projectId, objectId, jobId],
  );
}
