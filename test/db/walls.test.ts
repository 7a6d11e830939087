import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { requireRowSecurity } from '../../src/db/preparing/start-up.ts';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { projectRows } from '../support/project-rows.ts';

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
        for (const insert of Object.values(projectRows)) await query(tx, insert, [project]);
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
    expect(Object.keys(projectRows).sort()).to.deep.equal(tables);
  });

  it('hides everything from a role without a project', async () => {
    for (const table of tables) {
      expect(await projectsSeen(databaseFixture.api, table, null), table).to.deep.equal([]);
      expect(await projectsSeen(databaseFixture.api, table, ''), table).to.deep.equal([]);
      if (pipeline.includes(table)) continue;
      expect(await projectsSeen(databaseFixture.worker, table, null), table).to.deep.equal([]);
    }
  });

  it('shows one project its own rows, even if a query names no project', async () => {
    for (const table of tables) {
      expect(await projectsSeen(databaseFixture.api, table, a), table).to.deep.equal([a]);
      if (pipeline.includes(table)) continue;
      expect(await projectsSeen(databaseFixture.worker, table, b), table).to.deep.equal([b]);
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
      query(tx, projectRows.denial!.replace("'c'", "'d'"), [b]),
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
      'project_deletion',
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
    expect(names).to.deep.equal([
      'image_search',
      'image_word_search',
      'object_search',
      'passage_search',
    ]);
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
