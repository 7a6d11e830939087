import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files of `baseline/`, each after those on which it depends. */
const fileNames =
  `projects people sessions outbox webhooks partitions library image-search object-search counts
  jobs packs policies usage`.split(/\s+/);

/** The schema of 0.3.0, the first release from which later ones can upgrade. */
export class Baseline2000000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const fileName of fileNames) {
      const file = new URL(`baseline/${fileName}.sql`, import.meta.url);
      await runner.query(await readFile(file, 'utf8'));
    }
  }

  async down(): Promise<void> {
    throw new Error('The first migration cannot be reverted. Restore a backup.');
  }
}
