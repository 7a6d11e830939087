import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { requireRowSecurity } from '../../src/db/preparing/start-up.ts';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

/** A row in each project-owned table; the first test fails if a table is missing here. */
const fixtures: Record<string, string> = {
  api_key: `INSERT INTO api_key (id, project_id, name, prefix, key_hash, scopes, created_by)
    VALUES ('key_' || $1, $1, 'k', 'sk_x', sha256($1::bytea), '{}', '{}')`,
  idempotency: `INSERT INTO idempotency (project_id, key_id, route, value, fingerprint, status, headers, body)
    VALUES ($1, 'k', 'r', 'v', '', 200, '{}', '')`,
  project_quota: `INSERT INTO project_quota (project_id, resource, most) VALUES ($1, 'objects', 7)`,
  usage_count: `INSERT INTO usage_count (project_id, resource, used) VALUES ($1, 'objects', 7)`,
  usage_delta: `INSERT INTO usage_delta (project_id, resource, delta) VALUES ($1, 'objects', 1)`,
  usage_day: `INSERT INTO usage_day (project_id, day, storage_bytes, succeeded, failed)
    VALUES ($1, '2026-01-01', 1, 1, 1)`,
  portal_session: `INSERT INTO portal_session (project_id, key_id, id, expires_at) VALUES ($1, 'k', 's', now())`,
  member: `WITH one AS (INSERT INTO person (id, issuer, subject) VALUES ('usr_' || $1, 'i', $1) RETURNING id)
    INSERT INTO member (project_id, id, user_id, role, source) SELECT $1, 'mem', id, 'viewer', 'added' FROM one`,
  invitation: `INSERT INTO invitation (project_id, id, role, created_by, expires_at)
    VALUES ($1, 'inv', 'viewer', '{}', now())`,
  denial: `INSERT INTO denial (project_id, key_id, code, minute) VALUES ($1, 'k', 'c', now())`,
  object: `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
    VALUES ('obj', $1, 'available', 'f', 'm', 1, 's', 'upload')`,
  // Created by the trigger of the object.
  object_index: `UPDATE object_index SET has_positions = true WHERE project_id = $1`,
  object_text: `INSERT INTO object_text (project_id, object_id, page, redacted, vector, worth, job_id)
    VALUES ($1, 'obj', 1, false, '', 0, 'job')`,
  image: `INSERT INTO image (id, project_id, object_id) VALUES ('img', $1, 'obj')`,
  // Created with the image by triggers, as are the changes of the counts.
  image_index: 'SELECT FROM image_index WHERE project_id = $1',
  image_count_delta: 'SELECT FROM image_count_delta WHERE project_id = $1',
  object_count_delta: 'SELECT FROM object_count_delta WHERE project_id = $1',
  object_count: `INSERT INTO object_count (project_id, facet, value, count) VALUES ($1, 'tag', 't', 1)`,
  image_count: `INSERT INTO image_count (project_id, facet, value, count) VALUES ($1, 'tag', 't', 1)`,
  image_word: `INSERT INTO image_word (project_id, word) VALUES ($1, 'word')`,
  image_place: `INSERT INTO image_place (project_id, image_id, object_id, latitude, longitude)
    VALUES ($1, 'img', 'obj', 1, 1)`,
  rendition: `INSERT INTO rendition (project_id, image_id, name, mime, sha256, bytes, width, height)
    VALUES ($1, 'img', 'thumb', 'image/webp', 's', 1, 1, 1)`,
  object_variant: `INSERT INTO object_variant (project_id, object_id, variant) VALUES ($1, 'obj', 'v')`,
  collection: `INSERT INTO collection (id, project_id, name, kind) VALUES ('col', $1, 'c', 'manual')`,
  collection_member: `INSERT INTO collection_member (project_id, collection_id, resource_type, resource_id, position)
    VALUES ($1, 'col', 'object', 'obj', 'a0')`,
  object_download: `INSERT INTO object_download (project_id, object_id, delivered_object_id, content, via,
    actor_type, actor_id, count, first_at, last_at, pending, pending_since)
    VALUES ($1, 'obj', 'obj', 'original', 'direct', 'api_key', 'k', 1, now(), now(), 0, now())`,
  share: `INSERT INTO share (project_id, id, kind, object_id, allow_download, created_by)
    VALUES ($1, 'shr', 'view', 'obj', true, '{}')`,
  policy: `INSERT INTO policy (id, project_id, name, mode, scope_type, actions, rules)
    VALUES ('pol', $1, 'p', 'enforce', 'project', '{}', '[]')`,
  object_hold: `INSERT INTO object_hold (project_id, object_id, policy_id, rule_type)
    VALUES ($1, 'obj', 'pol', 'r')`,
  redaction_fact: `INSERT INTO redaction_fact (project_id, object_id, source_object_id, verified, all_pages)
    VALUES ($1, 'obj', 'src', true, true)`,
  inherited_fact: `INSERT INTO inherited_fact (project_id, object_id, tags, labels, collection_ids)
    VALUES ($1, 'obj', '{}', '{}', '{}')`,
  job: `INSERT INTO job (id, project_id, source_object_id, origin) VALUES ('job', $1, 'obj', '{}')`,
  job_operation: `INSERT INTO job_operation (project_id, job_id, index, op, options)
    VALUES ($1, 'job', 0, 'ocr', '{}')`,
  preset: `INSERT INTO preset (project_id, id, name, operations, created_by) VALUES ($1, 'pst', 'p', '[]', '{}')`,
  pack: `INSERT INTO pack (project_id, id, name, source, options, origin) VALUES ($1, 'pack', 'p', '{}', '{}', '{}')`,
  pack_document: `INSERT INTO pack_document (project_id, pack_id, position, object_id, filename, sha256, mime, citation_key)
    VALUES ($1, 'pack', 1, 'obj', 'f', 's', 'm', 'k')`,
  review: `INSERT INTO review (project_id, id, job_id, operation_index, op, source_object_id, reviewers, pages,
      requested_by, expires_at)
    VALUES ($1, 'rev', 'job', 0, 'ocr', 'obj', 'anyone', 1, '{}', now())`,
  finding: `INSERT INTO finding (project_id, id, review_id, type, source, content, laid_out)
    VALUES ($1, 'fnd', 'rev', 'PERSON', 'detector', 'c', false)`,
  review_count: `INSERT INTO review_count (project_id, review_id, type, score_tenth, source, decision, findings)
    VALUES ($1, 'rev', 'PERSON', 9, 'detector', 'accepted', 1)`,
  review_text: `INSERT INTO review_text (project_id, review_id, page, piece, layout, start_at, length,
      first_line, lines, content)
    VALUES ($1, 'rev', 1, 0, 'lines', 0, 1, 1, 0, 'c')`,
  certificate_key: `INSERT INTO certificate_key (project_id, id, public_key, private_key)
    VALUES ($1, 'k', 'p', 's')`,
  job_page: `INSERT INTO job_page (project_id, job_id, operation_index, page) VALUES ($1, 'job', 0, 1)`,
  job_output: `INSERT INTO job_output (project_id, job_id, operation_index, kind, object_id)
    VALUES ($1, 'job', 0, 'text', 'obj')`,
  event: `INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type)
    VALUES ('evt_' || $1, $1, 'domain', 't', 'r', 'i', '{}', 'system')`,
  sequence_counter: `INSERT INTO sequence_counter (project_id, category, last) VALUES ($1, 'domain', 1)`,
  unpublished_stretch: `INSERT INTO unpublished_stretch (project_id, stretch) VALUES ($1, 7)`,
  consumer: `INSERT INTO consumer (id, project_id, name, category, position)
    VALUES ('con', $1, 'c', 'domain', 0)`,
  task: `INSERT INTO task (id, project_id, queue, kind, payload)
    VALUES ('tsk_' || $1, $1, 'ocr', 'k', '{}')`,
  webhook_endpoint: `INSERT INTO webhook_endpoint (id, project_id, url, event_types, secrets)
    VALUES ('whk_' || $1, $1, 'u', '{}', '[]')`,
  delivery: `INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id)
    VALUES ('whd_' || $1, 'evt_' || $1, 't', $1, 'whk_' || $1)`,
  due_delivery: `INSERT INTO due_delivery (id, event_id, project_id, endpoint_id, ordinal)
    VALUES ('whd_' || $1, 'evt_' || $1, $1, 'whk_' || $1, 1)`,
  webhook_tally: `INSERT INTO webhook_tally (endpoint_id, project_id, cells, response_ms)
    VALUES ('whk_' || $1, $1, '{0}', 1)`,
  webhook_stat: `INSERT INTO webhook_stat (endpoint_id, minutes, since, project_id, outcomes, latencies, response_ms)
    VALUES ('whk_' || $1, 5, now(), $1, '{1}', '{1}', 1)`,
  webhook_flow: `INSERT INTO webhook_flow (endpoint_id, project_id) VALUES ('whk_' || $1, $1)`,
  replay: `INSERT INTO replay (id, project_id, endpoint_id, selection, since, until, walk, matched)
    VALUES ('rpl_' || $1, $1, 'whk_' || $1, 'failed', now(), now(), '[]', 0)`,
  attempt: `INSERT INTO attempt (event_id, delivery_id, number, project_id)
    VALUES ('evt_' || $1, 'whd_' || $1, 1, $1)`,
  upload: `INSERT INTO upload (id, project_id, key_id, length, filename, tags, metadata, on_duplicate, given, expires_at)
    VALUES ('upl', $1, 'k', 1, 'f', '{}', '{}', 'reuse', '', now())`,
};
/** Tables that serve all projects: the relay and the workers see all of their rows. */
const pipeline = [
  'event',
  'sequence_counter',
  'unpublished_stretch',
  'task',
  'webhook_endpoint',
  'webhook_flow',
  'webhook_tally',
  'webhook_stat',
  'delivery',
  'due_delivery',
  'attempt',
];
/** Tables that only the API reads. */
const apiOnly = ['certificate_key'];

describe('row-level security', () => {
  let databaseFixture: DatabaseFixture;
  let superuser: Database;
  let a: string;
  let b: string;
  let tables: string[];
  before(async () => {
    databaseFixture = await openDatabaseFixture();
    superuser = await openDatabase(databaseFixture.urls.superuserUrl, { poolSize: 2 });
    a = await databaseFixture.createProject();
    b = await databaseFixture.createProject();
    tables = (
      await inTransaction(superuser, (tx) =>
        query<{ name: string }>(
          tx,
          `SELECT c.relname AS name FROM pg_class c
           JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
           JOIN pg_attribute t ON t.attrelid = c.oid AND t.attname = 'project_id'
           WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
          [],
        ),
      )
    ).map(({ name }) => name);
    for (const project of [a, b]) {
      await inTransaction(superuser, async (tx) => {
        for (const insert of Object.values(fixtures)) await query(tx, insert, [project]);
      });
    }
  });
  after(async () => {
    await superuser.destroy();
    await databaseFixture.close();
  });

  const projectsSeen = async (database: Database, table: string, as: string | null) =>
    inTransaction(database, async (tx) => {
      if (as !== null) await query(tx, `SELECT set_config('app.project_id', $1, true)`, [as]);
      const rows = await query<{ project_id: string }>(
        tx,
        `SELECT DISTINCT project_id FROM ${table}`,
        [],
      );
      return rows.map(({ project_id }) => project_id);
    });
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'allowed',
      (error: Error) => error.message,
    );

  it('covers every table that belongs to projects', () => {
    expect(Object.keys(fixtures).sort()).to.deep.equal(tables);
  });

  it('hides everything from a role without a project', async () => {
    for (const table of tables) {
      expect(await projectsSeen(databaseFixture.api, table, null), table).to.deep.equal([]);
      expect(await projectsSeen(databaseFixture.api, table, ''), table).to.deep.equal([]);
      if (pipeline.includes(table) || apiOnly.includes(table)) continue;
      expect(await projectsSeen(databaseFixture.worker, table, null), table).to.deep.equal([]);
    }
  });

  it('shows one project its own rows, even if a query names no project', async () => {
    for (const table of tables) {
      expect(await projectsSeen(databaseFixture.api, table, a), table).to.deep.equal([a]);
      if (pipeline.includes(table)) continue;
      const byWorker = projectsSeen(databaseFixture.worker, table, b);
      if (apiOnly.includes(table)) {
        expect(await refusal(byWorker), table).to.include('permission denied');
      } else {
        expect(await byWorker, table).to.deep.equal([b]);
      }
    }
  });

  it('lets workers and relay see the pipeline’s tables, and the relay nothing else', async () => {
    for (const table of tables) {
      if (pipeline.includes(table)) {
        const seen = await refusal(projectsSeen(databaseFixture.worker, table, null));
        expect(seen, table).to.equal('allowed');
        expect(
          (await projectsSeen(databaseFixture.relay, table, null)).sort(),
          table,
        ).to.deep.equal([a, b].sort());
      } else {
        expect(await refusal(projectsSeen(databaseFixture.relay, table, a)), table).to.include(
          'permission denied',
        );
      }
    }
  });

  it('prevents inserting, changing and deleting another project’s rows', async () => {
    const insert = inProject(databaseFixture.api, a, (tx) =>
      query(tx, fixtures.denial!.replace("'c'", "'d'"), [b]),
    );
    expect(await refusal(insert)).to.include('row-level security');
    for (const table of ['object', 'job', 'job_page', 'webhook_endpoint']) {
      const touched = await inProject(databaseFixture.api, a, (tx) =>
        query(tx, `DELETE FROM ${table} WHERE project_id = $1 RETURNING project_id`, [b]),
      );
      expect(touched, table).to.have.length(0);
      const moved = inProject(databaseFixture.api, a, (tx) =>
        query(tx, `UPDATE ${table} SET project_id = $1`, [b]),
      );
      expect(await refusal(moved), table).to.match(/row-level security|foreign key/);
    }
  });

  it('does not leak between transactions on the same connection', async () => {
    const one = await openDatabase(databaseFixture.urls.apiUrl, { poolSize: 1 });
    try {
      for (let turn = 0; turn < 50; turn++) {
        const mine = turn % 2 === 0 ? a : b;
        expect(await projectsSeen(one, 'object', mine)).to.deep.equal([mine]);
        expect(await projectsSeen(one, 'object', null)).to.deep.equal([]);
      }
    } finally {
      await one.destroy();
    }
  });

  it('binds the owner too, except in the tables that it administers', async () => {
    const administered = [
      'api_key',
      'portal_session',
      'member',
      'task',
      'event',
      'delivery',
      'due_delivery',
      'webhook_endpoint',
      'webhook_flow',
      'sequence_counter',
    ];
    for (const table of tables.filter((name) => !administered.includes(name))) {
      expect(await projectsSeen(databaseFixture.owner, table, null), table).to.deep.equal([]);
      expect(await projectsSeen(databaseFixture.owner, table, b), table).to.deep.equal([b]);
    }
  });

  it('covers the views for searches, although their owner bypasses it', async () => {
    const views = await inTransaction(superuser, (tx) =>
      query<{ name: string }>(
        tx,
        `SELECT relname AS name FROM pg_class
         WHERE relkind = 'v' AND pg_get_userbyid(relowner) = 'searcher' ORDER BY 1`,
        [],
      ),
    );
    const names = views.map(({ name }) => name);
    expect(names).to.deep.equal(['image_search', 'image_word_search', 'object_search']);
    const count = (database: Database, view: string, as: string | null) =>
      inTransaction(database, async (tx) => {
        if (as !== null) await query(tx, `SELECT set_config('app.project_id', $1, true)`, [as]);
        const [row] = await query<{ n: number }>(tx, `SELECT count(*) AS n FROM ${view}`, []);
        return Number(row!.n);
      });
    for (const view of names) {
      for (const role of [databaseFixture.api, databaseFixture.worker]) {
        expect(await count(role, view, null), view).to.equal(0);
        expect(await count(role, view, ''), view).to.equal(0);
        expect(await count(role, view, a), view).to.equal(1);
      }
      for (const role of [databaseFixture.relay, databaseFixture.owner]) {
        expect(await refusal(count(role, view, a)), view).to.include('permission denied');
      }
    }
    for (const role of [databaseFixture.api, databaseFixture.worker, databaseFixture.relay]) {
      const become = inTransaction(role, (tx) => query(tx, 'SET LOCAL ROLE searcher', []));
      expect(await refusal(become)).to.include('permission denied');
    }
  });

  it('is not bypassed by functions that run as their owner', async () => {
    const functions = await inTransaction(superuser, (tx) =>
      query<{ name: string; path: string; open: boolean }>(
        tx,
        `SELECT proname AS name,
           (SELECT c FROM unnest(proconfig) AS c WHERE c LIKE 'search_path=%') AS path,
           has_function_privilege('neighbour', oid, 'EXECUTE') AS open
         FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY 1`,
        [],
      ),
    );
    expect(functions.map(({ name }) => name)).to.include.members([
      'admit',
      'authenticate_signed',
      'pipeline_figures',
    ]);
    for (const { name, path, open } of functions) {
      // Without it, the session's temporary tables would come first.
      expect(path, name).to.equal('search_path=pg_catalog, public, pg_temp');
      expect(open, name).to.equal(name === 'outbox_record');
    }
  });

  it('is checked at start: superusers, the owner and unprotected tables are rejected', async () => {
    expect(await refusal(requireRowSecurity(superuser))).to.include('superuser');
    expect(await refusal(requireRowSecurity(databaseFixture.owner))).to.include(`'owner'`);
    for (const role of [databaseFixture.api, databaseFixture.worker, databaseFixture.relay])
      await requireRowSecurity(role);
    await inTransaction(superuser, (tx) =>
      query(tx, 'ALTER TABLE denial NO FORCE ROW LEVEL SECURITY', []),
    );
    expect(await refusal(requireRowSecurity(databaseFixture.api))).to.include('denial');
  });

  it('keeps IDs of other projects from being used as references', async () => {
    const output = inProject(databaseFixture.api, a, (tx) =>
      query(
        tx,
        `INSERT INTO job_page (project_id, job_id, operation_index, page) VALUES ($1, $2, 0, 9)`,
        [a, newId('job')],
      ),
    );
    expect(await refusal(output)).to.include('foreign key');
  });
});
