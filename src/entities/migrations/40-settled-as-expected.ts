import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A statement that fails its transaction unless as many rows were found as were expected: nobody has
 * to wait for the count, since whatever was sent with it, the commit included, is undone.
 */
export class SettledAsExpected1000000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION demand_rows(counted bigint, expected integer) RETURNS void
      LANGUAGE plpgsql AS $$
      BEGIN
        IF counted <> expected THEN
          RAISE EXCEPTION 'found % rows of %', counted, expected USING ERRCODE = 'LS002';
        END IF;
      END
      $$;
      REVOKE ALL ON FUNCTION demand_rows FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION demand_rows TO worker;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION demand_rows');
  }
}
