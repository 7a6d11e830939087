import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexPartitions } from './index-partitions.ts';
import { patiently } from './patience.ts';

/**
 * Deliveries to an endpoint by the type of their event, which each gets when it is made. Those of
 * before, and of the release before, have none: their type is that of their event.
 */
export class DeliveriesByType1000000000099 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      patiently('delivery', 'ALTER TABLE delivery ADD COLUMN IF NOT EXISTS event_type text'),
    );
    await indexPartitions(runner, {
      name: 'delivery_type',
      table: 'delivery',
      // An endpoint is in one project.
      on: '(endpoint_id, event_type, id)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(patiently('delivery', 'ALTER TABLE delivery DROP COLUMN event_type'));
  }
}
