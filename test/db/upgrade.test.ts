import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { DataSource } from 'typeorm';
import { createSeal } from '../../src/access/seal.ts';
import { migrate } from '../../src/db/preparing/prepare.ts';
import { DerivedCounts1000000000097 } from '../../src/entities/migrations/97-derived-counts.ts';
import { migrations } from '../../src/entities/migrations/index.ts';
import { indexPartitions } from '../../src/entities/migrations/index-partitions.ts';
import type { SealedHeaders } from '../../src/entities/webhooks/webhook-endpoint.ts';
import { openHeaders } from '../../src/webhooks/headers.ts';
import { eventually } from '../support/eventually.ts';
import { createDatabase, type TestDatabase } from '../support/services.ts';

/** The number of a migration: its name ends with a time, which ends with the number. */
const number = (name: string): number => Number(/\d{13}$/.exec(name)![0]) - 1_000_000_000_000;

describe('a database of an earlier version', () => {
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

  /** Recreates the schema as it was before a migration. */
  const goBackBefore = async (first: number): Promise<void> => {
    await superuser.query('DROP SCHEMA public CASCADE');
    await superuser.query(
      'CREATE SCHEMA public AUTHORIZATION owner; GRANT USAGE ON SCHEMA public TO PUBLIC',
    );
    const older = await new DataSource({
      type: 'postgres',
      url: database.ownerUrl,
      migrations: migrations.filter(({ name }) => number(name) < first),
      migrationsTableName: 'migration',
    }).initialize();
    await older.runMigrations({ transaction: 'each' });
    await older.destroy();
  };

  it('counts the documents of its packs', async () => {
    await goBackBefore(75);
    await superuser.query(`
      INSERT INTO project (id, name) VALUES ('prj_a', 'a'), ('prj_b', 'b');
      INSERT INTO pack (project_id, id, name, source, options, origin)
      SELECT id, 'pack_1', 'P', '{}', '{}', '{}' FROM project;
      INSERT INTO pack (project_id, id, name, source, options, origin)
      VALUES ('prj_a', 'pack_2', 'Empty', '{}', '{}', '{}');
      INSERT INTO pack_document (project_id, pack_id, position, object_id, filename, sha256, mime,
        citation_key, state, pages, reused)
      SELECT id, 'pack_1', at, 'obj_' || at, 'f', 's', 'text/plain', 'k', state, pages, reused
      FROM project, (VALUES (1, 'succeeded', 3, true), (2, 'failed', NULL, false),
        (3, 'pending', 4, false), (4, 'withheld', 1, false)) AS d (at, state, pages, reused);`);
    await migrate(database.ownerUrl);
    const counts = () =>
      superuser.query(`SELECT project_id, id, documents_total AS total, documents_open AS open,
        documents_completed AS completed, documents_failed AS failed, documents_withheld AS withheld,
        documents_reused AS reused, pages_total AS pages, pages_completed AS done
        FROM pack ORDER BY project_id, id`);
    const own = { total: 4, open: 1, completed: 1, failed: 1, withheld: 1, reused: 1 };
    const none = { total: 0, open: 0, completed: 0, failed: 0, withheld: 0, reused: 0 };
    const one = { id: 'pack_1', ...own, pages: 9, done: 3 };
    expect(await counts()).to.deep.equal([
      { project_id: 'prj_a', ...one },
      { project_id: 'prj_a', id: 'pack_2', ...none, pages: 0, done: 0 },
      { project_id: 'prj_b', ...one },
    ]);
    const forced = await superuser.query(
      `SELECT relname FROM pg_class WHERE relname IN ('pack', 'pack_document') AND relforcerowsecurity`,
    );
    expect(forced).to.have.length(2);
    // The previous release changes documents without counting them.
    await superuser.query(
      `UPDATE pack_document SET state = 'succeeded', pages = 5 WHERE project_id = 'prj_b' AND position = 3`,
    );
    expect((await counts())[2]).to.include({ open: 0, completed: 2, pages: 10, done: 8 });
  });

  it('counts what is derived while its objects are read, and again after a way back', async () => {
    await goBackBefore(97);
    const add = (id: string, from: string | null) =>
      superuser.query(
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, derived_from)
         SELECT $1, id, 'available', 'f', 'text/plain', 1, 's', 'upload', $2 FROM project`,
        [id, from],
      );
    await superuser.query(`INSERT INTO project (id, name) VALUES ('prj_a', 'a'), ('prj_b', 'b')`);
    await add('obj_1', null);
    await add('obj_2', 'obj_1');
    const reader = superuser.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT count(*) FROM object');
    try {
      expect(await migrate(database.ownerUrl)).to.include('DerivedCounts1000000000097');
    } finally {
      await reader.commitTransaction();
      await reader.release();
    }

    const counts = async () => {
      await superuser.query('SELECT object_count_fold(id) FROM project');
      return superuser.query(
        `SELECT project_id AS project, facet, count::integer FROM object_count
         WHERE facet ~ 'state$' ORDER BY 1, 2 DESC`,
      );
    };
    const both = (...rows: object[]) =>
      ['prj_a', 'prj_b'].flatMap((project) => rows.map((row) => ({ project, ...row })));
    const owner = await new DataSource({ type: 'postgres', url: database.ownerUrl }).initialize();
    const runner = owner.createQueryRunner();
    const migration = new DerivedCounts1000000000097();
    try {
      const all = [
        { facet: 'state', count: 2 },
        { facet: 'derived_state', count: 1 },
      ];
      expect(await counts()).to.deep.equal(both(...all));
      await migration.up(runner);
      expect(await counts(), 'after a second run').to.deep.equal(both(...all));
      await migration.down(runner);
      await add('obj_3', 'obj_1');
      expect(await counts(), 'on the way back').to.deep.equal(both({ facet: 'state', count: 3 }));
      await migration.up(runner);
      await add('obj_4', 'obj_1');
      expect(await counts(), 'after another run').to.deep.equal(
        both({ facet: 'state', count: 4 }, { facet: 'derived_state', count: 3 }),
      );
    } finally {
      await runner.release();
      await owner.destroy();
    }
  });

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
      await superuser.query(`SET lock_timeout = '2s'; ${insert('obj_2')}; RESET lock_timeout`);
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
          `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'`,
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

  it('becomes searchable: its objects, and the text that is still stored', async () => {
    await goBackBefore(11);
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

  it('keeps its deliveries and attempts without rewriting a table', async () => {
    await goBackBefore(42);
    await superuser.query(`
      INSERT INTO delivery (id, event_id, project_id, endpoint_id, state, attempts)
      VALUES ('whd_1', 'evt_1', 'prj_a', 'whk_1', 'succeeded', 1);
      INSERT INTO attempt (event_id, delivery_id, number, project_id, outcome, status)
      VALUES ('evt_1', 'whd_1', 1, 'prj_a', 'succeeded', 204)`);
    const files = () =>
      superuser.query(
        `SELECT oid, relfilenode FROM pg_class
         WHERE relname ~ '^(delivery|attempt|event)_' AND relkind = 'r' ORDER BY oid`,
      );
    const before = await files();
    await migrate(database.ownerUrl);
    const kept = new Set((await files()).map((row: object) => JSON.stringify(row)));
    for (const row of before) expect(kept).to.include(JSON.stringify(row));
    expect(
      await superuser.query('SELECT delivery_id, number, outcome, status FROM attempt_record'),
    ).to.deep.equal([{ delivery_id: 'whd_1', number: 1, outcome: 'succeeded', status: 204 }]);
  });

  it('finds unpublished events from before the feed had stretches', async () => {
    await goBackBefore(43);
    await superuser.query(`
      INSERT INTO sequence_counter (project_id, category, last, dropped)
      VALUES ('prj_a', 'domain', 200, 70), ('prj_a', 'audit', 9, 0), ('prj_b', 'domain', 1, 0)`);
    await migrate(database.ownerUrl);
    // As the previous release increments them.
    await superuser.query(`UPDATE sequence_counter SET last = last + 64`);
    await superuser.query(
      `INSERT INTO sequence_counter (project_id, category, last) VALUES ('prj_c', 'domain', 65)`,
    );
    const rows = await superuser.query(
      `SELECT project_id, array_agg(stretch::integer ORDER BY stretch) AS stretches
       FROM unpublished_stretch GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).to.deep.equal([
      { project_id: 'prj_a', stretches: [1, 2, 3, 4] },
      { project_id: 'prj_b', stretches: [0, 1] },
      { project_id: 'prj_c', stretches: [0, 1] },
    ]);
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
          `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE query LIKE '%lock_timeout%' AND wait_event_type = 'Lock'`,
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

  describe('with unsealed header values', () => {
    const key = randomBytes(32).toString('base64');
    const seal = createSeal(key);
    const headers = async (): Promise<Record<string, Record<string, unknown>>> =>
      Object.fromEntries(
        (await superuser.query('SELECT id, headers FROM webhook_endpoint')).map(
          (row: { id: string; headers: object }) => [row.id, row.headers],
        ),
      );
    const refusal = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'migrated',
        (error: Error) => error.message,
      );
    const clear = {
      whk_1: { Authorization: 'Bearer one', 'X-A': '' },
      whk_2: { Authorization: 'Bearer two' },
      whk_3: {},
    };
    beforeEach(async () => {
      await goBackBefore(21);
      await superuser.query(`INSERT INTO project (id, name) VALUES ('prj_a', 'a'), ('prj_b', 'b')`);
    });
    const addWebhooks = async (): Promise<void> => {
      for (const [id, own] of Object.entries(clear)) {
        await superuser.query(
          `INSERT INTO webhook_endpoint (id, project_id, url, event_types, headers, secrets)
           VALUES ($1, $2, 'u', '{}', $3, $4)`,
          [
            id,
            id === 'whk_1' ? 'prj_a' : 'prj_b',
            JSON.stringify(own),
            JSON.stringify([
              { cipher: seal.seal('whsec_x', ['webhook_secret', id]), expires_at: null },
            ]),
          ],
        );
      }
    };

    it('seals them in all projects, and its webhooks still work', async () => {
      await addWebhooks();
      const done = await migrate(database.ownerUrl, seal);
      expect(done[0]).to.equal('SealedHeaders1000000000021');
      const rows = await superuser.query('SELECT * FROM webhook_endpoint ORDER BY id');
      expect(JSON.stringify(rows)).to.not.match(/Bearer/);
      expect(
        Object.fromEntries(
          rows.map((row: { id: string; headers: SealedHeaders }) => [
            row.id,
            openHeaders(seal.open, row.id, row.headers),
          ]),
        ),
      ).to.deep.equal(clear);
      expect(rows.map(({ version }: { version: number }) => version)).to.deep.equal([1, 1, 1]);
      const [wall] = await superuser.query(
        `SELECT bool_and(relforcerowsecurity) AS forced FROM pg_class
         WHERE relname IN ('webhook_endpoint', 'idempotency')`,
      );
      expect(wall.forced).to.equal(true);
    });

    it('seals more than fit in one batch', async () => {
      await superuser.query(
        `INSERT INTO webhook_endpoint (id, project_id, url, event_types, headers, secrets)
         SELECT 'whk_' || n, 'prj_a', 'u', '{}', jsonb_build_object('X-N', n::text), '[]'
         FROM generate_series(1, 2500) AS n`,
      );
      await migrate(database.ownerUrl, seal);
      const sealed = Object.entries(await headers());
      expect(sealed).to.have.length(2500);
      for (const [id, own] of sealed) {
        expect(openHeaders(seal.open, id, own as SealedHeaders)).to.deep.equal({
          'X-N': id.slice(4),
        });
      }
    });

    it('is not changed without the service’s key, and the error says what to do', async () => {
      await addWebhooks();
      expect(await refusal(migrate(database.ownerUrl))).to.match(/set SECRET_KEY/);
      const another = createSeal(randomBytes(32).toString('base64'));
      expect(await refusal(migrate(database.ownerUrl, another))).to.match(
        /SECRET_KEY does not open the secret of whk_1/,
      );
      expect(await headers()).to.deep.equal(clear);
      await migrate(database.ownerUrl, seal);
    });

    it('needs no key if no webhook has headers', async () => {
      const done = await migrate(database.ownerUrl);
      expect(done[0]).to.equal('SealedHeaders1000000000021');
    });

    it('deletes the stored answers that contained them, and no others', async () => {
      const answers = [
        ['pauseWebhook', false],
        ['enableWebhook', false],
        ['disableWebhook', false],
        ['createWebhook', true],
        ['createCollection', false],
      ] as const;
      for (const [route, encrypted] of answers) {
        await superuser.query(
          `INSERT INTO idempotency (project_id, key_id, route, value, fingerprint, status, headers, body, encrypted)
           VALUES ('prj_a', 'key_a', $1, 'v', '', 200, '{}', '{}', $2)`,
          [route, encrypted],
        );
      }
      await migrate(database.ownerUrl, seal);
      const kept = await superuser.query('SELECT route FROM idempotency ORDER BY route');
      expect(kept).to.deep.equal([{ route: 'createCollection' }, { route: 'createWebhook' }]);
    });
  });
});
