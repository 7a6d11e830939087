import type { MigrationInterface, QueryRunner } from 'typeorm';

const batchSize = 500;

/**
 * Fills the index for existing objects: details, the words of texts, and the texts of jobs whose
 * results are still stored. It works in short transactions beside the traffic; if it is
 * interrupted, it starts again without harm.
 */
export class FillSearch2000000000003 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const projects: { id: string }[] = await runner.query('SELECT id FROM project ORDER BY id');
    for (const { id } of projects) {
      for (let after: string | null = ''; after !== null; ) {
        after = await fillBatch(runner, id, after);
      }
    }
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

/** Fills the rows after an object; returns the last one, or null if there are no more. */
async function fillBatch(
  runner: QueryRunner,
  projectId: string,
  after: string,
): Promise<string | null> {
  await runner.startTransaction();
  try {
    await runner.query(`SELECT set_config('app.project_id', $1, true)`, [projectId]);
    // Locked first: the next statement then sees each object as other transactions have left it.
    const rows: { id: string }[] = await runner.query(
      `SELECT object_id AS id FROM object_index WHERE project_id = $1 AND object_id > $2
       ORDER BY object_id LIMIT ${batchSize} FOR UPDATE`,
      [projectId, after],
    );
    const ids = rows.map((row) => row.id);
    await runner.query(detailsSql, [projectId, ids]);
    await runner.query(wordsSql, [projectId, ids]);
    await runner.query(textsSql, [projectId, ids]);
    await runner.commitTransaction();
    return rows.length < batchSize ? null : rows.at(-1)!.id;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

const detailsSql = `
  UPDATE object_index x SET details = source.details
  FROM (
    SELECT o.id, joined_details(object_details(o.filename, o.tags, o.metadata),
      (SELECT image_details(i.title, i.description, i.alt_text, i.camera) FROM image i
       WHERE i.project_id = $1 AND i.object_id = o.id)) AS details
    FROM object o WHERE o.project_id = $1 AND o.id = ANY($2::text[])) source
  WHERE x.project_id = $1 AND x.object_id = source.id AND x.details <> source.details`;

const wordsSql = `
  SELECT image_word_keep($1, array_agg(DISTINCT word.lexeme))
  FROM object_text t, unnest(t.vector) word
  WHERE t.project_id = $1 AND t.object_id = ANY($2::text[])`;

const textsSql = `
  UPDATE object_text t SET text = excerpt_text(p.text)
  FROM job_page p
  WHERE t.project_id = $1 AND t.object_id = ANY($2::text[]) AND t.text IS NULL
    AND p.project_id = $1 AND p.job_id = t.job_id AND p.page = t.page AND p.operation_index = (
      SELECT max(last.operation_index) FROM job_page last
      WHERE last.project_id = $1 AND last.job_id = t.job_id AND last.text IS NOT NULL)`;
