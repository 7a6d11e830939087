import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQL that makes `person_of` give new people identifiers of an SQL expression. */
const identifyPeople = (id: string): string => `
  CREATE OR REPLACE FUNCTION person_of(wanted_issuer text, wanted_subject text) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- The identifier of a person, who may sign in later. It shows nothing else of them. The person is not
  -- forgotten before this transaction ends.
  DECLARE
    found text;
  BEGIN
    INSERT INTO person (id, issuer, subject) VALUES (${id}, wanted_issuer, wanted_subject)
    ON CONFLICT (issuer, subject) DO NOTHING RETURNING id INTO found;
    IF found IS NULL THEN
      SELECT p.id INTO found FROM person p
      WHERE p.issuer = wanted_issuer AND p.subject = wanted_subject FOR KEY SHARE;
    END IF;
    RETURN found;
  END
  $$;`;

/**
 * Identifiers of new people are random: the time in them would tell one project since when a person has
 * been known to others.
 */
export class PeopleWithoutTime1000000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION random_id(prefix text) RETURNS text
      LANGUAGE sql VOLATILE AS $$
        -- As new_id, but of a random UUID.
        WITH bits AS MATERIALIZED (
          SELECT B'00' || ('x' || replace(gen_random_uuid()::text, '-', ''))::bit(128) AS value
        )
        SELECT prefix || '_' || string_agg(
          substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits.value FROM at FOR 5)::bit(5)::integer + 1, 1),
          '' ORDER BY at)
        FROM bits, generate_series(1, 126, 5) AS at
      $$;
      REVOKE ALL ON FUNCTION random_id FROM PUBLIC;
      ${identifyPeople(`random_id('usr')`)}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${identifyPeople(`new_id('usr')`)} DROP FUNCTION random_id;`);
  }
}
