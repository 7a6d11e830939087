import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { Conditions } from '../../../src/db/statements/conditions.ts';
import { inProject, inTransaction, query } from '../../../src/db/transaction.ts';
import { countImages } from '../../../src/library/images/search/counts.ts';
import { addImageConditions } from '../../../src/library/images/search/filters.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { addImages, type TestImage } from '../../support/library.ts';

describe('the search index of images', () => {
  let api: TestApi;
  let database: Database;
  let worker: Database;
  before(async () => {
    api = await startApi();
    database = api.deps.database;
    worker = await openDatabase(api.database.workerUrl, { poolSize: 2 });
  });
  after(async () => {
    await worker.destroy();
    await api.close();
  });

  /** Index rows that differ from their image and object, in all projects. */
  const wrongRows = () =>
    api.rows(
      `SELECT * FROM (
         SELECT project_id, image_id, state, mime, orientation, width, height, rating, bytes,
           created_at, updated_at, captured_at, filename, tags, document FROM image_source) source
       FULL JOIN (SELECT project_id, image_id, state, mime, orientation, width, height, rating, bytes,
           created_at, updated_at, captured_at, filename, tags, document FROM image_index) x
       USING (project_id, image_id) WHERE to_jsonb(source) IS DISTINCT FROM to_jsonb(x)`,
    );
  /** Counters that differ from a recount. */
  const wrongCounts = () =>
    api.rows(
      `WITH kept AS (
         SELECT project_id, facet, value, sum(n) AS n FROM (
           SELECT project_id, facet, value, count AS n FROM image_count
           UNION ALL SELECT project_id, facet, value, delta FROM image_count_delta) all_of_it
         GROUP BY 1, 2, 3 HAVING sum(n) <> 0),
       real AS (
         SELECT project_id, facet, value, count(*)::numeric AS n
         FROM image_index x, image_facets(x.state, x.mime, x.orientation, x.tags) GROUP BY 1, 2, 3)
       SELECT * FROM kept FULL JOIN real USING (project_id, facet, value)
       WHERE kept.n IS DISTINCT FROM real.n`,
    );

  describe('under row-level security', () => {
    before(async () => {
      const many = Array.from({ length: 3_000 }, (_, at) => ({
        title: `picture ${at} of ${at % 100 === 0 ? 'herons' : 'boats'}`,
        tags: [`t${at % 300}`],
        filename: `p${at}.jpg`,
        state: at % 500 === 0 ? 'failed' : 'available',
        captured_at: new Date(Date.UTC(2020, 0, 1) + at * 3_600_000).toISOString(),
      }));
      await addImages(api, api, many);
      await addImages(api, api.other, many);
      await api.rows('ANALYZE');
    });

    const explain = async (filters: ImageFilters, order: string): Promise<string> => {
      const where = new Conditions();
      where.add('image_search.project_id = ?', api.projectId);
      addImageConditions(filters, where);
      const rows = await inProject(database, api.projectId, (tx) =>
        query<{ 'QUERY PLAN': string }>(
          tx,
          `EXPLAIN SELECT image_id FROM image_search WHERE ${where.sql()} ORDER BY ${order} LIMIT 51`,
          where.values,
        ),
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };

    it('is read by its indexes in the API’s role', async () => {
      const newest = 'created_at DESC, image_id DESC';
      const expected: [ImageFilters, string, string][] = [
        [{ q: 'herons' }, newest, 'image_index_words'],
        [{ q: '"picture 7"' }, newest, 'image_index_words'],
        [{ tag: ['T7'] }, newest, 'image_index_folded_tags'],
        [{ q: 'boats', tag: ['t7'] }, newest, 'image_index_folded_tags'],
        [{}, newest, 'image_index_created'],
        [{}, 'created_at, image_id', 'image_index_created'],
        [{}, 'updated_at DESC, image_id DESC', 'image_index_updated'],
        [{}, 'captured_at DESC, image_id DESC', 'image_index_captured'],
        [{}, 'filename, image_id', 'image_index_filename'],
        [{}, 'bytes DESC, image_id DESC', 'image_index_bytes'],
        [{ state: 'failed' }, newest, 'image_index_rare'],
      ];
      for (const [filters, order, index] of expected) {
        const plan = await explain(filters, order);
        expect(plan, JSON.stringify(filters)).to.include(index);
        expect(plan, JSON.stringify(filters)).not.to.include('Seq Scan');
      }
    });

    it('continues from any position by an index, on any page', async () => {
      for (const [key, value] of [
        ['created_at', 'now()'],
        ['updated_at', 'now()'],
        ['captured_at', 'now()'],
        ['filename', `'p2'`],
        ['bytes', '1000'],
      ]) {
        const rows = await inProject(database, api.projectId, (tx) =>
          query<{ 'QUERY PLAN': string }>(
            tx,
            `EXPLAIN SELECT image_id FROM image_search WHERE project_id = $1 AND NOT trashed
               AND (${key}, image_id) < (${value}, 'img_')
             ORDER BY ${key} DESC, image_id DESC LIMIT 51`,
            [api.projectId],
          ),
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).to.match(new RegExp(`Index Cond: .*ROW\\(${key}, image_id\\) < ROW`));
        expect(plan).not.to.include('Sort');
      }
    });

    it('shows nothing without a project, and nothing of another project', async () => {
      const seen = (view: string, project: string | null, role = database) =>
        inTransaction(role, async (tx) => {
          if (project !== null) {
            await query(tx, `SELECT set_config('app.project_id', $1, true)`, [project]);
          }
          const rows = await query<{ project_id: string }>(
            tx,
            `SELECT DISTINCT project_id FROM ${view}`,
            [],
          );
          return rows.map(({ project_id }) => project_id);
        });
      for (const view of ['image_search', 'image_word_search', 'image_source']) {
        for (const role of [database, worker]) {
          expect(await seen(view, null, role), view).to.deep.equal([]);
          expect(await seen(view, '', role), view).to.deep.equal([]);
          expect(await seen(view, 'prj_none', role), view).to.deep.equal([]);
          expect(await seen(view, api.projectId, role), view).to.deep.equal([api.projectId]);
        }
      }
      const foreign = await inProject(database, api.projectId, (tx) =>
        query(tx, `SELECT FROM image_search WHERE project_id = $1`, [api.other.projectId]),
      );
      expect(foreign).to.deep.equal([]);
    });
  });

  describe('under concurrent writers', () => {
    beforeEach(async () => {
      await api.rows('DELETE FROM object');
    });

    /** One change to a random image, as the API or a worker would make it. */
    const tags = ['a', 'b', 'c', 'd'];
    const change = fc.oneof(
      fc.record({ kind: fc.constant('tags' as const), tags: fc.subarray(tags) }),
      fc.record({
        kind: fc.constant('title' as const),
        title: fc.constantFrom('one', 'two', null),
      }),
      fc.record({ kind: fc.constant('both' as const), tags: fc.subarray(tags) }),
      fc.record({
        kind: fc.constant('looked' as const),
        turn: fc.constantFrom('square', 'portrait'),
      }),
      fc.record({ kind: fc.constant('trash' as const) }),
      fc.record({ kind: fc.constant('restore' as const) }),
      fc.record({ kind: fc.constant('purge' as const) }),
      fc.record({ kind: fc.constant('all' as const), tag: fc.constantFrom(...tags) }),
      fc.record({ kind: fc.constant('add' as const) }),
      fc.record({ kind: fc.constant('fold' as const) }),
    );
    type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

    const apply = async (role: Database, made: Change, id: string): Promise<void> => {
      if (made.kind === 'add') {
        await addImages(api, api, [{ tags: ['a'], orientation: 'square' }]);
        return;
      }
      await inProject(role, api.projectId, async (tx) => {
        const ofImage = 'project_id = $1 AND id = $2';
        const ofObject = `project_id = $1 AND id = (SELECT object_id FROM image WHERE ${ofImage})`;
        const run = (sql: string, ...values: unknown[]) =>
          query(tx, sql, [api.projectId, id, ...values]);
        if (made.kind === 'fold') {
          await query(tx, 'SELECT image_count_fold($1)', [api.projectId]);
        } else if (made.kind === 'all') {
          await query(
            tx,
            `UPDATE object SET tags = array_append(array_remove(tags, $2), $2), updated_at = now()
             WHERE id IN (SELECT id FROM object WHERE project_id = $1 ORDER BY id FOR NO KEY UPDATE)`,
            [api.projectId, made.tag],
          );
        } else if (made.kind === 'looked') {
          await run(`UPDATE image SET orientation = $3 WHERE ${ofImage}`, made.turn);
        } else {
          // A writer of both locks objects first, then images.
          await run(`SELECT FROM object WHERE ${ofObject} FOR UPDATE`);
          await run(`SELECT FROM image WHERE ${ofImage} FOR UPDATE`);
          if (made.kind === 'tags')
            await run(`UPDATE object SET tags = $3 WHERE ${ofObject}`, made.tags);
          if (made.kind === 'title')
            await run(`UPDATE image SET title = $3 WHERE ${ofImage}`, made.title);
          if (made.kind === 'both') {
            await run(`UPDATE object SET tags = $3 WHERE ${ofObject}`, made.tags);
            await run(`UPDATE image SET title = 'both' WHERE ${ofImage}`);
          }
          if (made.kind === 'trash')
            await run(`UPDATE object SET state = 'trashed' WHERE ${ofObject}`);
          if (made.kind === 'restore') {
            await run(`UPDATE object SET state = 'available' WHERE ${ofObject}`);
          }
          if (made.kind === 'purge') await run(`DELETE FROM object WHERE ${ofObject}`);
        }
      });
    };

    it('matches images and objects, and its counters match a recount', async () => {
      const storm = fc.array(fc.tuple(change, fc.nat(11)), { minLength: 20, maxLength: 60 });
      let rounds = 0;
      await fc.assert(
        fc.asyncProperty(storm, async (changes) => {
          rounds += 1;
          const ids = await addImages(
            api,
            api,
            Array.from({ length: 12 }, (_, at) => ({ tags: tags.slice(at % 5), title: 'first' })),
          );
          const lanes = [0, 1, 2, 3, 4, 5].map(async (lane) => {
            for (const [at, [made, which]] of changes.entries()) {
              if (at % 6 === lane) await apply(lane < 4 ? database : worker, made, ids[which]!);
            }
          });
          await Promise.all(lanes);
          expect(await wrongRows()).to.deep.equal([]);
          expect(await wrongCounts()).to.deep.equal([]);
          const counts = await inProject(database, api.projectId, (tx) =>
            countImages(tx, api.projectId, {}, { total: true, facets: true }),
          );
          const filtered = await inProject(database, api.projectId, (tx) =>
            countImages(tx, api.projectId, { min_bytes: 0 }, { total: true, facets: true }),
          );
          expect(counts).to.deep.equal(filtered);
        }),
        { numRuns: 10 },
      );
      expect(rounds).to.be.greaterThan(0);
    });

    it('contains the changes of two writers in either order of object and image', async () => {
      const statements = {
        object: `UPDATE object SET tags = '{late}' WHERE project_id = $1`,
        image: `UPDATE image SET title = 'late' WHERE project_id = $1`,
      };
      for (const order of [['object', 'image'] as const, ['image', 'object'] as const]) {
        await api.rows('DELETE FROM object');
        await addImages(api, api, [{ title: 'early', tags: ['early'] }]);
        const write = (which: 'object' | 'image', then: () => Promise<void>) =>
          inProject(database, api.projectId, async (tx) => {
            await query(tx, statements[which], [api.projectId]);
            await then();
          });
        let second: Promise<void> | undefined;
        await write(order[0], async () => {
          second = write(order[1], async () => undefined);
          await eventually(async () => {
            const waiting = await api.rows(
              `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
            );
            return waiting.length > 0;
          });
        });
        await second;
        expect(await wrongRows(), order.join(' before ')).to.deep.equal([]);
        const found = await api.call('GET', '/v1/images?q=late&tag=late&include=total');
        expect(found.json.total).to.equal(1);
      }
    });

    it('keeps counters correct during folds and bulk changes of several projects', async () => {
      const many: TestImage[] = Array.from({ length: 500 }, (_, at) => ({
        tags: tags.slice(at % 4),
        orientation: 'square',
      }));
      await addImages(api, api, many);
      await addImages(api, api.other, many);
      const bulk = (project: string, tag: string) =>
        inProject(database, project, (tx) =>
          query(
            tx,
            `UPDATE object SET tags = array_append(array_remove(tags, $2), $2) WHERE id IN (
               SELECT id FROM object WHERE project_id = $1 ORDER BY id FOR NO KEY UPDATE)`,
            [project, tag],
          ),
        );
      const fold = (project: string) =>
        inProject(worker, project, (tx) => query(tx, 'SELECT image_count_fold($1)', [project]));
      await Promise.all(
        [api.projectId, api.other.projectId].flatMap((project) => [
          bulk(project, 'x'),
          fold(project),
          bulk(project, 'y'),
          fold(project),
          bulk(project, 'x'),
        ]),
      );
      expect(await wrongRows()).to.deep.equal([]);
      expect(await wrongCounts()).to.deep.equal([]);
      await fold(api.projectId);
      const left = await api.rows('SELECT FROM image_count_delta WHERE project_id = $1', [
        api.projectId,
      ]);
      expect(left).to.deep.equal([]);
      expect(await wrongCounts()).to.deep.equal([]);
    });

    it('returns each remaining image exactly once to a client that follows cursors', async () => {
      const steady = await addImages(
        api,
        api,
        Array.from({ length: 60 }, (_, at) => ({
          title: 'steady',
          // Several in one millisecond, and in one microsecond.
          created_at: `2026-01-01T00:00:00.00${at % 3}${at % 2}00Z`,
          filename: `f${at % 7}.jpg`,
          bytes: 1_000 + (at % 5),
          ...(at % 3 ? { captured_at: `2020-01-0${(at % 9) + 1}T00:00:00.123456Z` } : {}),
        })),
      );
      let writing = true;
      // Fewer are added while a page is read than are on it, or a slow reader would never arrive.
      let turns = 0;
      let wake: (() => void)[] = [];
      const allow = (more: number): void => {
        turns += more;
        for (const go of wake) go();
        wake = [];
      };
      const write = async (lane: number): Promise<void> => {
        for (let turn = 0; writing; turn++) {
          if (turn >= turns) {
            await new Promise<void>((go) => wake.push(go));
            if (!writing) return;
          }
          const [id] = await addImages(api, api, [
            {
              title: 'passing',
              created_at: `2026-01-01T00:00:00.00${turn % 4}${lane}00Z`,
              filename: `f${turn % 7}.jpg`,
              bytes: 1_000 + (turn % 5),
              ...(turn % 2 ? { captured_at: '2020-01-05T00:00:00.123456Z' } : {}),
            },
          ]);
          if (turn % 2)
            await api.rows(
              'DELETE FROM object o USING image i WHERE i.id = $1 AND o.id = i.object_id',
              [id],
            );
        }
      };
      const writers = [0, 1].map(write);
      try {
        for (const query of [
          ...['created_at', 'updated_at', 'captured_at', 'filename', 'bytes'].flatMap((key) => [
            `sort=${key}`,
            `sort=-${key}`,
          ]),
          'q=steady OR passing',
          'q=steady&sort=-captured_at',
        ]) {
          const seen: string[] = [];
          let cursor: string | null = null;
          do {
            allow(3);
            const next: string = cursor === null ? '' : `&cursor=${cursor}`;
            const { json, status, text } = await api.call(
              'GET',
              `/v1/images?limit=7&${query}${next}`,
            );
            expect(status, text).to.equal(200);
            seen.push(...json.data.map((image: { id: string }) => image.id));
            cursor = json.next_cursor;
          } while (cursor !== null);
          const found = seen.filter((id) => steady.includes(id));
          expect([...found].sort(), query).to.deep.equal([...steady].sort());
          // Or each query would read the passing images of all before it.
          await api.rows(
            `DELETE FROM object o USING image i WHERE i.title = 'passing' AND o.id = i.object_id`,
          );
        }
      } finally {
        writing = false;
        allow(1);
        await Promise.all(writers);
      }
    });
  });

  it('sorts by each key, then by ID, with missing values last', async () => {
    await api.rows('DELETE FROM object');
    const given: TestImage[] = [
      {
        title: 'a',
        created_at: '2026-01-01T00:00:00Z',
        captured_at: '2020-01-02T00:00:00Z',
        filename: 'b',
        bytes: 2,
      },
      { title: 'b', created_at: '2026-01-03T00:00:00Z', filename: 'a', bytes: 3 },
      {
        title: 'c',
        created_at: '2026-01-02T00:00:00Z',
        captured_at: '2020-01-01T00:00:00Z',
        filename: 'c',
        bytes: 1,
      },
      { title: 'd', created_at: '2026-01-02T00:00:00Z', filename: 'c', bytes: 1 },
    ];
    await addImages(api, api, given);
    const expected: Record<string, string> = {
      created_at: 'acdb',
      '-created_at': 'bdca',
      captured_at: 'cabd',
      '-captured_at': 'acdb',
      filename: 'bacd',
      '-filename': 'dcab',
      bytes: 'cdab',
      '-bytes': 'badc',
    };
    for (const [sort, titles] of Object.entries(expected)) {
      for (const limit of [1, 2, 3, 10]) {
        let all = '';
        let cursor = '';
        do {
          const { json } = await api.call('GET', `/v1/images?sort=${sort}&limit=${limit}${cursor}`);
          all += json.data.map((image: { title: string }) => image.title).join('');
          cursor = json.next_cursor ? `&cursor=${json.next_cursor}` : '';
        } while (cursor);
        expect(all, `${sort} by ${limit}`).to.equal(titles);
      }
    }
  });
});
