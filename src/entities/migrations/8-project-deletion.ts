import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the deletion of projects: its record, which outlives the project, and the removal of rows. */
export class ProjectDeletion2000000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${tableSql} ${functionsSql}`);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

const tableSql = `
  -- The only rows that remain of a deleted project. They contain no personal values.
  CREATE TABLE project_deletion (
    project_id text COLLATE "C" PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    -- The actor, without a name.
    requested_by jsonb NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    -- Deleted rows by table.
    rows_deleted jsonb NOT NULL DEFAULT '{}',
    -- Null until the files are counted.
    files_deleted bigint,
    finished_at timestamptz,
    -- When the remains of requests that were in progress were removed.
    checked_at timestamptz,
    -- {report, signature}
    report jsonb
  );
  SELECT wall('{project_deletion}');
  CREATE POLICY administration ON project_deletion TO owner USING (true);
  GRANT SELECT, INSERT ON project_deletion TO api;
  GRANT SELECT, UPDATE ON project_deletion TO worker;

  -- Workers sign the report with the key of the project.
  GRANT SELECT, INSERT ON certificate_key TO worker;`;

const functionsSql = `
  CREATE FUNCTION project_tables() RETURNS TABLE (name text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    -- Every table with rows of projects, from the catalogue, so that none is forgotten. Tables that refer to
    -- others come first, so that no deletion cascades to millions of rows. The record of the deletion stays.
    WITH RECURSIVE owned AS (
      SELECT c.oid, c.relname FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id' AND NOT a.attisdropped
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relname <> 'project_deletion'
    ), reference AS (
      SELECT DISTINCT conrelid AS child, confrelid AS parent FROM pg_constraint
      WHERE contype = 'f' AND conrelid <> confrelid
    ), level (oid, depth) AS (
      SELECT oid, 0 FROM owned
      -- The bound ends cycles.
      UNION SELECT r.child, l.depth + 1 FROM level l JOIN reference r ON r.parent = l.oid WHERE l.depth < 20
    )
    SELECT o.relname::text FROM owned o JOIN level l ON l.oid = o.oid
    GROUP BY o.relname ORDER BY max(l.depth) DESC, o.relname
  $$;

  CREATE FUNCTION is_being_deleted(wanted_project text) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM project_deletion d WHERE d.project_id = wanted_project)
  $$;

  CREATE FUNCTION close_project(wanted_project text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- Ends all access to a project that is being deleted. Its keys stay until the end, so that requests with
  -- them are told why.
  BEGIN
    IF NOT is_being_deleted(wanted_project) THEN
      RAISE EXCEPTION 'The project % is not being deleted.', wanted_project;
    END IF;
    UPDATE api_key SET revoked_at = now() WHERE project_id = wanted_project
      AND (revoked_at > now()) IS NOT FALSE;
    DELETE FROM portal_session WHERE project_id = wanted_project;
    DELETE FROM invitation WHERE project_id = wanted_project;
    DELETE FROM member WHERE project_id = wanted_project;
    UPDATE person SET last_project_id = NULL WHERE last_project_id = wanted_project;
  END
  $$;

  CREATE FUNCTION erase_rows(wanted_project text, wanted_table text, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- Deletes rows of a project that is being deleted from one of its tables, and counts them. The task that
  -- does this stays. Returns how many rows were deleted.
  DECLARE
    erased integer;
  BEGIN
    IF NOT is_being_deleted(wanted_project) THEN
      RAISE EXCEPTION 'The project % is not being deleted.', wanted_project;
    END IF;
    IF wanted_table NOT IN (SELECT name FROM project_tables()) THEN
      RAISE EXCEPTION 'The table % does not belong to projects.', wanted_table;
    END IF;
    -- In a partitioned table, other rows of the project may have the same ctid; they are deleted, too.
    EXECUTE format('DELETE FROM %1$I WHERE project_id = $1 %2$s AND ctid = ANY (ARRAY(
        SELECT ctid FROM %1$I WHERE project_id = $1 %2$s LIMIT $2))', wanted_table,
      CASE wanted_table WHEN 'task' THEN 'AND kind <> ''project.delete''' ELSE '' END)
      USING wanted_project, most;
    GET DIAGNOSTICS erased = ROW_COUNT;
    IF erased > 0 THEN
      UPDATE project_deletion SET rows_deleted = rows_deleted || jsonb_build_object(wanted_table,
        coalesce((rows_deleted->>wanted_table)::bigint, 0) + erased)
      WHERE project_id = wanted_project;
    END IF;
    RETURN erased;
  END
  $$;

  CREATE FUNCTION erase_project(wanted_project text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- Deletes the row of a project whose other rows were deleted, and people who were only its members.
  BEGIN
    IF NOT is_being_deleted(wanted_project) THEN
      RAISE EXCEPTION 'The project % is not being deleted.', wanted_project;
    END IF;
    DELETE FROM project WHERE id = wanted_project;
    PERFORM forget_people();
  END
  $$;

  REVOKE ALL ON FUNCTION project_tables, is_being_deleted, close_project, erase_rows, erase_project
    FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION is_being_deleted, close_project TO api, worker;
  GRANT EXECUTE ON FUNCTION project_tables, erase_rows, erase_project TO worker;`;
