import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Events without a number by shard of projects, so that a relay reads only the shards it has locked.
 * Each partition's index is built beside the traffic, which a transaction does not allow; the index
 * of the whole table then takes them over. A run that breaks off starts over. `event_unnumbered`
 * stays for figures, and for the release before.
 */
export class NumberingShards1000000000099 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const partitions: { name: string }[] = await runner.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'event'::regclass`,
    );
    for (const { name } of partitions) {
      // A partition may have been dropped meanwhile.
      const [there]: { name: string | null }[] = await runner.query(
        `SELECT to_regclass($1)::text AS name`,
        [name],
      );
      if (!there?.name) continue;
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}_place`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name}_place ON ${name} ${on}`);
    }
    await runner.query(`${lockPatiently('event')} CREATE INDEX event_place ON event ${on}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${lockPatiently('event')} DROP INDEX event_place`);
  }
}

/** One key of shard and order: an index on two columns gives no order that `event_unnumbered` lacks. */
const on = `((((hashtext(project_id) & 15)::bigint << 48) | ordinal)) WHERE sequence IS NULL`;
