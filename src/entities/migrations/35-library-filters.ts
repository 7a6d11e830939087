import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where objects come from can be asked for, and the trash emptied, without reading all of them. */
export class LibraryFilters1000000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX object_source ON object (project_id, source_kind, created_at, id);
      CREATE INDEX object_trashed ON object (project_id, id) WHERE state = 'trashed';
      CREATE INDEX job_output_kind ON job_output (project_id, kind, object_id);
      -- Asked for each object that is purged, by the foreign key.
      CREATE INDEX job_output_object ON job_output (project_id, object_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX job_output_object;
      DROP INDEX job_output_kind;
      DROP INDEX object_trashed;
      DROP INDEX object_source;
    `);
  }
}
