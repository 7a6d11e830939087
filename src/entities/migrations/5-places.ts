import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Names the places of images, so that a search finds them: the largest city within 25 km, otherwise the
 * nearest one within 100 km, as the portal names them, and its country. Triggers do it, so that images
 * are named whichever release writes them. `6-fill-places` names the existing ones.
 */
export class Places2000000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('image', 'SHARE ROW EXCLUSIVE')}
      ${lockPatiently('object_index', 'SHARE ROW EXCLUSIVE')}
      ${lockPatiently('image_place')}
      ${citySql} ${placeSql} ${detailsSql}`);
    const lines = await readFile(new URL('places/cities.txt', import.meta.url), 'utf8');
    await runner.query(
      `INSERT INTO city (id, name, country, latitude, longitude)
       SELECT place, split_part(line, '|', 1), split_part(line, '|', 2),
         split_part(line, '|', 3)::double precision / 100, split_part(line, '|', 4)::double precision / 100
       FROM string_to_table($1, E'\\n') WITH ORDINALITY AS lines (line, place)`,
      [lines.trim()],
    );
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

const citySql = `
  -- Cities of GeoNames with at least 100,000 inhabitants, by their rank: the largest is the first.
  CREATE TABLE city (
    id integer PRIMARY KEY,
    name text NOT NULL,
    country text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL
  );
  CREATE INDEX city_by_latitude ON city (latitude);
  GRANT SELECT ON city TO api, worker;

  CREATE FUNCTION place_name(wanted_latitude double precision, wanted_longitude double precision)
  RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT name || ', ' || country FROM (
      SELECT c.id, c.name, c.country, 111.2 * sqrt(
        (c.latitude - wanted_latitude) ^ 2
        + (least(abs(c.longitude - wanted_longitude), 360 - abs(c.longitude - wanted_longitude))
          * cosd(wanted_latitude)) ^ 2) AS distance
      FROM city c WHERE c.latitude BETWEEN wanted_latitude - 0.9 AND wanted_latitude + 0.9) near
    WHERE distance <= 100
    ORDER BY distance > 25, CASE WHEN distance > 25 THEN distance END, id LIMIT 1
  $$;`;

const placeSql = `
  ALTER TABLE image_place ADD COLUMN place text;

  CREATE OR REPLACE FUNCTION image_place_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.location IS NULL THEN
      DELETE FROM image_place WHERE project_id = NEW.project_id AND image_id = NEW.id;
    ELSE
      INSERT INTO image_place (project_id, image_id, object_id, latitude, longitude, place)
      SELECT NEW.project_id, NEW.id, NEW.object_id, latitude, longitude,
        place_name(latitude, longitude)
      FROM (SELECT (NEW.location->>'latitude')::double precision AS latitude,
        (NEW.location->>'longitude')::double precision AS longitude) given
      ON CONFLICT (project_id, image_id) DO UPDATE
        SET latitude = excluded.latitude, longitude = excluded.longitude, place = excluded.place;
    END IF;
    RETURN NULL;
  END
  $$;`;

const detailsSql = `
  CREATE FUNCTION image_details(title text, description text, alt_text text, camera jsonb, place text)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    image_details(title, description, alt_text, camera)
    || setweight(to_tsvector('library', plain_words(place)), 'C');

  CREATE OR REPLACE FUNCTION object_index_add() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  BEGIN
    -- One statement may add an object and its image.
    INSERT INTO object_index (project_id, object_id, tags, details)
    SELECT o.project_id, o.id, o.tags, joined_details(
      object_details(o.filename, o.tags, o.metadata),
      (SELECT image_details(i.title, i.description, i.alt_text, i.camera, p.place) FROM image i
       LEFT JOIN image_place p ON p.project_id = i.project_id AND p.image_id = i.id
       WHERE i.project_id = o.project_id AND i.object_id = o.id))
    FROM changed o;
    RETURN NULL;
  END
  $$;

  CREATE OR REPLACE FUNCTION object_index_change() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  -- Updates row by row along the primary key: a join whose plan was made for one row would take
  -- thousands of times longer. The trigger of image_index has locked the image.
  DECLARE
    c record;
  BEGIN
    FOR c IN SELECT o.project_id, o.id, o.tags, joined_details(
        object_details(o.filename, o.tags, o.metadata),
        (SELECT image_details(i.title, i.description, i.alt_text, i.camera, p.place) FROM image i
         LEFT JOIN image_place p ON p.project_id = i.project_id AND p.image_id = i.id
         WHERE i.project_id = o.project_id AND i.object_id = o.id)) AS details
      FROM changed o
    LOOP
      UPDATE object_index i SET tags = c.tags, details = c.details
      WHERE i.project_id = c.project_id AND i.object_id = c.id
        AND (i.tags <> c.tags OR i.details <> c.details);
    END LOOP;
    RETURN NULL;
  END
  $$;

  CREATE OR REPLACE FUNCTION object_index_image() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  -- As above: a plan made for a small library would read all of a large one, for each row.
  BEGIN
    -- The next statement then sees the object as a concurrent transaction has left it.
    PERFORM FROM object_index i
    WHERE i.project_id = NEW.project_id AND i.object_id = NEW.object_id FOR UPDATE;
    -- The trigger of image_place, whose name comes first, has named the place.
    UPDATE object_index i SET details = joined_details(
      object_details(o.filename, o.tags, o.metadata),
      image_details(NEW.title, NEW.description, NEW.alt_text, NEW.camera,
        (SELECT p.place FROM image_place p
         WHERE p.project_id = NEW.project_id AND p.image_id = NEW.id)))
    FROM object o
    WHERE o.project_id = NEW.project_id AND o.id = NEW.object_id
      AND i.project_id = NEW.project_id AND i.object_id = NEW.object_id;
    RETURN NULL;
  END
  $$;
  DROP TRIGGER object_index_image_added ON image;
  DROP TRIGGER object_index_image_changed ON image;
  CREATE TRIGGER object_index_image_added AFTER INSERT ON image FOR EACH ROW
    WHEN (NEW.title IS NOT NULL OR NEW.description IS NOT NULL OR NEW.alt_text IS NOT NULL
      OR NEW.camera IS NOT NULL OR NEW.location IS NOT NULL)
    EXECUTE FUNCTION object_index_image();
  CREATE TRIGGER object_index_image_changed
    AFTER UPDATE OF title, description, alt_text, camera, location ON image FOR EACH ROW
    WHEN ((NEW.title, NEW.description, NEW.alt_text, NEW.camera, NEW.location)
      IS DISTINCT FROM (OLD.title, OLD.description, OLD.alt_text, OLD.camera, OLD.location))
    EXECUTE FUNCTION object_index_image();`;
