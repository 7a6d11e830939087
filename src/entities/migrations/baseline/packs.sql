-- Packs of documents for language models.

CREATE TABLE pack (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'queued' CHECK (state IN
    ('queued', 'running', 'cancelling', 'succeeded', 'partially_succeeded', 'failed', 'cancelled')),
  name text NOT NULL,
  source jsonb NOT NULL,
  options jsonb NOT NULL,
  refreshes text COLLATE "C",
  retry_of text COLLATE "C",
  -- The request that started it, so that events recorded by its workers refer to the same request.
  origin jsonb NOT NULL,
  percent integer NOT NULL DEFAULT 0,
  -- A trigger counts its documents in the statement that changes them, so that a list does not read their
  -- rows.
  documents_total integer NOT NULL DEFAULT 0,
  documents_open integer NOT NULL DEFAULT 0,
  documents_completed integer NOT NULL DEFAULT 0,
  documents_failed integer NOT NULL DEFAULT 0,
  documents_withheld integer NOT NULL DEFAULT 0,
  documents_reused integer NOT NULL DEFAULT 0,
  pages_total integer NOT NULL DEFAULT 0,
  pages_completed integer NOT NULL DEFAULT 0,
  -- The archive. The object may be purged before the pack.
  object_id text COLLATE "C",
  error jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id)
) WITH (fillfactor = 70);
CREATE INDEX pack_newest ON pack (project_id, created_at, id);
-- Packs in progress are counted before another one is created.
CREATE INDEX pack_in_progress ON pack (project_id) WHERE finished_at IS NULL;

CREATE TABLE pack_document (
  project_id text COLLATE "C" NOT NULL,
  pack_id text COLLATE "C" NOT NULL,
  -- Starts at 1; by filename and identifier.
  position integer NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  filename text NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  mime text COLLATE "C" NOT NULL,
  pages integer,
  state text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (state IN
    ('pending', 'running', 'succeeded', 'withheld', 'failed', 'cancelled')),
  -- The common prefix of the identifiers of its chunks.
  citation_key text COLLATE "C" NOT NULL,
  job_id text COLLATE "C",
  reused boolean NOT NULL DEFAULT false,
  chunks integer,
  tokens integer,
  verified boolean,
  reviewed boolean,
  error jsonb,
  finished_at timestamptz,
  PRIMARY KEY (project_id, pack_id, position),
  FOREIGN KEY (project_id, pack_id) REFERENCES pack (project_id, id) ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX pack_document_open ON pack_document (project_id, pack_id, state, position)
  WHERE state IN ('pending', 'running');
CREATE INDEX pack_document_citation ON pack_document (project_id, citation_key);
SELECT wall('{pack,pack_document}');
GRANT SELECT, INSERT, UPDATE, DELETE ON pack, pack_document TO api, worker;

CREATE FUNCTION count_pack_documents() RETURNS trigger LANGUAGE plpgsql AS $$
-- Adds the inserted rows, and subtracts the rows that were changed.
BEGIN
  EXECUTE format('
    UPDATE pack p SET documents_total = p.documents_total + c.total,
      documents_open = p.documents_open + c.open,
      documents_completed = p.documents_completed + c.completed,
      documents_failed = p.documents_failed + c.failed,
      documents_withheld = p.documents_withheld + c.withheld,
      documents_reused = p.documents_reused + c.reused,
      pages_total = p.pages_total + c.pages,
      pages_completed = p.pages_completed + c.pages_completed
    FROM (
      SELECT project_id, pack_id, sum(sign) AS total,
        coalesce(sum(sign) FILTER (WHERE state IN (''pending'', ''running'')), 0) AS open,
        coalesce(sum(sign) FILTER (WHERE state = ''succeeded''), 0) AS completed,
        coalesce(sum(sign) FILTER (WHERE state = ''failed''), 0) AS failed,
        coalesce(sum(sign) FILTER (WHERE state = ''withheld''), 0) AS withheld,
        coalesce(sum(sign) FILTER (WHERE reused), 0) AS reused,
        sum(sign * coalesce(pages, 1)) AS pages,
        coalesce(sum(sign * coalesce(pages, 1)) FILTER (WHERE state = ''succeeded''), 0) AS pages_completed
      FROM (%s) changed GROUP BY project_id, pack_id) c
    WHERE p.project_id = c.project_id AND p.id = c.pack_id AND (c.total, c.open, c.completed, c.failed,
      c.withheld, c.reused, c.pages, c.pages_completed) <> (0, 0, 0, 0, 0, 0, 0, 0)',
    CASE TG_OP WHEN 'INSERT' THEN 'SELECT *, 1 AS sign FROM new_rows'
      ELSE 'SELECT *, 1 AS sign FROM new_rows UNION ALL SELECT *, -1 FROM old_rows' END);
  RETURN NULL;
END
$$;

CREATE TRIGGER pack_document_added AFTER INSERT ON pack_document
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_pack_documents();
CREATE TRIGGER pack_document_changed AFTER UPDATE ON pack_document
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_pack_documents();
