import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People, their memberships of projects, and invitations. */
export class Members1000000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A person belongs to no project, so requests reach it through functions of the owner only.
      CREATE TABLE person (
        id text COLLATE "C" PRIMARY KEY,
        issuer text NOT NULL,
        subject text NOT NULL,
        name text,
        email text,
        created_at timestamptz NOT NULL DEFAULT now(),
        signed_in_at timestamptz,
        UNIQUE (issuer, subject)
      );
      ALTER TABLE person ENABLE ROW LEVEL SECURITY;
      ALTER TABLE person FORCE ROW LEVEL SECURITY;
      CREATE POLICY administration ON person TO owner USING (true);

      CREATE TABLE member (
        project_id text COLLATE "C" NOT NULL REFERENCES project,
        id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL REFERENCES person,
        role text NOT NULL,
        source text NOT NULL CHECK (source IN ('added', 'invitation', 'groups')),
        -- Copies of the person's, as of the last sign-in: a project sees the people in it.
        name text,
        email text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id),
        UNIQUE (project_id, user_id)
      );
      CREATE INDEX member_user ON member (user_id);
      SELECT wall('{member}');
      CREATE POLICY administration ON member TO owner USING (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON member TO api;
      GRANT SELECT ON member TO worker;

      CREATE TABLE invitation (
        project_id text COLLATE "C" NOT NULL REFERENCES project,
        id text COLLATE "C" NOT NULL,
        name text,
        role text NOT NULL,
        -- Who invited: an actor, with the name at that time.
        created_by jsonb NOT NULL,
        accepted_by text COLLATE "C",
        accepted_at timestamptz,
        revoked_at timestamptz,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id)
      );
      SELECT wall('{invitation}');
      GRANT SELECT, INSERT, UPDATE ON invitation TO api;
      GRANT SELECT, DELETE ON invitation TO worker;

      CREATE FUNCTION person_of(wanted_issuer text, wanted_subject text) RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- The identifier of a person, who may sign in later. It shows nothing else of them.
      DECLARE
        found text;
      BEGIN
        INSERT INTO person (id, issuer, subject) VALUES (new_id('usr'), wanted_issuer, wanted_subject)
        ON CONFLICT (issuer, subject) DO NOTHING RETURNING id INTO found;
        IF found IS NULL THEN
          SELECT p.id INTO found FROM person p
          WHERE p.issuer = wanted_issuer AND p.subject = wanted_subject;
        END IF;
        RETURN found;
      END
      $$;
      REVOKE ALL ON FUNCTION person_of FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION person_of TO api;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION person_of; DROP TABLE invitation, member, person;');
  }
}
