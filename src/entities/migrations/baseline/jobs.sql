-- Document jobs with their operations, pages and outputs, and reviews by people.

-- Postgres reads a CHECK from the catalogue for every statement that writes a row, word by word: a list of
-- states costs as much as an index entry. A cast to an enum expresses the same in one word.
CREATE TYPE job_state AS ENUM ('queued', 'running', 'awaiting_review', 'cancelling', 'succeeded',
  'partially_succeeded', 'failed', 'cancelled');
CREATE TYPE operation_state AS ENUM ('pending', 'running', 'awaiting_review', 'succeeded',
  'partially_succeeded', 'failed', 'skipped', 'cancelled');

CREATE TABLE job (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'queued' CHECK (state::job_state IS NOT NULL),
  source_object_id text COLLATE "C" NOT NULL,
  -- The selected page ranges as sent ("1-3,7"), or null for all.
  pages text COLLATE "C",
  -- Each page counts once per operation; null until the source was opened.
  pages_total integer,
  pages_completed integer NOT NULL DEFAULT 0,
  pages_failed integer NOT NULL DEFAULT 0,
  percent integer NOT NULL DEFAULT 0,
  current_operation_index integer NOT NULL DEFAULT 0,
  warnings jsonb NOT NULL DEFAULT '[]',
  error jsonb,
  retry_of text COLLATE "C",
  retry_scope text COLLATE "C",
  metadata jsonb NOT NULL DEFAULT '{}',
  -- The request that started it, so that events recorded by its workers refer to the same request.
  origin jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id)
) WITH (fillfactor = 70);
CREATE INDEX job_newest ON job (project_id, created_at, id);
CREATE INDEX job_source ON job (project_id, source_object_id);
CREATE INDEX job_by_state ON job (project_id, state, id);

CREATE TABLE job_operation (
  project_id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  index integer NOT NULL,
  op text COLLATE "C" NOT NULL,
  options jsonb NOT NULL,
  implicit boolean NOT NULL DEFAULT false,
  state text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (state::operation_state IS NOT NULL),
  pages_total integer,
  pages_succeeded integer NOT NULL DEFAULT 0,
  pages_failed integer NOT NULL DEFAULT 0,
  pages_skipped integer NOT NULL DEFAULT 0,
  result jsonb,
  error jsonb,
  -- The contents of a redaction's certificate.
  certificate jsonb,
  started_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (project_id, job_id, index),
  FOREIGN KEY (project_id, job_id) REFERENCES job (project_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70);

CREATE TABLE job_page (
  project_id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  operation_index integer NOT NULL,
  page integer NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (state IN
    ('pending', 'running', 'succeeded', 'failed', 'skipped', 'cancelled')),
  error jsonb,
  -- The result of the operation, in its format (confidence, characters, …).
  result jsonb,
  text text,
  -- The words with their boxes: deflated JSON.
  words bytea,
  -- Whether "words" is sealed under SECRET_KEY: it contains personal values, or everything that was read from
  -- a page before its redaction. If so, "text" is null or contains no personal value.
  sealed boolean NOT NULL DEFAULT false,
  finished_at timestamptz,
  PRIMARY KEY (project_id, job_id, operation_index, page),
  FOREIGN KEY (project_id, job_id, operation_index)
    REFERENCES job_operation (project_id, job_id, index) ON DELETE CASCADE
) WITH (fillfactor = 80);

-- An operation may have several outputs of one kind, such as the attachments of a message.
CREATE TABLE job_output (
  project_id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  operation_index integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, job_id, operation_index, kind, object_id),
  FOREIGN KEY (project_id, job_id, operation_index)
    REFERENCES job_operation (project_id, job_id, index) ON DELETE CASCADE,
  FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
);
CREATE INDEX job_output_kind ON job_output (project_id, kind, object_id);
-- Used by the foreign key for each object that is purged.
CREATE INDEX job_output_object ON job_output (project_id, object_id);
SELECT wall('{job,job_operation,job_page,job_output}');
GRANT SELECT, INSERT, UPDATE, DELETE ON job, job_operation, job_page, job_output TO api, worker;

-- The keys that sign certificates of redactions.
CREATE TABLE certificate_key (
  project_id text COLLATE "C" PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  public_key text COLLATE "C" NOT NULL,
  private_key text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
SELECT wall('{certificate_key}');
GRANT SELECT, INSERT ON certificate_key TO api;

-- Named lists of operations.
CREATE TABLE preset (
  project_id text COLLATE "C" NOT NULL REFERENCES project,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  operations jsonb NOT NULL,
  -- An actor, with the name at that time.
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id)
);
CREATE UNIQUE INDEX preset_name ON preset (project_id, lower(name));
SELECT wall('{preset}');
GRANT SELECT, INSERT, UPDATE, DELETE ON preset TO api;
GRANT SELECT ON preset TO worker;

CREATE TABLE review (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  operation_index integer NOT NULL,
  op text COLLATE "C" NOT NULL,
  source_object_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'open' CHECK (state IN
    ('open', 'submitted', 'rejected', 'cancelled', 'expired')),
  reviewers text COLLATE "C" NOT NULL CHECK (reviewers IN ('anyone', 'not_requester')),
  pages integer NOT NULL,
  pending integer NOT NULL DEFAULT 0,
  accepted integer NOT NULL DEFAULT 0,
  rejected integer NOT NULL DEFAULT 0,
  added integer NOT NULL DEFAULT 0,
  requested_by jsonb NOT NULL,
  claimed_by jsonb,
  claimed_until timestamptz,
  decided_by jsonb NOT NULL DEFAULT '[]',
  label text COLLATE "C",
  reason text,
  -- The position in the text of a file without pages (review_text).
  text_digest text COLLATE "C",
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  submitted_at timestamptz,
  ended_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id),
  -- An operation is reviewed once: a retry is a new job.
  UNIQUE (project_id, job_id, operation_index),
  FOREIGN KEY (project_id, job_id, operation_index)
    REFERENCES job_operation (project_id, job_id, index) ON DELETE CASCADE
);
CREATE INDEX review_oldest ON review (project_id, created_at, id);
CREATE INDEX review_source ON review (project_id, source_object_id);
CREATE INDEX review_by_state ON review (project_id, state, id);
CREATE INDEX review_by_expiry ON review (project_id, expires_at, id);

CREATE TABLE finding (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  page integer,
  -- For a finding in a file without pages: its position in the text.
  range_start integer,
  range_end integer,
  type text COLLATE "C" NOT NULL,
  -- The detected type, if a person changed it.
  found_as text COLLATE "C",
  score double precision,
  source text COLLATE "C" NOT NULL CHECK (source IN ('detector', 'person')),
  decision text COLLATE "C" NOT NULL DEFAULT 'pending'
    CHECK (decision IN ('pending', 'accepted', 'rejected')),
  decided_by jsonb,
  content text NOT NULL,
  reason text,
  removal jsonb,
  laid_out boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, review_id) REFERENCES review (project_id, id) ON DELETE CASCADE
);
CREATE INDEX finding_in_order ON finding (project_id, review_id, coalesce(page, 0), id);
CREATE INDEX finding_in_text ON finding (project_id, review_id, coalesce(page, 0), range_start)
  WHERE range_start IS NOT NULL;

CREATE TABLE review_count (
  project_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  score_tenth integer NOT NULL CHECK (score_tenth BETWEEN 0 AND 9),
  source text COLLATE "C" NOT NULL,
  decision text COLLATE "C" NOT NULL,
  findings integer NOT NULL,
  PRIMARY KEY (project_id, review_id, type, score_tenth, source, decision),
  FOREIGN KEY (project_id, review_id) REFERENCES review (project_id, id) ON DELETE CASCADE
);

-- The text of a file without pages.
CREATE TABLE review_text (
  project_id text COLLATE "C" NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  page integer NOT NULL,
  piece integer NOT NULL,
  layout text NOT NULL,
  start_at integer NOT NULL,
  length integer NOT NULL,
  first_line integer NOT NULL,
  lines integer NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (project_id, review_id, page, piece),
  FOREIGN KEY (project_id, review_id) REFERENCES review (project_id, id) ON DELETE CASCADE
);
SELECT wall('{review,finding,review_count,review_text}');
GRANT SELECT, INSERT, UPDATE, DELETE ON review, finding, review_count, review_text TO api, worker;
