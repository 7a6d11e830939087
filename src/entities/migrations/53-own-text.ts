import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The text that a file holds itself is searched from its arrival on, without a job. */
export class OwnText1000000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION keep_own_text(
        wanted_project text, wanted_object text, given_pages integer[], given_texts text[])
      RETURNS void LANGUAGE plpgsql AS $$
      -- Takes the text that a file holds into the text that its object is searched by. As with jobs, the
      -- fullest text of each page stays, so that the order in which they end does not matter.
      DECLARE
        index_row object_index;
        newest_free_of text[];
      BEGIN
        SELECT * INTO index_row FROM object_index i
        WHERE i.project_id = wanted_project AND i.object_id = wanted_object FOR UPDATE;
        IF NOT FOUND THEN RETURN; END IF;
        -- From before pages were kept: the text of a whole, which keep_text takes apart.
        IF index_row.text <> '' AND NOT EXISTS (SELECT FROM object_text t
          WHERE t.project_id = wanted_project AND t.object_id = wanted_object) THEN
          RETURN;
        END IF;

        INSERT INTO object_text AS t (project_id, object_id, page, redacted, vector, last_position,
          free_of, worth, job_id)
        SELECT wanted_project, wanted_object, given.page, false, v.vector, v.last_position, NULL,
          length(regexp_replace(given.text, '\\s+', '', 'g')), ''
        FROM unnest(given_pages, given_texts) AS given (page, text), page_vector(given.text) v
        ON CONFLICT (project_id, object_id, page, redacted) DO UPDATE SET
          vector = excluded.vector, last_position = excluded.last_position,
          free_of = excluded.free_of, worth = excluded.worth, job_id = excluded.job_id
        WHERE (excluded.worth, excluded.job_id) >= (t.worth, t.job_id);

        -- What redactions left is no part of it.
        UPDATE object_index i SET text = read.vector, has_positions = read.has_positions
        FROM joined_text(wanted_project, wanted_object, NULL) read
        WHERE i.project_id = wanted_project AND i.object_id = wanted_object;
      END
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION keep_own_text(text, text, integer[], text[])');
  }
}
