import { newId } from '@scriptorium/contracts/ids';
import type { Tenant, TestApi } from './api.ts';

/** The properties of a test image; the rest is plain. */
export interface TestImage {
  title?: string;
  description?: string;
  alt_text?: string;
  tags?: string[];
  filename?: string;
  mime?: string;
  state?: string;
  bytes?: number;
  width?: number;
  height?: number;
  orientation?: string;
  rating?: number;
  created_at?: string;
  captured_at?: string;
  /** Latitude and longitude. */
  location?: readonly [number, number];
}

/** Adds images to a library in one statement each for objects and images; answers with their ids. */
export async function addImages(
  api: Pick<TestApi, 'rows'>,
  tenant: Pick<Tenant, 'projectId'>,
  images: readonly TestImage[],
): Promise<string[]> {
  const rows = images.map((one) => ({
    ...one,
    id: newId('image'),
    object_id: newId('object'),
    filename: one.filename ?? 'picture.jpg',
    mime: one.mime ?? 'image/jpeg',
    state: one.state ?? 'available',
    bytes: one.bytes ?? 1_000,
    tags: one.tags ?? [],
    created_at: one.created_at ?? new Date().toISOString(),
    location: one.location && {
      latitude: one.location[0],
      longitude: one.location[1],
      altitude_metres: null,
    },
  }));
  // Both at once, as the service does: an object that waits for its image could be changed meanwhile
  // by a writer that cannot see the image yet.
  await api.rows(
    `WITH objects AS (
       INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, tags, source_kind,
         created_at, updated_at)
       SELECT r.object_id, $1, r.state, r.filename, r.mime, r.bytes, repeat('0', 64), r.tags,
         'upload', r.created_at, r.created_at
       FROM jsonb_to_recordset($2) AS r (object_id text, state text, filename text, mime text,
         bytes bigint, tags text[], created_at timestamptz)
     )
     INSERT INTO image (id, project_id, object_id, processing, title, description, alt_text, rating,
       width, height, orientation, captured_at, location, created_at, updated_at)
     SELECT r.id, $1, r.object_id, false, r.title, r.description, r.alt_text, r.rating,
       r.width, r.height, r.orientation, r.captured_at, r.location, r.created_at, r.created_at
     FROM jsonb_to_recordset($2) AS r (id text, object_id text, title text, description text,
       alt_text text, rating smallint, width integer, height integer, orientation text,
       captured_at timestamptz, location jsonb, created_at timestamptz)`,
    [tenant.projectId, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}
