import type { MigrationInterface, QueryRunner } from 'typeorm';

const batchSize = 100;

/**
 * Adds the passages of existing texts. It works in short transactions beside the traffic; if it is
 * interrupted, it starts again without harm. Chunks of earlier jobs are in storage only: their
 * pages have passages without headings and boxes.
 */
export class FillPassages2000000000012 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const projects: { id: string }[] = await runner.query('SELECT id FROM project ORDER BY id');
    for (const { id } of projects) {
      for (let after: string | null = ''; after !== null; ) {
        after = await fillBatch(runner, id, after);
      }
    }
    // The planner needs statistics of the words.
    await runner.query('ANALYZE passage');
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

/** Adds the passages of the objects after one; returns the last one, or null if there are no more. */
async function fillBatch(
  runner: QueryRunner,
  projectId: string,
  after: string,
): Promise<string | null> {
  await runner.startTransaction();
  try {
    await runner.query(`SELECT set_config('app.project_id', $1, true)`, [projectId]);
    // Locked first: the next statement then sees the texts as other transactions have left them.
    const rows: { id: string }[] = await runner.query(
      `SELECT object_id AS id FROM object_index WHERE project_id = $1 AND object_id > $2
       ORDER BY object_id LIMIT ${batchSize} FOR UPDATE`,
      [projectId, after],
    );
    await runner.query(
      `SELECT add_passages(t) FROM object_text t
       WHERE t.project_id = $1 AND t.object_id = ANY($2::text[]) AND t.text IS NOT NULL
         AND NOT EXISTS (SELECT FROM passage p
           WHERE p.project_id = $1 AND p.object_id = t.object_id AND p.redacted = t.redacted
             AND p.page <= t.page AND p.last_page >= t.page)`,
      [projectId, rows.map(({ id }) => id)],
    );
    await runner.commitTransaction();
    return rows.length < batchSize ? null : rows.at(-1)!.id;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
