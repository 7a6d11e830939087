import type { MigrationInterface, QueryRunner } from 'typeorm';

const batchSize = 500;

/**
 * Names the places of existing images and adds the names to the index. It works in short
 * transactions beside the traffic; if it is interrupted, it starts again without harm.
 */
export class FillPlaces2000000000006 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const projects: { id: string }[] = await runner.query('SELECT id FROM project ORDER BY id');
    for (const { id } of projects) {
      for (let after: string | null = ''; after !== null; ) {
        after = await fillBatch(runner, id, after);
      }
    }
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

/** Names the places after an image; returns the last one, or null if there are no more. */
async function fillBatch(
  runner: QueryRunner,
  projectId: string,
  after: string,
): Promise<string | null> {
  await runner.startTransaction();
  try {
    await runner.query(`SELECT set_config('app.project_id', $1, true)`, [projectId]);
    const rows: { image: string; object: string }[] = await runner.query(
      `SELECT image_id AS image, object_id AS object FROM image_place
       WHERE project_id = $1 AND image_id > $2 ORDER BY image_id LIMIT ${batchSize}`,
      [projectId, after],
    );
    const objects = rows.map(({ object }) => object);
    // Images before their index, as triggers lock them; the next statements then see each image as other
    // transactions have left it.
    await runner.query(
      `SELECT FROM image WHERE project_id = $1 AND id = ANY($2::text[]) ORDER BY id FOR UPDATE`,
      [projectId, rows.map(({ image }) => image)],
    );
    await runner.query(
      `SELECT FROM object_index WHERE project_id = $1 AND object_id = ANY($2::text[])
       ORDER BY object_id FOR UPDATE`,
      [projectId, objects],
    );
    await runner.query(placesSql, [projectId, objects]);
    await runner.query(detailsSql, [projectId, objects]);
    await runner.commitTransaction();
    return rows.length < batchSize ? null : rows.at(-1)!.image;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

const placesSql = `
  UPDATE image_place SET place = place_name(latitude, longitude)
  WHERE project_id = $1 AND object_id = ANY($2::text[])
    AND place IS DISTINCT FROM place_name(latitude, longitude)`;

const detailsSql = `
  UPDATE object_index x SET details = source.details
  FROM (
    SELECT o.id, joined_details(object_details(o.filename, o.tags, o.metadata),
      (SELECT image_details(i.title, i.description, i.alt_text, i.camera, p.place) FROM image i
       LEFT JOIN image_place p ON p.project_id = i.project_id AND p.image_id = i.id
       WHERE i.project_id = $1 AND i.object_id = o.id)) AS details
    FROM object o WHERE o.project_id = $1 AND o.id = ANY($2::text[])) source
  WHERE x.project_id = $1 AND x.object_id = source.id AND x.details <> source.details`;
