import { expect } from 'chai';
import { maySendEarly } from '../../src/db/statements/texts.ts';
import { inTransaction, prepared } from '../../src/db/transaction.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

describe('statements sent before a login is granted', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  const functions = async (condition: string): Promise<string[]> => {
    const text = `SELECT DISTINCT p.proname AS name
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${condition} ORDER BY 1`;
    const rows = await inTransaction(database.owner, (tx) =>
      prepared<{ name: string }>(tx, text, []),
    );
    return rows.map(({ name }) => name);
  };

  it('call no function that may write, lock or bypass row-level security', async () => {
    const dangerous = await functions(
      `(p.provolatile = 'v' OR p.prosecdef) AND p.proname <> 'clock_timestamp'`,
    );
    expect(dangerous).to.include.members([
      'admit_key',
      'quota_claim',
      'usage_fold',
      'outbox_record',
      'pg_advisory_xact_lock',
    ]);
    const early = dangerous.flatMap((name) =>
      [
        `SELECT ${name}($1)`,
        `WITH found AS (SELECT * FROM ${name} ($1) AS f (id)) SELECT 1`,
      ].filter(maySendEarly),
    );
    expect(early).to.be.empty;
  });

  it('include none with a disguised call of a service function', async () => {
    const disguises = ['"quota_claim"($1)', 'public.quota_claim($1)', 'quota_claim/* */($1)'];
    const broken = ['QUOTA_CLAIM($1)', 'quota_claim\n($1)', 'quota_claim--\n($1)'];
    for (const call of [...disguises, ...broken]) {
      expect(maySendEarly(`SELECT ${call}`), call).to.equal(false);
    }
  });

  it('cannot change the project or the role', () => {
    for (const setting of ['app.project_id', 'app.projects', 'role', 'row_security']) {
      expect(maySendEarly(`SELECT set_config('${setting}', $1, true)`), setting).to.equal(false);
    }
    expect(maySendEarly('SELECT set_config($1, $2, true)')).to.equal(false);
  });

  it('include reads with common functions', async () => {
    for (const text of [
      `SELECT set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', $1, true)`,
      'SELECT id FROM job WHERE id = $1 FOR UPDATE',
      'SELECT count(*), coalesce(max(at), now()) FROM note WHERE id = ANY ($1) AND (a OR b)',
      'SELECT f.id FROM unnest($1::text[]) AS f (id) WHERE EXISTS (SELECT FROM note WHERE id = f.id)',
      'WITH found AS MATERIALIZED (SELECT 1) SELECT * FROM found JOIN LATERAL (SELECT 2) x ON true',
      'WITH RECURSIVE up (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM up) SELECT id FROM up',
      'SELECT id -- of the note\n FROM note',
    ]) {
      expect(maySendEarly(text), text).to.equal(true);
    }
  });
});
