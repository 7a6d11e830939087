import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The end of a task as a statement that fails when somebody else holds it by now: nobody has to wait
 * for its answer, since whatever was sent after it in the same transaction is undone.
 */
export class FinishTask1000000000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION finish_task(finished_id text, held_epoch integer) RETURNS void
      LANGUAGE plpgsql AS $$
      BEGIN
        -- A task that runs has a lease, and no other. Its state is not asked for, since the planner
        -- would look for it among all that run.
        DELETE FROM task
        WHERE id = finished_id AND lease_epoch = held_epoch AND lease_until IS NOT NULL;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'the lease on the task is lost' USING ERRCODE = 'LS001';
        END IF;
      END
      $$;
      REVOKE ALL ON FUNCTION finish_task FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION finish_task TO api, worker, relay;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION finish_task');
  }
}
