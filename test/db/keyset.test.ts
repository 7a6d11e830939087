import { expect } from 'chai';
import { Conditions } from '../../src/db/statements/conditions.ts';
import { keysetOf, type SortKeys } from '../../src/db/statements/keyset.ts';
import { inProject, query } from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

const rows = 5_000;

/** The lists that may be long, by the table: the index of each order, and a value of its key. */
const lists: Record<
  string,
  [column: string, type: 'timestamptz' | 'text' | 'bigint', value: string | number, index: string][]
> = {
  object: [
    ['created_at', 'timestamptz', '2020-01-01 00:30:00+00', 'object_newest'],
    ['filename', 'text', 'f2500', 'object_by_filename'],
    ['bytes', 'bigint', 2_500, 'object_by_bytes'],
    ['mime', 'text', 'text/plain', 'object_by_mime'],
  ],
  collection: [
    ['created_at', 'timestamptz', '2020-01-01 00:30:00+00', 'collection_newest'],
    ['name', 'text', 'c2500', 'collection_by_name'],
  ],
  job: [
    ['created_at', 'timestamptz', '2020-01-01 00:30:00+00', 'job_newest'],
    ['state', 'text', 'succeeded', 'job_by_state'],
  ],
  review: [
    ['created_at', 'timestamptz', '2020-01-01 00:30:00+00', 'review_oldest'],
    ['expires_at', 'timestamptz', '2030-01-01 00:30:00+00', 'review_by_expiry'],
    ['state', 'text', 'open', 'review_by_state'],
  ],
};

describe('a page of a sorted list', () => {
  let database: DatabaseFixture;
  let projectId: string;
  before(async () => {
    database = await openDatabaseFixture();
    projectId = await database.createProject();
    await inProject(database.owner, projectId, async (tx) => {
      const time = `'2020-01-01'::timestamptz + n * interval '1 s'`;
      for (const statement of [
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, created_at)
         SELECT 'obj_' || n, $1, 'available', 'f' || n, (ARRAY['text/plain', 'image/png'])[1 + n % 2], n,
           's', 'upload', ${time} FROM generate_series(1, ${rows}) n`,
        `INSERT INTO collection (id, project_id, name, kind, created_at)
         SELECT 'col_' || n, $1, 'c' || n, 'manual', ${time} FROM generate_series(1, ${rows}) n`,
        `INSERT INTO job (id, project_id, state, source_object_id, origin, created_at)
         SELECT 'job_' || n, $1, (ARRAY['succeeded', 'failed'])[1 + n % 2], 'obj_' || n, '{}', ${time}
         FROM generate_series(1, ${rows}) n`,
        `INSERT INTO job_operation (project_id, job_id, index, op, options, state)
         SELECT $1, 'job_' || n, 0, 'redact_pii', '{}', 'succeeded' FROM generate_series(1, ${rows}) n`,
        `INSERT INTO review (project_id, id, job_id, operation_index, op, source_object_id, state,
           reviewers, pages, requested_by, expires_at, created_at)
         SELECT $1, 'rev_' || n, 'job_' || n, 0, 'redact_pii', 'obj_' || n,
           (ARRAY['open', 'submitted'])[1 + n % 2], 'anyone', 1, '{}',
           ${time} + interval '10 years', ${time} FROM generate_series(1, ${rows}) n`,
      ]) {
        await tx.query(statement, [projectId]);
      }
    });
    await database.owner.query(`ANALYZE ${Object.keys(lists).join(', ')}`);
  });
  after(() => database.close());

  for (const [table, orders] of Object.entries(lists)) {
    for (const [column, type, value, index] of orders) {
      it(`of ${table} by ${column} starts in its index, in both directions`, async () => {
        const keys: SortKeys<'key'> = { key: { column, type } };
        for (const sort of ['key', '-key'] as const) {
          const keyset = keysetOf(keys, sort);
          const where = new Conditions();
          where.add('project_id = ?', projectId);
          keyset.startAfter(where, [value, 'x']);
          const plan = await inProject(database.api, projectId, (tx) =>
            query<{ 'QUERY PLAN': string }>(
              tx,
              `EXPLAIN SELECT *, ${keyset.position} FROM ${table} WHERE ${where.sql()}
               ORDER BY ${keyset.order} LIMIT 50`,
              where.values,
            ),
          );
          const text = plan.map((row) => row['QUERY PLAN']).join('\n');
          expect(text).to.include(`using ${index}`).and.not.include('Sort');
          expect(text).to.match(new RegExp(`Index Cond: .*ROW\\(${column}, id\\) [<>] ROW`));
        }
      });
    }
  }
});
