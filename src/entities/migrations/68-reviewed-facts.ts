import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What policies know about reviews by people. */
export class ReviewedFacts1000000000068 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE redaction_fact ADD COLUMN reviewed boolean NOT NULL DEFAULT false;
      ALTER TABLE inherited_fact ADD COLUMN reviewed_covers jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN unreviewed text[] NOT NULL DEFAULT '{}';

      CREATE FUNCTION unreviewed_operations(project text, object text, job text)
      RETURNS TABLE (op text) LANGUAGE sql STABLE AS $$
        -- The operations of the job that made an object, up to its own, that no person reviewed.
        SELECT jo.op FROM job_operation jo
        WHERE jo.project_id = project AND jo.job_id = job AND jo.op IN ('redact_pii', 'classify')
          AND jo.index <= coalesce((SELECT out.operation_index FROM job_output out
            WHERE out.project_id = project AND out.job_id = job AND out.object_id = object LIMIT 1), jo.index)
          AND NOT EXISTS (SELECT FROM review r WHERE r.project_id = project AND r.job_id = job
            AND r.operation_index = jo.index AND r.state = 'submitted')
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION unreviewed_operations;
      ALTER TABLE inherited_fact DROP COLUMN reviewed_covers, DROP COLUMN unreviewed;
      ALTER TABLE redaction_fact DROP COLUMN reviewed;
    `);
  }
}
