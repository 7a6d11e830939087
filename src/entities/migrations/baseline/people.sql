-- People, their memberships of projects, and invitations.

-- A person does not belong to a project, so requests reach people only through functions of the owner.
CREATE TABLE person (
  id text COLLATE "C" PRIMARY KEY,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  name text,
  email text,
  last_project_id text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  signed_in_at timestamptz,
  UNIQUE (issuer, subject)
);
ALTER TABLE person ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY administration ON person TO owner USING (true);

-- A membership created by someone else is "invited" until the person accepts it: until then the project sees
-- no details of the person, and the person sees only the name of the project.
CREATE TABLE member (
  project_id text COLLATE "C" NOT NULL REFERENCES project,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES person,
  state text COLLATE "C" NOT NULL DEFAULT 'active' CHECK (state IN ('invited', 'active')),
  role text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL CHECK (source IN ('added', 'invitation', 'groups')),
  -- As given when the person was added.
  issuer text COLLATE "C",
  subject text COLLATE "C",
  -- Who granted the role; checked again when the person accepts.
  granted_by jsonb,
  -- Copies of the person's details, as of the last sign-in: a project sees the people in it.
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
  role text COLLATE "C" NOT NULL,
  -- The inviting actor, with the name at that time.
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
-- The identifier of a person, who may sign in later. It reveals no other details. The person is not deleted
-- before this transaction ends.
DECLARE
  found text;
BEGIN
  INSERT INTO person (id, issuer, subject) VALUES (random_id('usr'), wanted_issuer, wanted_subject)
  ON CONFLICT (issuer, subject) DO NOTHING RETURNING id INTO found;
  IF found IS NULL THEN
    SELECT p.id INTO found FROM person p
    WHERE p.issuer = wanted_issuer AND p.subject = wanted_subject FOR KEY SHARE;
  END IF;
  RETURN found;
END
$$;

CREATE FUNCTION sign_in_person(
  wanted_issuer text, wanted_subject text, given_name text, given_email text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
-- Records a sign-in and the details from the provider; projects see these in active members.
DECLARE
  found text := person_of(wanted_issuer, wanted_subject);
BEGIN
  UPDATE person SET name = given_name, email = given_email, signed_in_at = now()
    WHERE id = found;
  UPDATE member SET name = given_name, email = given_email, updated_at = now(),
      version = version + 1
    WHERE user_id = found AND state = 'active'
      AND (name, email) IS DISTINCT FROM (given_name, given_email);
  RETURN found;
END
$$;

CREATE FUNCTION forget_people() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
-- Deletes people without a membership an hour after their last sign-in: a sign-in in progress may be about to
-- create one. SKIP LOCKED: people who are becoming members are kept.
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

CREATE FUNCTION projects_of(wanted_user text)
RETURNS TABLE (id text, name text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- The projects that a person is an active member of, most recently used first.
  SELECT p.id, p.name, m.role FROM member m
  JOIN project p ON p.id = m.project_id JOIN person n ON n.id = m.user_id
  WHERE m.user_id = wanted_user AND m.state = 'active'
  ORDER BY (p.id = n.last_project_id) IS TRUE DESC, p.name, p.id
$$;

CREATE FUNCTION memberships_offered(wanted_user text)
RETURNS TABLE (id text, project_id text, project_name text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- The memberships that a person has not accepted yet.
  SELECT m.id, p.id, p.name, m.role FROM member m JOIN project p ON p.id = m.project_id
  WHERE m.user_id = wanted_user AND m.state = 'invited'
  ORDER BY m.created_at, m.id
$$;

REVOKE ALL ON FUNCTION person_of, sign_in_person, forget_people, projects_of, memberships_offered
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION person_of, sign_in_person, projects_of, memberships_offered TO api;
GRANT EXECUTE ON FUNCTION forget_people TO worker;
