import { expect } from 'chai';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/preparing/prepare.ts';
import { rejectEarlierSchema } from '../../src/db/preparing/start-up.ts';
import { migrations } from '../../src/entities/migrations/index.ts';
import { indexPartitions } from '../../src/entities/migrations/index-partitions.ts';
import { lockPatiently } from '../../src/entities/migrations/patience.ts';
import { eventually } from '../support/eventually.ts';
import { createDatabase, type TestDatabase } from '../support/services.ts';

/** A migration of a later release that changes tables in use. */
class Wider2999999999901 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('job')} ${lockPatiently('review')}
      ALTER TABLE job ADD COLUMN wider integer;
      ALTER TABLE review ADD COLUMN wider integer;
    `);
  }

  async down(): Promise<void> {}
}

/** One that indexes a partitioned table beside the traffic. */
class ByActor2999999999902 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexPartitions(runner, { name: 'event_actor', table: 'event', on: '(actor_id)' });
  }

  async down(): Promise<void> {}
}

describe('an upgrade', () => {
  let database: TestDatabase;
  let superuser: DataSource;
  beforeEach(async () => {
    database = await createDatabase();
    superuser = await new DataSource({
      type: 'postgres',
      url: database.superuserUrl,
    }).initialize();
  });
  afterEach(async () => {
    await superuser.destroy();
    await database.drop();
  });

  const clear = () =>
    superuser.query(
      'DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION owner; GRANT USAGE ON SCHEMA public TO PUBLIC',
    );
  const upgrade = (...later: (new () => MigrationInterface)[]) =>
    migrate(database.ownerUrl, undefined, [...migrations, ...later]);
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  const startWith = async (url: string): Promise<string> => {
    const opened: Database = await openDatabase(url, { poolSize: 1 });
    try {
      return await refusal(rejectEarlierSchema(opened));
    } finally {
      await opened.destroy();
    }
  };
  const waitFor = (condition: string) =>
    eventually(async () => {
      const rows = await superuser.query(`SELECT FROM ${condition}`);
      return rows.length > 0;
    }, 30_000);

  it('of a release before 0.3.0 is rejected, and so are processes on its schema', async () => {
    await clear();
    const owner = await new DataSource({ type: 'postgres', url: database.ownerUrl }).initialize();
    await owner.query(`
      CREATE TABLE migration (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL);
      INSERT INTO migration (timestamp, name) VALUES (1000000000001, 'Tenancy1000000000001');
      CREATE FUNCTION authenticate(wanted_hash bytea, wanted_project text) RETURNS text
        LANGUAGE sql AS 'SELECT NULL::text'`);
    const expected = /before 0\.3\.0.*cannot be upgraded.*into a new database/;
    expect(await refusal(upgrade())).to.match(expected);
    for (const url of [database.apiUrl, database.workerUrl, database.relayUrl]) {
      expect(await startWith(url)).to.match(expected);
    }
    const tables = await owner.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    expect(tables).to.deep.equal([{ relname: 'migration' }]);
    await owner.destroy();
  });

  it('leaves the processes of the release before working, and its command to migrate', async () => {
    expect(await upgrade(Wider2999999999901)).to.deep.equal(['Wider2999999999901']);
    expect(await upgrade()).to.deep.equal([]);
    for (const url of [database.apiUrl, database.workerUrl, database.relayUrl]) {
      expect(await startWith(url)).to.equal('accepted');
    }
  });

  it('from 0.3.0 fills the search index of existing images, their places, and documents', async () => {
    await clear();
    await migrate(database.ownerUrl, undefined, migrations.slice(0, 1));
    await superuser.query(`
      INSERT INTO project (id, name) VALUES ('prj_1', 'One'), ('prj_2', 'Two');
      INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
      SELECT 'obj_' || n, 'prj_' || 1 + n % 2, 'available', n || '.png', 'image/png', 1, 's', 'upload'
      FROM generate_series(1, 1200) n;
      INSERT INTO image (id, project_id, object_id, title)
      SELECT replace(id, 'obj_', 'img_'), project_id, id, 'Harbour ' || id FROM object;
      UPDATE image SET location = '{"latitude": -42.9, "longitude": 147.3}';
      INSERT INTO job (id, project_id, source_object_id, origin, state)
      VALUES ('job_1', 'prj_2', 'obj_1', '{}', 'succeeded');
      INSERT INTO job_operation (project_id, job_id, index, op, options)
      VALUES ('prj_2', 'job_1', 0, 'ocr', '{}');
      INSERT INTO job_page (project_id, job_id, operation_index, page, state, text)
      VALUES ('prj_2', 'job_1', 0, 1, 'succeeded', 'The Quay');
      SELECT keep_text('prj_2', 'obj_1', 'job_1');`);
    expect(await upgrade()).to.deep.equal(migrations.slice(1).map(({ name }) => name));
    const [found] = await superuser.query(
      `SELECT count(*)::integer AS images FROM object_index WHERE details @@ 'harbour:A & png:B & hobart:C & australia:C'`,
    );
    expect(found.images).to.equal(1200);
    expect(await superuser.query('SELECT text FROM object_text')).to.deep.equal([
      { text: 'The Quay' },
    ]);
    expect(await superuser.query('SELECT page, text, job_id FROM passage')).to.deep.equal([
      { page: 1, text: 'The Quay', job_id: 'job_1' },
    ]);
    const words = await superuser.query(
      `SELECT DISTINCT project_id, word FROM image_word WHERE word IN ('quay', 'harbour') ORDER BY 1, 2`,
    );
    expect(words).to.deep.equal([
      { project_id: 'prj_1', word: 'harbour' },
      { project_id: 'prj_2', word: 'harbour' },
      { project_id: 'prj_2', word: 'quay' },
    ]);
  });

  it('runs a migration again that deadlocks with processes that serve', async () => {
    // The migration is the one that Postgres ends.
    await superuser.query(`ALTER ROLE owner SET deadlock_timeout = '10ms'`);
    const process = superuser.createQueryRunner();
    await process.startTransaction();
    await process.query(`SET LOCAL deadlock_timeout = '10min'; SELECT FROM review`);
    const migrating = upgrade(Wider2999999999901);
    try {
      await waitFor(`pg_locks WHERE relation = 'review'::regclass AND NOT granted`);
      await process.query('SELECT FROM job');
    } finally {
      await process.commitTransaction();
      await process.release();
      await superuser.query('ALTER ROLE owner RESET deadlock_timeout');
    }
    expect(await migrating).to.deep.equal(['Wider2999999999901']);
  });

  it('waits for a transaction that uses its tables, without blocking others', async () => {
    const reader = superuser.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT count(*) FROM job');
    const migrating = upgrade(Wider2999999999901);
    try {
      // A statement queued behind the migration runs before the reader is done.
      await waitFor(
        `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%lock_timeout%'`,
      );
      await superuser.query('SELECT count(*) FROM job');
    } finally {
      await reader.commitTransaction();
      await reader.release();
    }
    expect(await migrating).to.deep.equal(['Wider2999999999901']);
  });

  it('is done by one of two runs at once', async () => {
    await clear();
    const done = await Promise.all([upgrade(), upgrade()]);
    expect(done.map(({ length }) => length).sort()).to.deep.equal([0, migrations.length]);
  });

  it('indexes events while others write them', async () => {
    await superuser.query(`INSERT INTO project (id, name) VALUES ('prj_a', 'a')`);
    const writer = superuser.createQueryRunner();
    await writer.startTransaction();
    // Of the partition alone: the parent is locked for a moment.
    await writer.query(`DELETE FROM event_default WHERE id = 'evt_0'`);
    let migrated = false;
    const migrating = upgrade(ByActor2999999999902).finally(() => {
      migrated = true;
    });
    try {
      await waitFor(
        `pg_stat_activity WHERE datname = current_database() AND state = 'active'
           AND query LIKE 'CREATE INDEX CONCURRENTLY%'`,
      );
      await superuser.query(
        `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
         VALUES ('evt_1', 'prj_a', 'domain', 'dam.object.updated', 'object', 'obj_1', '{}', 'system')`,
      );
      expect(migrated).to.equal(false);
    } finally {
      await writer.commitTransaction();
      await writer.release();
    }
    await migrating;
    const invalid = await superuser.query(
      `SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid`,
    );
    expect(invalid).to.deep.equal([]);
    const [parts] = await superuser.query(
      `SELECT (SELECT count(*) FROM pg_inherits WHERE inhparent = 'event'::regclass) AS tables,
         (SELECT count(*) FROM pg_inherits WHERE inhparent = 'event_actor'::regclass) AS indexes`,
    );
    expect(parts.indexes).to.equal(parts.tables);
  });

  it('indexes partitions without those that are dropped meanwhile', async () => {
    const owner = await new DataSource({ type: 'postgres', url: database.ownerUrl }).initialize();
    const runner = owner.createQueryRunner();
    try {
      await runner.query(`CREATE TABLE weekly (n integer) PARTITION BY LIST (n)`);
      for (const n of [1, 2, 3, 4]) {
        await runner.query(`CREATE TABLE weekly_${n} PARTITION OF weekly FOR VALUES IN (${n})`);
      }
      const query = runner.query.bind(runner);
      runner.query = async (text: string, ...rest: []) => {
        if (/^CREATE INDEX CONCURRENTLY weekly_2_n/.test(text)) await query('DROP TABLE weekly_2');
        if (/ATTACH PARTITION weekly_3_n/.test(text)) await query('DROP TABLE weekly_3');
        return query(text, ...rest);
      };
      await indexPartitions(runner, { name: 'weekly_n', table: 'weekly', on: '(n)' });
      const indexed = await query(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits
         WHERE inhparent = 'weekly_n'::regclass ORDER BY 1`,
      );
      expect(indexed).to.deep.equal([{ name: 'weekly_1_n' }, { name: 'weekly_4_n' }]);
    } finally {
      await runner.release();
      await owner.destroy();
    }
  });
});
