import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexPartitions } from './index-partitions.ts';

/** Events by their type, however seldom it occurs. Recording an event does not write to the index. */
export class EventsByType1000000000098 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexPartitions(runner, {
      name: 'event_type',
      table: 'event',
      on: '(project_id, category, type, sequence) WHERE sequence IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX event_type');
  }
}
