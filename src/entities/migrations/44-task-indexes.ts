import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes of tasks that a hand-over does not touch, so that it is a HOT update: `handed_at` stands in
 * none of them. They are built beside the traffic, which a transaction does not allow; a run that
 * breaks off starts over. The release before reads with them too, except when it counts what it has
 * handed over: for that it reads the table until it is gone.
 */
export class TaskIndexes1000000000044 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE task SET (fillfactor = 50)`);
    // Whose turn it is: project by project, each in the order in which its tasks are due.
    await rebuild(runner, 'task_turn', `(queue, project_id, due_at) WHERE state = 'pending'`);
    // Whether anything is due, and what has been for longest, whatever the number of projects.
    await rebuild(runner, 'task_next', `(queue, due_at) WHERE state = 'pending'`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS task_due');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS task_handed');
  }

  async down(runner: QueryRunner): Promise<void> {
    await rebuild(
      runner,
      'task_due',
      `(queue, project_id, due_at) WHERE state = 'pending' AND handed_at IS NULL`,
    );
    await rebuild(runner, 'task_handed', '(queue, handed_at) WHERE handed_at IS NOT NULL');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS task_next');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS task_turn');
    await runner.query(`ALTER TABLE task SET (fillfactor = 70)`);
  }
}

/** What a run that broke off has left of an index is not valid, and in the way. */
async function rebuild(runner: QueryRunner, name: string, on: string): Promise<void> {
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON task ${on}`);
}
