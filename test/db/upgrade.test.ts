import { expect } from 'chai';
import { DataSource } from 'typeorm';
import { migrate } from '../../src/db/prepare.ts';
import { migrations } from '../../src/entities/index.ts';
import { createDatabase, type TestDatabase } from '../support/services.ts';

/** The number of a migration: its name ends with a time, which ends with it. */
const number = (name: string): number => Number(/\d{13}$/.exec(name)![0]) - 1_000_000_000_000;

describe('a database that is older than the search of objects', () => {
  let database: TestDatabase;
  let superuser: DataSource;
  before(async () => {
    database = await createDatabase();
    superuser = await new DataSource({ type: 'postgres', url: database.superuserUrl }).initialize();
  });
  after(async () => {
    await superuser.destroy();
    await database.drop();
  });

  it('is searched as if it had always been: its objects, and the text that is still kept', async () => {
    await superuser.query('DROP SCHEMA public CASCADE');
    await superuser.query(
      'CREATE SCHEMA public AUTHORIZATION owner; GRANT USAGE ON SCHEMA public TO PUBLIC',
    );
    const older = await new DataSource({
      type: 'postgres',
      url: database.ownerUrl,
      migrations: migrations.filter(({ name }) => number(name) < 11),
      migrationsTableName: 'migration',
    }).initialize();
    await older.runMigrations({ transaction: 'each' });
    await older.destroy();
    await superuser.query(`
      INSERT INTO project (id, name) VALUES ('prj_a', 'a'), ('prj_b', 'b');
      INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, tags)
      SELECT 'obj_1', p.id, 'available', 'old ' || p.id || '.pdf', 'application/pdf', 1, 's', 'upload', '{t}'
      FROM project p;
      INSERT INTO job (id, project_id, source_object_id, origin, state)
      VALUES ('job_1', 'prj_a', 'obj_1', '{}', 'succeeded'), ('job_2', 'prj_a', 'obj_1', '{}', 'succeeded'),
        ('job_3', 'prj_a', 'obj_1', '{}', 'failed'), ('job_4', 'prj_a', 'obj_1', '{}', 'succeeded');
      INSERT INTO job_operation (project_id, job_id, index, op, options)
      SELECT project_id, id, 0, 'ocr', '{}' FROM job;
      INSERT INTO job_page (project_id, job_id, operation_index, page, text)
      SELECT project_id, id, 0, 1, CASE id WHEN 'job_4' THEN NULL ELSE 'by ' || id END FROM job;`);
    await migrate(database.ownerUrl);
    const rows = await superuser.query(
      'SELECT project_id, object_id, tags, details, text, text_job_id FROM object_index ORDER BY 1',
    );
    expect(rows).to.deep.equal([
      {
        project_id: 'prj_a',
        object_id: 'obj_1',
        tags: ['t'],
        details: `'a':3 'old':1 'pdf':4 'prj':2 't':5`,
        text: `'2':3 'by':1 'job':2`,
        text_job_id: 'job_2',
      },
      {
        project_id: 'prj_b',
        object_id: 'obj_1',
        tags: ['t'],
        details: `'b':3 'old':1 'pdf':4 'prj':2 't':5`,
        text: '',
        text_job_id: null,
      },
    ]);
  });
});
