import { expect } from 'chai';
import { warmUp } from '../../../src/api/warm-up.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { DatabaseUnreachable, inTransaction, query } from '../../../src/db/transaction.ts';
import { createDatabase, type TestDatabase } from '../../support/services.ts';

describe('the warm-up of an API process', () => {
  let urls: TestDatabase;
  before(async () => {
    urls = await createDatabase();
  });
  after(() => urls.drop());

  it('opens half of the connections, with the login prepared on each', async () => {
    const database = await openDatabase(urls.apiUrl, { poolSize: 6, applicationName: 'warm' });
    try {
      await warmUp(database);
      const ask = () =>
        inTransaction(database, async (tx) => {
          const open = await query<{ pid: number }>(
            tx,
            `SELECT pid FROM pg_stat_activity
             WHERE application_name = $1 AND datname = current_database()`,
            ['warm'],
          );
          const [prepared] = await query<{ count: number; pid: number }>(
            tx,
            `SELECT count(*), pg_backend_pid() AS pid FROM pg_prepared_statements
             WHERE statement LIKE '%admit_key(' || $1`,
            ['%'],
          );
          return { open: open.map(({ pid }) => pid).sort(), prepared: prepared! };
        });
      // In parallel, so that each uses its own connection.
      const answers = await Promise.all([ask(), ask(), ask()]);
      const { open } = answers[0]!;
      expect(open).to.have.length(3);
      expect(answers.map(({ prepared }) => prepared.pid).sort()).to.deep.equal(open);
      for (const { prepared } of answers) expect(prepared.count).to.equal(1);
    } finally {
      await database.destroy();
    }
  });

  it('rejects if the database is unreachable', async () => {
    const database = await openDatabase(urls.apiUrl, { poolSize: 2 });
    await database.destroy();
    const error: unknown = await warmUp(database).catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(DatabaseUnreachable);
  });
});
