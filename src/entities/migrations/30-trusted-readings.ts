import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['object', 'job', 'job_operation', 'job_output', 'redaction_fact'];

/**
 * Policies go by what was read by means that a client cannot choose: labels of a part of an object, or
 * of a reading that is not to be relied on, are shown and count for nothing; redactions that relied on
 * such a reading are not verified any more.
 */
export class TrustedReadings1000000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await runner.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    }
    await runner.query(`
      ALTER TABLE object ADD COLUMN labels_partial boolean NOT NULL DEFAULT false;

      CREATE FUNCTION labels_that_count(labels jsonb, partial boolean) RETURNS SETOF text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT l FROM labels_that_count(labels) l WHERE NOT partial
      $$;

      -- A reading that the client's options can have made worse than the service's own.
      CREATE TEMPORARY TABLE untrusted_job ON COMMIT DROP AS
        SELECT project_id, job_id FROM job_operation
        WHERE op = 'ocr' AND (options @> '{"rotate": false}' OR options @> '{"existing_text": "redo"}'
          OR NOT coalesce(options -> 'languages', '["eng"]') ? 'eng');

      UPDATE redaction_fact r SET verified = false
      FROM job_output o JOIN untrusted_job u ON u.project_id = o.project_id AND u.job_id = o.job_id
      WHERE o.project_id = r.project_id AND o.object_id = r.object_id;

      UPDATE object SET labels_partial = true
      WHERE labels <> '[]' AND NOT EXISTS (
        SELECT FROM job j JOIN job_operation c ON c.project_id = j.project_id AND c.job_id = j.id
        WHERE j.project_id = object.project_id AND j.source_object_id = object.id
          AND j.pages IS NULL AND c.op = 'classify' AND c.state = 'succeeded'
          AND NOT EXISTS (SELECT FROM untrusted_job u
            WHERE u.project_id = j.project_id AND u.job_id = j.id)
          AND NOT EXISTS (SELECT FROM job_operation r WHERE r.project_id = j.project_id
            AND r.job_id = j.id AND r.op = 'redact_pii' AND r.index < c.index));
    `);
    for (const table of tables) {
      await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION labels_that_count(jsonb, boolean);
      ALTER TABLE object DROP COLUMN labels_partial;
    `);
  }
}
