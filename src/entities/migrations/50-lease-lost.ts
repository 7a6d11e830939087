import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a statement calls when the task that it was to end is in other hands: the transaction fails.
 * The end itself is plain SQL, at half the cost of `finish_task`, which stays for the release before.
 */
export class LeaseLost1000000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION raise_lease_lost() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the lease on the task is lost' USING ERRCODE = 'LS001';
      END
      $$;
      REVOKE ALL ON FUNCTION raise_lease_lost FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION raise_lease_lost TO api, worker, relay;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION raise_lease_lost');
  }
}
