import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { DataSource } from 'typeorm';
import { createSeal } from '../../src/access/seal.ts';
import { migrate } from '../../src/db/preparing/prepare.ts';
import { DerivedCounts1000000000097 } from '../../src/entities/migrations/97-derived-counts.ts';
import type { SealedHeaders } from '../../src/entities/webhooks/webhook-endpoint.ts';
import { openHeaders } from '../../src/webhooks/headers.ts';
import { type EarlierDatabase, openEarlierDatabase } from '../support/earlier-database.ts';
import type { TestDatabase } from '../support/services.ts';

describe('a database of an earlier version', () => {
  let database: TestDatabase;
  let superuser: DataSource;
  let goBackBefore: EarlierDatabase['goBackBefore'];
  let close: EarlierDatabase['close'];
  before(async () => {
    ({ database, superuser, goBackBefore, close } = await openEarlierDatabase());
  });
  after(() => close());

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
    const owner = await new DataSource({ type: 'postgres', url: database.ownerUrl }).initialize();
    const runner = owner.createQueryRunner();
    const migration = new DerivedCounts1000000000097();
    const reader = superuser.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT count(*) FROM object');
    try {
      await migration.up(runner);
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

  it('keeps keys and states under one collation, also after a run that broke off', async () => {
    await goBackBefore(110);
    await superuser.query(`
      INSERT INTO project (id, name) VALUES ('prj_a', 'a');
      INSERT INTO idempotency (project_id, key_id, route, value, fingerprint, status, headers, body)
      VALUES ('prj_a', 'key_a', 'createJob', 'Ä', '', 200, '{}', '{}');
      INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type, sequence)
      VALUES ('evt_1', 'prj_a', 'domain', 'dam.object.updated', 'object', 'obj_1', '{}', 'system', 1);
      INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id, state)
      VALUES ('whd_1', 'evt_1', 'dam.object.updated', 'prj_a', 'whk_1', 'skipped')`);
    expect(await migrate(database.ownerUrl)).to.include('Collations1000000000110');
    await superuser.query(`
      DELETE FROM migration WHERE name = 'Collations1000000000110';
      DROP INDEX event_feed, delivery_failed;
      CREATE INDEX event_interim ON ONLY event (project_id, sequence) WHERE sequence IS NOT NULL`);
    expect(await migrate(database.ownerUrl)).to.deep.equal(['Collations1000000000110']);
    const indexes = await superuser.query(
      `SELECT relname AS name FROM pg_class
       WHERE relname IN ('event_feed', 'event_interim', 'delivery_failed', 'idempotency_pkey') ORDER BY 1`,
    );
    expect(indexes.map(({ name }: { name: string }) => name)).to.deep.equal([
      'delivery_failed',
      'event_feed',
      'idempotency_pkey',
    ]);
    const found = await superuser.query(
      `SELECT i.value, e.type, d.failed_as FROM idempotency i, event e, delivery d
       WHERE i.route = 'createJob' AND i.value = 'Ä' AND e.category = 'domain' AND d.failed_as = 'skipped'`,
    );
    expect(found).to.deep.equal([{ value: 'Ä', type: 'dam.object.updated', failed_as: 'skipped' }]);
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
