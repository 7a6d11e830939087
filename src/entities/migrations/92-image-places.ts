import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Where images were taken, for the map: `image.location` as numbers, in a table of its own, since
 * few images have a place, and expressions on JSON use no index behind a policy.
 */
export class ImagePlaces1000000000092 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE image_place (
        project_id text COLLATE "C" NOT NULL,
        image_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        latitude double precision NOT NULL,
        longitude double precision NOT NULL,
        PRIMARY KEY (project_id, image_id),
        FOREIGN KEY (project_id, image_id) REFERENCES image (project_id, id) ON DELETE CASCADE
      );

      CREATE FUNCTION image_place_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.location IS NULL THEN
          DELETE FROM image_place WHERE project_id = NEW.project_id AND image_id = NEW.id;
        ELSE
          INSERT INTO image_place (project_id, image_id, object_id, latitude, longitude)
          VALUES (NEW.project_id, NEW.id, NEW.object_id,
            (NEW.location->>'latitude')::double precision,
            (NEW.location->>'longitude')::double precision)
          ON CONFLICT (project_id, image_id) DO UPDATE
            SET latitude = excluded.latitude, longitude = excluded.longitude;
        END IF;
        RETURN NULL;
      END
      $$;
    `);
    await runner.query(`
      ${lockPatiently('image')}
      CREATE TRIGGER image_place_add AFTER INSERT ON image FOR EACH ROW
        WHEN (NEW.location IS NOT NULL) EXECUTE FUNCTION image_place_change();
      CREATE TRIGGER image_place_change AFTER UPDATE OF location ON image FOR EACH ROW
        WHEN (NEW.location IS DISTINCT FROM OLD.location) EXECUTE FUNCTION image_place_change();
      ALTER TABLE image NO FORCE ROW LEVEL SECURITY;
      INSERT INTO image_place (project_id, image_id, object_id, latitude, longitude)
        SELECT project_id, id, object_id, (location->>'latitude')::double precision,
          (location->>'longitude')::double precision
        FROM image WHERE jsonb_typeof(location) = 'object';
      ALTER TABLE image FORCE ROW LEVEL SECURITY;
      CREATE INDEX image_place_by_place ON image_place (project_id, longitude, latitude);
      SELECT wall('{image_place}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON image_place TO api, worker;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER image_place_add ON image;
      DROP TRIGGER image_place_change ON image;
      DROP FUNCTION image_place_change();
      DROP TABLE image_place;
    `);
  }
}
