import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A person who is a member of no project is forgotten; events keep the names of their time. */
export class ForgetPeople1000000000076 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION person_of(wanted_issuer text, wanted_subject text) RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- As before; and the person is not forgotten before this transaction ends.
      DECLARE
        found text;
      BEGIN
        INSERT INTO person (id, issuer, subject) VALUES (new_id('usr'), wanted_issuer, wanted_subject)
        ON CONFLICT (issuer, subject) DO NOTHING RETURNING id INTO found;
        IF found IS NULL THEN
          SELECT p.id INTO found FROM person p
          WHERE p.issuer = wanted_issuer AND p.subject = wanted_subject FOR KEY SHARE;
        END IF;
        RETURN found;
      END
      $$;

      CREATE FUNCTION forget_people() RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Deletes people without a membership, an hour after their last sign-in: one that is going on
      -- may be about to make them members. SKIP LOCKED: those who become members now stay.
      DECLARE
        forgotten integer;
      BEGIN
        WITH former AS (
          SELECT p.id FROM person p
          WHERE greatest(p.created_at, p.signed_in_at) < now() - interval '1 hour'
            AND NOT EXISTS (SELECT FROM member m WHERE m.user_id = p.id)
          FOR UPDATE SKIP LOCKED)
        DELETE FROM person WHERE id IN (SELECT id FROM former)
          AND NOT EXISTS (SELECT FROM member m WHERE m.user_id = person.id);
        GET DIAGNOSTICS forgotten = ROW_COUNT;
        RETURN forgotten;
      END
      $$;
      REVOKE ALL ON FUNCTION forget_people FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION forget_people TO worker;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION forget_people()');
  }
}
