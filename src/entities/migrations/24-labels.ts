import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an object is classified as, as policies are to see it. */
export class Labels1000000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The labels of an object that count: the first, which is the likeliest, and whatever else is
      -- at least likely. The rest is there to be read, and would have half a library denied for what
      -- it is not.
      CREATE FUNCTION labels_that_count(labels jsonb) RETURNS SETOF text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT l.value ->> 'label' FROM jsonb_array_elements(labels) WITH ORDINALITY AS l (value, place)
        WHERE l.place = 1 OR (l.value ->> 'score')::double precision >= 0.2
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION labels_that_count');
  }
}
