import { expect } from 'chai';
import { DataSource } from 'typeorm';
import { migrate } from '../../src/db/preparing/prepare.ts';
import { indexPartitions } from '../../src/entities/migrations/index-partitions.ts';
import { type EarlierDatabase, openEarlierDatabase } from '../support/earlier-database.ts';
import { eventually } from '../support/eventually.ts';
import type { TestDatabase } from '../support/services.ts';

describe('a database of an earlier version that others use', () => {
  let database: TestDatabase;
  let superuser: DataSource;
  let goBackBefore: EarlierDatabase['goBackBefore'];
  let close: EarlierDatabase['close'];
  before(async () => {
    ({ database, superuser, goBackBefore, close } = await openEarlierDatabase());
  });
  after(() => close());

  it('runs a migration again that deadlocks with processes that serve', async () => {
    await goBackBefore(94);
    // The migration is the one that Postgres ends.
    await superuser.query(`ALTER ROLE owner SET deadlock_timeout = '10ms'`);
    const process = superuser.createQueryRunner();
    await process.startTransaction();
    await process.query(`SET LOCAL deadlock_timeout = '10min'; SELECT FROM review`);
    const migrating = migrate(database.ownerUrl);
    try {
      await eventually(async () => {
        const waiting = await superuser.query(
          `SELECT FROM pg_locks WHERE relation = 'review'::regclass AND NOT granted`,
        );
        return waiting.length > 0;
      });
      await process.query('SELECT FROM job');
    } finally {
      await process.commitTransaction();
      await process.release();
      await superuser.query('ALTER ROLE owner RESET deadlock_timeout');
    }
    expect(await migrating).to.include.members([
      'SortedLists1000000000094',
      'DerivedCounts1000000000097',
    ]);
  });

  it('lets objects change while it counts what is derived', async () => {
    await goBackBefore(97);
    await superuser.query(`INSERT INTO project (id, name) VALUES ('prj_a', 'a')`);
    const insert = (id: string) =>
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, derived_from)
       VALUES ('${id}', 'prj_a', 'available', 'f', 'text/plain', 1, 's', 'upload', 'obj_0')`;
    await superuser.query(insert('obj_1'));
    // What it counts by, so that it stays at it.
    const blocker = superuser.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('LOCK TABLE project IN ACCESS EXCLUSIVE MODE');
    const migrating = migrate(database.ownerUrl);
    try {
      await eventually(async () => {
        const waiting = await superuser.query(
          `SELECT FROM pg_locks WHERE relation = 'project'::regclass AND NOT granted`,
        );
        return waiting.length > 0;
      });
      // The limit ends a wait that would otherwise not end.
      await superuser.transaction(async (tx) => {
        await tx.query(`SET LOCAL lock_timeout = '2s'`);
        await tx.query(insert('obj_2'));
      });
    } finally {
      await blocker.commitTransaction();
      await blocker.release();
      await migrating;
    }
    const counted = await superuser.query(
      `SELECT facet, sum(n)::integer AS count FROM (
         SELECT facet, count AS n FROM object_count UNION ALL SELECT facet, delta FROM object_count_delta) c
       WHERE facet ~ 'state$' GROUP BY 1 ORDER BY 1`,
    );
    expect(counted).to.deep.equal([
      { facet: 'derived_state', count: 2 },
      { facet: 'state', count: 2 },
    ]);
  });

  it('counts what is derived again after a run that broke off, while counts are folded', async () => {
    await goBackBefore(97);
    await superuser.query(`INSERT INTO project (id, name) VALUES ('prj_a', 'a')`);
    await superuser.query(
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, derived_from)
       VALUES ('obj_1', 'prj_a', 'available', 'f', 'text/plain', 1, 's', 'upload', 'obj_0')`,
    );
    await migrate(database.ownerUrl);
    await superuser.query(`DELETE FROM migration WHERE name = 'DerivedCounts1000000000097'`);
    const waitFor = (lock: string) =>
      eventually(async () => {
        const waiting = await superuser.query(`SELECT FROM pg_locks WHERE ${lock} AND NOT granted`);
        return waiting.length > 0;
      }, 30_000);
    const writer = superuser.createQueryRunner();
    const folding = superuser.createQueryRunner();
    await writer.startTransaction();
    await writer.query('LOCK TABLE object IN ROW EXCLUSIVE MODE');
    const migrating = migrate(database.ownerUrl);
    try {
      await waitFor(`relation = 'object'::regclass`);
      await folding.startTransaction();
      await folding.query(`SELECT object_count_fold('prj_a')`);
      await writer.commitTransaction();
      await waitFor(`locktype = 'transactionid'`);
    } finally {
      for (const each of [writer, folding]) {
        if (each.isTransactionActive) await each.commitTransaction();
        await each.release();
      }
    }
    expect(await migrating).to.deep.equal(['DerivedCounts1000000000097']);
    await superuser.query(`SELECT object_count_fold('prj_a')`);
    const counted = await superuser.query(
      `SELECT facet, count::integer FROM object_count WHERE facet ~ 'state$' ORDER BY 1`,
    );
    expect(counted).to.deep.equal([
      { facet: 'derived_state', count: 1 },
      { facet: 'state', count: 1 },
    ]);
  });

  it('is migrated by one of two runs at once', async () => {
    await goBackBefore(97);
    const done = await Promise.all([migrate(database.ownerUrl), migrate(database.ownerUrl)]);
    expect(done.map(({ length }) => length > 0).sort()).to.deep.equal([false, true]);
  });

  it('indexes partitions without those that are dropped meanwhile', async () => {
    await goBackBefore(1);
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

  it('indexes events and deliveries by type while others write them', async () => {
    await goBackBefore(98);
    await superuser.query(`INSERT INTO project (id, name) VALUES ('prj_a', 'a')`);
    const add = (id: string) =>
      superuser.query(
        `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
         VALUES ($1, 'prj_a', 'domain', 'dam.object.updated', 'object', 'obj_1', '{}', 'system')`,
        [id],
      );
    const writer = superuser.createQueryRunner();
    await writer.startTransaction();
    // Of the partition alone: the parent is locked for a moment.
    await writer.query(`DELETE FROM event_default WHERE id = 'evt_0'`);
    let migrated = false;
    const migrating = migrate(database.ownerUrl).finally(() => {
      migrated = true;
    });
    try {
      await eventually(async () => {
        const [row] = await superuser.query(
          `SELECT count(*)::integer AS n FROM pg_stat_activity
           WHERE datname = current_database() AND state = 'active'
             AND query LIKE 'CREATE INDEX CONCURRENTLY%'`,
        );
        return row.n === 1;
      });
      await add('evt_1');
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
         (SELECT count(*) FROM pg_inherits WHERE inhparent = 'event_type'::regclass) AS indexes`,
    );
    expect(parts.indexes).to.equal(parts.tables);
  });

  it('is migrated after a transaction that uses its events, without blocking others', async () => {
    await goBackBefore(43);
    const reader = superuser.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT count(*) FROM event');
    const migrating = migrate(database.ownerUrl);
    try {
      // A statement queued behind the migration runs before the reader is done.
      await eventually(async () => {
        const [row] = await superuser.query(
          `SELECT count(*)::integer AS n FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%lock_timeout%'`,
        );
        return row.n > 0;
      });
      await superuser.query('SELECT count(*) FROM event');
    } finally {
      await reader.commitTransaction();
      await reader.release();
    }
    expect(await migrating).to.include('UnpublishedStretches1000000000043');
  });
});
