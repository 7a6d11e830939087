import { expect } from 'chai';
import { openDatabase } from '../../src/db/database.ts';
import { inProject, inTransaction, prepared, query } from '../../src/db/transaction.ts';
import { removals } from '../../src/workers/expired-rows.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

/** Rows of which `age` is how long ago their time began, and how the rest of them can be found. */
interface Kept {
  table: string;
  /** Inserts the row `$2`, of the project `$1`, of the age `$3`. */
  inserts: string;
  /** Rows that are still there, or still have their contents. */
  id: string;
  where?: string;
}

const review = `INSERT INTO review (project_id, id, job_id, operation_index, op, source_object_id,
    reviewers, pages, requested_by, expires_at, ended_at)
  VALUES ($1, $2, $2, 0, 'redact_pii', 'o', 'anyone', 1, '{}', now(), now() - $3::interval)`;

const kept: Record<string, { days: number; rows: Kept }> = {
  'findings of a review, with their values': {
    days: 30,
    rows: {
      table: 'finding',
      inserts: `WITH r AS (${review})
        INSERT INTO finding (project_id, id, review_id, type, source, content, laid_out)
        VALUES ($1, $2, $2, 'PERSON', 'detector', 'sealed', true)`,
      id: 'review_id',
    },
  },
  'text that reviewers saw': {
    days: 30,
    rows: {
      table: 'review_text',
      inserts: `WITH r AS (${review})
        INSERT INTO review_text (project_id, review_id, page, piece, layout, start_at, length, first_line,
          lines, content)
        VALUES ($1, $2, 1, 1, 'lines', 0, 1, 1, 1, 'sealed')`,
      id: 'review_id',
    },
  },
  'text and words of pages': {
    days: 30,
    rows: {
      table: 'job_page',
      inserts: `WITH j AS (INSERT INTO job (project_id, id, state, source_object_id, origin, finished_at)
          VALUES ($1, $2, 'succeeded', 'o', '{}', now() - $3::interval))
        INSERT INTO job_page (project_id, job_id, operation_index, page, state, text, words)
        VALUES ($1, $2, 0, 1, 'succeeded', 'text', '\\x00')`,
      id: 'job_id',
      where: 'text IS NOT NULL OR words IS NOT NULL',
    },
  },
  'pictures of pages': {
    days: 7,
    rows: {
      table: 'object_variant',
      inserts: `INSERT INTO object_variant (project_id, object_id, variant, sha256, created_at)
        VALUES ($1, $2, 'page:1:480', repeat('a', 64), now() - $3::interval)`,
      id: 'object_id',
    },
  },
  'revoked shares': {
    days: 90,
    rows: {
      table: 'share',
      inserts: `INSERT INTO share (project_id, id, kind, object_id, allow_download, created_by, revoked_at)
        VALUES ($1, $2, 'view', 'o', true, '{}', now() - $3::interval)`,
      id: 'id',
    },
  },
  'expired invitations': {
    days: 90,
    rows: {
      table: 'invitation',
      inserts: `INSERT INTO invitation (project_id, id, role, created_by, expires_at)
        VALUES ($1, $2, 'viewer', '{}', now() - $3::interval)`,
      id: 'id',
    },
  },
  'replays that have ended': {
    days: 90,
    rows: {
      table: 'replay',
      inserts: `INSERT INTO replay (project_id, id, endpoint_id, state, selection, since, until, walk, matched,
          finished_at)
        VALUES ($1, $2, 'e', 'completed', 'all', now(), now(), '{}', 0, now() - $3::interval)`,
      id: 'id',
    },
  },
};

describe('what a project keeps for a limited time', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  for (const [what, { days, rows }] of Object.entries(kept)) {
    const { table, inserts, id, where = 'true' } = rows;
    it(`includes ${what} for ${days} days`, async () => {
      const project = await database.createProject();
      const superuser = await openDatabase(database.urls.superuserUrl, { poolSize: 1 });
      try {
        await inTransaction(superuser, async (tx) => {
          // Without the rows that these belong to.
          await query(tx, 'SET LOCAL session_replication_role = replica', []);
          for (const [name, age] of [
            ['young', days - 1],
            ['old', days + 1],
          ]) {
            await query(tx, inserts, [project, name, `${age} days`]);
          }
        });
      } finally {
        await superuser.destroy();
      }
      for (const [, remove] of removals) {
        await inProject(database.worker, project, (tx) => remove(tx, project));
      }
      const left = await inProject(database.api, project, (tx) =>
        prepared<{ id: string }>(tx, `SELECT ${id} AS id FROM ${table} WHERE ${where}`, []),
      );
      expect(left).to.deep.equal([{ id: 'young' }]);
    });
  }
});
