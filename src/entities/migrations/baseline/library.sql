-- The library: objects, images, uploads, collections, and shares and downloads.

CREATE TABLE object (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN
    ('processing', 'available', 'rejected', 'failed', 'trashed')),
  filename text NOT NULL,
  mime text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  pages integer,
  -- 'executable', 'scripted'; null if it was not checked.
  traits text[] COLLATE "C",
  labels jsonb NOT NULL DEFAULT '[]',
  -- Labels of a part of the object, or of a reading that the client's options may have degraded: they are
  -- shown, but policies ignore them.
  labels_partial boolean NOT NULL DEFAULT false,
  tags text[] NOT NULL DEFAULT '{}',
  metadata jsonb NOT NULL DEFAULT '{}',
  derived_from text COLLATE "C",
  source_kind text COLLATE "C" NOT NULL CHECK (source_kind IN ('upload', 'job')),
  source_job_id text COLLATE "C",
  rejection jsonb,
  trashed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX object_newest ON object (project_id, created_at, id);
CREATE INDEX object_bytes ON object (project_id, sha256);
-- With these indexes, every page of each sort order costs as much as the first.
CREATE INDEX object_by_filename ON object (project_id, filename, id);
CREATE INDEX object_by_bytes ON object (project_id, bytes, id);
CREATE INDEX object_by_mime ON object (project_id, mime, id);
CREATE INDEX object_source ON object (project_id, source_kind, created_at, id);
CREATE INDEX object_derived ON object (project_id, derived_from) WHERE derived_from IS NOT NULL;
CREATE INDEX object_trashed ON object (project_id, id) WHERE state = 'trashed';
SELECT wall('{object}');
GRANT SELECT, INSERT, UPDATE, DELETE ON object TO api, worker;

CREATE FUNCTION object_line(wanted_project text, wanted_object text)
RETURNS TABLE (id text, depth integer)
LANGUAGE sql STABLE AS $$
  -- An object and its chain of sources, up to the first. It has no bound: with one, an object could leave its
  -- policies by being processed often enough. The recursion ends, because an object is derived from an
  -- existing one and its source never changes.
  WITH RECURSIVE line AS (
    SELECT o.id, o.derived_from, 0 AS depth FROM object o
    WHERE o.project_id = wanted_project AND o.id = wanted_object
    UNION ALL
    SELECT o.id, o.derived_from, line.depth + 1 FROM line JOIN object o
      ON o.project_id = wanted_project AND o.id = line.derived_from)
  SELECT line.id, line.depth FROM line
$$;

-- Bytes that are served in place of an object's own: "strip:gps" where a policy requires it, and "page:…",
-- pictures of its pages.
CREATE TABLE object_variant (
  project_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  variant text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C",
  bytes bigint,
  -- Why it could not be made: {code, message, retryable}.
  error jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, object_id, variant),
  FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
);
CREATE INDEX object_variant_bytes ON object_variant (project_id, sha256);
-- Variants in progress are counted before another page is drawn.
CREATE INDEX object_variant_pending ON object_variant (project_id)
  WHERE sha256 IS NULL AND error IS NULL;
SELECT wall('{object_variant}');
GRANT SELECT, INSERT, UPDATE, DELETE ON object_variant TO api, worker;

-- One object, one image. State, filename, mime, bytes, tags and metadata are stored in the object.
CREATE TABLE image (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  -- Null until a worker has read the picture.
  processing boolean NOT NULL DEFAULT true,
  -- Why it could not be read: {code, message, retryable}.
  error jsonb,
  title text,
  description text,
  alt_text text,
  rating smallint CHECK (rating BETWEEN 1 AND 5),
  -- As displayed: the rotation in EXIF is applied.
  width integer,
  height integer,
  orientation text COLLATE "C" CHECK (orientation IN ('landscape', 'portrait', 'square')),
  captured_at timestamptz,
  camera jsonb,
  location jsonb,
  dominant_color text COLLATE "C",
  palette text[] COLLATE "C",
  blurhash text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The displayed version is the sum of this one and the object's.
  version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, id),
  UNIQUE (project_id, object_id),
  FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
);
SELECT wall('{image}');
GRANT SELECT, INSERT, UPDATE, DELETE ON image TO api, worker;

CREATE TABLE rendition (
  project_id text COLLATE "C" NOT NULL,
  image_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL CHECK (name IN ('thumb', 'w320', 'w640', 'w1280')),
  mime text COLLATE "C" NOT NULL CHECK (mime IN ('image/webp', 'image/avif')),
  sha256 text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  PRIMARY KEY (project_id, image_id, name, mime),
  FOREIGN KEY (project_id, image_id) REFERENCES image (project_id, id) ON DELETE CASCADE
);
CREATE INDEX rendition_bytes ON rendition (project_id, sha256);
SELECT wall('{rendition}');
GRANT SELECT, INSERT, UPDATE, DELETE ON rendition TO api, worker;

-- Uploads that are sent in several requests. The received size is not stored here: the storage knows which
-- bytes are durable.
CREATE TABLE upload (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The key or person that began it. No foreign key: it would lock the referenced row.
  key_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'uploading'
    CHECK (state IN ('uploading', 'completed', 'rejected', 'expired')),
  length bigint NOT NULL CHECK (length > 0),
  filename text NOT NULL,
  declared_mime text COLLATE "C",
  tags text[] NOT NULL,
  metadata jsonb NOT NULL,
  on_duplicate text COLLATE "C" NOT NULL CHECK (on_duplicate IN ('reuse', 'allow')),
  -- The Upload-Metadata header as received: HEAD returns it.
  given text COLLATE "C" NOT NULL,
  -- Detected once enough bytes have arrived.
  mime text COLLATE "C",
  object_id text COLLATE "C",
  deduplicated boolean,
  rejection jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE SET NULL (object_id)
);
CREATE INDEX upload_object ON upload (project_id, object_id) WHERE object_id IS NOT NULL;
SELECT wall('{upload}');
GRANT SELECT, INSERT, UPDATE, DELETE ON upload TO api, worker;

CREATE TABLE collection (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'available' CHECK (state IN ('available', 'trashed')),
  name text NOT NULL,
  description text,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('manual', 'smart')),
  -- A smart collection's filters, as GET /v1/images accepts them.
  query jsonb CHECK ((query IS NOT NULL) = (kind = 'smart')),
  parent_id text COLLATE "C",
  cover_image_id text COLLATE "C",
  -- Set while the cover is in the trash.
  cover_hidden boolean NOT NULL DEFAULT false,
  tags text[] NOT NULL DEFAULT '{}',
  metadata jsonb NOT NULL DEFAULT '{}',
  -- The number of members that are not hidden.
  member_count integer NOT NULL DEFAULT 0 CHECK (member_count >= 0),
  -- Increases when all positions are reassigned, which invalidates earlier cursors.
  order_epoch integer NOT NULL DEFAULT 0,
  trashed_at timestamptz,
  -- The collection whose deletion included this one; its own identifier if it was deleted itself.
  trashed_with text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  CHECK ((state = 'trashed') = (trashed_at IS NOT NULL AND trashed_with IS NOT NULL)),
  PRIMARY KEY (project_id, id),
  -- A collection that was trashed separately outlives a parent that is purged.
  FOREIGN KEY (project_id, parent_id) REFERENCES collection (project_id, id)
    ON DELETE SET NULL (parent_id),
  FOREIGN KEY (project_id, cover_image_id) REFERENCES image (project_id, id)
    ON DELETE SET NULL (cover_image_id)
) WITH (fillfactor = 70);
CREATE INDEX collection_newest ON collection (project_id, created_at, id);
CREATE INDEX collection_by_name ON collection (project_id, name, id);
CREATE INDEX collection_children ON collection (project_id, parent_id, created_at, id);
CREATE INDEX collection_cover ON collection (project_id, cover_image_id)
  WHERE cover_image_id IS NOT NULL;
CREATE INDEX collection_trashed_with ON collection (project_id, trashed_with)
  WHERE trashed_with IS NOT NULL;
CREATE INDEX collection_smart ON collection (project_id, id) WHERE kind = 'smart';
SELECT wall('{collection}');
GRANT SELECT, INSERT, UPDATE, DELETE ON collection TO api, worker;

CREATE TABLE collection_member (
  project_id text COLLATE "C" NOT NULL,
  collection_id text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C" NOT NULL CHECK (resource_type IN ('image', 'object')),
  resource_id text COLLATE "C" NOT NULL,
  -- A fractional index that orders the members; unique within a collection.
  position text COLLATE "C" NOT NULL,
  -- Set while the resource is in the trash.
  hidden boolean NOT NULL DEFAULT false,
  added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, collection_id, resource_type, resource_id),
  FOREIGN KEY (project_id, collection_id) REFERENCES collection (project_id, id) ON DELETE CASCADE
);
CREATE INDEX collection_member_order
  ON collection_member (project_id, collection_id, hidden, position);
CREATE INDEX collection_member_of
  ON collection_member (project_id, resource_type, resource_id, collection_id);
SELECT wall('{collection_member}');
GRANT SELECT, INSERT, UPDATE, DELETE ON collection_member TO api, worker;

-- Links for people without a key: they show an object or a collection, or accept uploads.
CREATE TABLE share (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('view', 'upload')),
  object_id text COLLATE "C",
  collection_id text COLLATE "C",
  title text,
  message text,
  password_hash text COLLATE "C",
  allow_download boolean NOT NULL,
  max_views integer,
  max_downloads integer,
  max_files integer,
  accept text[] COLLATE "C" NOT NULL DEFAULT '{}',
  max_bytes bigint,
  views integer NOT NULL DEFAULT 0,
  downloads integer NOT NULL DEFAULT 0,
  uploads integer NOT NULL DEFAULT 0,
  last_used_at timestamptz,
  -- An actor, with the name at that time. The link works while its creator has access.
  created_by jsonb NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, id),
  CHECK (CASE kind WHEN 'view' THEN num_nonnulls(object_id, collection_id) = 1
    ELSE object_id IS NULL END),
  FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE,
  FOREIGN KEY (project_id, collection_id) REFERENCES collection (project_id, id) ON DELETE CASCADE
-- Counters change often, and are in no index.
) WITH (fillfactor = 80);
CREATE INDEX share_object ON share (project_id, object_id) WHERE object_id IS NOT NULL;
CREATE INDEX share_collection ON share (project_id, collection_id) WHERE collection_id IS NOT NULL;
SELECT wall('{share}');
GRANT SELECT, INSERT, UPDATE, DELETE ON share TO api, worker;

-- Downloads of an object by actor, content and way: a row for each combination, with counters.
CREATE TABLE object_download (
  project_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  delivered_object_id text COLLATE "C" NOT NULL,
  content text COLLATE "C" NOT NULL,
  via text COLLATE "C" NOT NULL,
  actor_type text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  actor_name text,
  count bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  -- As of the latest request.
  address text COLLATE "C",
  request_id text COLLATE "C",
  -- The part that no event has reported yet.
  pending bigint NOT NULL,
  pending_since timestamptz NOT NULL,
  -- The time of the last event that reported it.
  reported_at timestamptz NOT NULL DEFAULT '-infinity',
  -- No foreign key: an object may be purged before its downloads are reported.
  PRIMARY KEY (project_id, object_id, delivered_object_id, content, via, actor_type, actor_id)
) WITH (fillfactor = 80);
CREATE INDEX object_download_delivered ON object_download (project_id, delivered_object_id);
CREATE INDEX object_download_pending ON object_download (project_id, reported_at) WHERE pending > 0;
SELECT wall('{object_download}');
GRANT SELECT, INSERT, UPDATE ON object_download TO api;
GRANT SELECT, UPDATE, DELETE ON object_download TO worker;
