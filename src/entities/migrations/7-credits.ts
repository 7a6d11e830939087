import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Adds the creator and the copyright of images, and finds images by them. Images that an earlier
 * release has read have neither.
 */
export class Credits2000000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('image')}
      ${lockPatiently('object_index', 'SHARE ROW EXCLUSIVE')}
      ALTER TABLE image ADD COLUMN creator text, ADD COLUMN copyright text;
      ${detailsSql}`);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

/** As in `5-places`, with the creator and the copyright beside the place. */
const detailsSql = `
  CREATE OR REPLACE FUNCTION object_index_add() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  BEGIN
    -- One statement may add an object and its image.
    INSERT INTO object_index (project_id, object_id, tags, details)
    SELECT o.project_id, o.id, o.tags, joined_details(
      object_details(o.filename, o.tags, o.metadata),
      (SELECT image_details(i.title, i.description, i.alt_text, i.camera,
        concat_ws(' ', i.creator, i.copyright, p.place)) FROM image i
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
        (SELECT image_details(i.title, i.description, i.alt_text, i.camera,
        concat_ws(' ', i.creator, i.copyright, p.place)) FROM image i
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
        concat_ws(' ', NEW.creator, NEW.copyright, (SELECT p.place FROM image_place p
         WHERE p.project_id = NEW.project_id AND p.image_id = NEW.id))))
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
      OR NEW.creator IS NOT NULL OR NEW.copyright IS NOT NULL OR NEW.camera IS NOT NULL
      OR NEW.location IS NOT NULL)
    EXECUTE FUNCTION object_index_image();
  CREATE TRIGGER object_index_image_changed
    AFTER UPDATE OF title, description, alt_text, creator, copyright, camera, location ON image FOR EACH ROW
    WHEN ((NEW.title, NEW.description, NEW.alt_text, NEW.creator, NEW.copyright, NEW.camera,
        NEW.location)
      IS DISTINCT FROM (OLD.title, OLD.description, OLD.alt_text, OLD.creator, OLD.copyright,
        OLD.camera, OLD.location))
    EXECUTE FUNCTION object_index_image();`;
