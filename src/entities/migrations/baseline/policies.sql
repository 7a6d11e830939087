-- Security policies, their holds, and the facts on which they decide.

CREATE TABLE policy (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  mode text COLLATE "C" NOT NULL CHECK (mode IN ('enforce', 'audit', 'disabled')),
  scope_type text COLLATE "C" NOT NULL CHECK (scope_type IN ('project', 'collection', 'tag')),
  -- The tags, or the identifiers of collections.
  scope_members text[] NOT NULL DEFAULT '{}',
  actions text[] COLLATE "C" NOT NULL,
  -- {mime, labels}, or null.
  conditions jsonb,
  rules jsonb NOT NULL,
  -- The sticky rules of a policy.
  sticky_rules text[] COLLATE "C" NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id)
);
SELECT wall('{policy}');
GRANT SELECT, INSERT, UPDATE, DELETE ON policy TO api, worker;

-- An object that entered the scope of a sticky rule through a tag or a collection stays subject to it. No
-- foreign key to the object: a policy on 100,000 objects would lock each of them. Purging an object deletes
-- its rows.
CREATE TABLE object_hold (
  project_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  rule_type text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, object_id, policy_id, rule_type),
  FOREIGN KEY (project_id, policy_id) REFERENCES policy (project_id, id) ON DELETE CASCADE
);
CREATE INDEX object_hold_policy ON object_hold (project_id, policy_id);
SELECT wall('{object_hold}');
GRANT SELECT, INSERT, UPDATE, DELETE ON object_hold TO api, worker;

CREATE FUNCTION hold_objects(wanted_project text, wanted_objects text[]) RETURNS void
LANGUAGE plpgsql AS $$
-- Adds the holds that objects get from their tags and collections. Most projects have no policy with a sticky
-- rule, and planning the statement takes longer than everything else.
BEGIN
  PERFORM FROM policy p WHERE p.project_id = wanted_project AND p.mode <> 'disabled'
    AND p.scope_type IN ('tag', 'collection') AND p.sticky_rules <> '{}' LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  WITH placed AS (
    SELECT o.id, (
      WITH RECURSIVE up (id) AS (
        (SELECT m.collection_id FROM collection_member m
         WHERE m.project_id = wanted_project AND m.resource_type = 'object'
           AND m.resource_id = o.id
         UNION
         SELECT m.collection_id FROM image i JOIN collection_member m
           ON m.project_id = i.project_id AND m.resource_type = 'image' AND m.resource_id = i.id
         WHERE i.project_id = wanted_project AND i.object_id = o.id)
        UNION
        SELECT c.parent_id FROM up
        JOIN collection c ON c.project_id = wanted_project AND c.id = up.id
        WHERE c.parent_id IS NOT NULL)
      SELECT array_agg(id) FROM up) AS collections
    FROM unnest(wanted_objects) AS o (id)
    WHERE EXISTS (SELECT FROM policy p WHERE p.project_id = wanted_project
      AND p.scope_type = 'collection' AND p.mode <> 'disabled' AND p.sticky_rules <> '{}'))
  INSERT INTO object_hold (project_id, object_id, policy_id, rule_type)
  SELECT wanted_project, o.id, p.id, r.type
  FROM policy p CROSS JOIN LATERAL unnest(p.sticky_rules) AS r (type)
  JOIN object o ON o.project_id = wanted_project AND o.id = ANY(wanted_objects)
    AND o.tags && p.scope_members
  WHERE p.project_id = wanted_project AND p.mode <> 'disabled' AND p.scope_type = 'tag'
  UNION
  SELECT wanted_project, placed.id, p.id, r.type
  FROM policy p CROSS JOIN LATERAL unnest(p.sticky_rules) AS r (type)
  JOIN placed ON placed.collections && p.scope_members
  WHERE p.project_id = wanted_project AND p.mode <> 'disabled' AND p.scope_type = 'collection'
  ON CONFLICT DO NOTHING;
END
$$;

-- What a redaction removed, and whether it was verified that nothing of it remains.
CREATE TABLE redaction_fact (
  project_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  -- The source of the redaction; it may be purged earlier.
  source_object_id text COLLATE "C" NOT NULL,
  verified boolean NOT NULL,
  -- Null means all kinds. Without the types of rejected findings.
  entities text[] COLLATE "C",
  -- The requested kinds, "all" or a list, if they differ.
  asked jsonb,
  all_pages boolean NOT NULL,
  reviewed boolean NOT NULL DEFAULT false,
  -- Whether someone other than the requester submitted the review.
  four_eyes boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, object_id),
  FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
);
CREATE INDEX redaction_fact_source ON redaction_fact (project_id, source_object_id, created_at);
SELECT wall('{redaction_fact}');
GRANT SELECT, INSERT, UPDATE, DELETE ON redaction_fact TO api, worker;

-- The facts that an object inherits from a purged source: the scope of a policy must not end with the source,
-- and an object made from a redaction stays free of the same data.
CREATE TABLE inherited_fact (
  project_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  tags text[] NOT NULL,
  labels text[] COLLATE "C" NOT NULL,
  collection_ids text[] COLLATE "C" NOT NULL,
  -- What each verified redaction among its sources removed, with the requested kinds and the review.
  redactions jsonb NOT NULL DEFAULT '[]',
  unreviewed text[] COLLATE "C" NOT NULL DEFAULT '{}',
  -- Whether an object made from several others has parts without a classification.
  unclassified boolean NOT NULL DEFAULT false,
  -- The types of its sources, for conditions.
  types jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (project_id, object_id),
  FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
);
SELECT wall('{inherited_fact}');
GRANT SELECT, INSERT, UPDATE, DELETE ON inherited_fact TO api, worker;

-- The labels of an object that policies use: the first, which is the likeliest, and all others above a
-- minimum score. Other labels are only shown: if policies used them, half a library would be denied for wrong
-- labels.
CREATE FUNCTION labels_that_count(labels jsonb, partial boolean) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT l.value ->> 'label' FROM jsonb_array_elements(labels) WITH ORDINALITY AS l (value, place)
  WHERE NOT partial AND (l.place = 1 OR (l.value ->> 'score')::double precision >= 0.2)
$$;

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
