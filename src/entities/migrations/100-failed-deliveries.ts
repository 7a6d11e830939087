import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexPartitions } from './index-partitions.ts';

/**
 * The deliveries to an endpoint whose latest attempt failed: those that have ended, and the attempts by
 * hand that failed. What succeeds at once is in neither, so settling it touches no further index.
 */
export class FailedDeliveries1000000000100 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexPartitions(runner, {
      name: 'delivery_ended_failed',
      table: 'delivery',
      on: `(endpoint_id, id) WHERE failed_as IS NOT NULL OR reason = 'replayed'`,
    });
    await indexPartitions(runner, {
      name: 'attempt_failed_by_hand',
      table: 'attempt',
      on: `(project_id) WHERE trigger = 'manual' AND outcome <> 'succeeded'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX delivery_ended_failed');
    await runner.query('DROP INDEX attempt_failed_by_hand');
  }
}
