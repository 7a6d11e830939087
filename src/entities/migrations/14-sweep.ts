import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sweep of bytes that nobody points at, for projects that are older than it. */
export class Sweep1000000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The first of each project's chain, spread over a day; new projects come with theirs.
      INSERT INTO task (id, project_id, queue, kind, payload, resource_id, due_at)
      SELECT left(id_floor('tsk', now()), 14) || substr(md5(p.id || random()), 1, 16),
        p.id, 'maintenance', 'project.sweep', '{}', p.id, now() + random() * interval '1 day'
      FROM project p
      WHERE NOT EXISTS (SELECT FROM task t WHERE t.project_id = p.id AND t.kind = 'project.sweep');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM task WHERE kind = 'project.sweep'`);
  }
}
