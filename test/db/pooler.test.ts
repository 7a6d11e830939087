import { expect } from 'chai';
import { isBehindPooler } from '../../src/db/database.ts';
import { requireStableSession } from '../../src/db/preparing/start-up.ts';
import {
  inReadTransaction,
  inTransaction,
  prepared,
  query,
  send,
} from '../../src/db/transaction.ts';
import { eventually } from '../support/eventually.ts';
import { openPooledService, type PooledService } from '../support/pooled.ts';

/** In the mode that docs/operations.md recommends; pooler-modes has the others. */
describe('behind a pooler in transaction mode', () => {
  let on: PooledService;
  before(async function () {
    const opened = await openPooledService();
    if (!opened) return this.skip();
    on = opened;
  });
  after(() => on?.close());

  it('the API and the workers do all that they do', () =>
    on.exercise(on.pooler, { DATABASE_SESSION_URL: on.service.database.apiUrl }));

  it('the API requires a URL for its session', async () => {
    const refusal = (sessionUrl?: string) =>
      requireStableSession(
        on.database,
        on.pooler.through(on.service.database.apiUrl),
        sessionUrl,
      ).then(
        () => null,
        (error: Error) => error.message,
      );
    const { apiUrl, superuserUrl } = on.service.database;
    expect(await refusal()).to.include('set DATABASE_SESSION_URL');
    expect(await refusal(on.pooler.through(apiUrl))).to.include('pool_mode = session');
    const other = superuserUrl.replace(on.service.database.name, 'postgres');
    expect(await refusal(other)).to.include('names a different database');
    expect(await refusal(apiUrl)).to.equal(null);
  });

  describe('a transaction', () => {
    it('has the limits that a session would hold, and leaves none behind', async () => {
      expect(isBehindPooler(on.database)).to.equal(true);
      const limits = `SELECT current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS idle`;
      const inside = await inTransaction(on.database, (tx) => prepared(tx, limits, []));
      expect(inside).to.deep.equal([{ statement: '7s', idle: '1min' }]);
      const after = await inReadTransaction(on.database, (tx) => prepared(tx, limits, []));
      expect(after).to.deep.equal([{ statement: '0', idle: '0' }]);
    });

    it('keeps its answers apart from others, in one packet or many', async () => {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          (at % 2 ? inTransaction : inReadTransaction)(on.database, async (tx) => {
            send(tx, `SELECT set_config('app.project_id', $1, true)`, [`prj_${at}`]);
            const text = `SELECT current_setting('app.project_id') AS project, $1::int AS at`;
            const first = prepared(tx, text, [at]);
            const second = prepared(tx, text, [at + 1]);
            const [one, two] = await Promise.all([first, second]);
            const [three] = await query<{ project: string }>(tx, text, [at + 2]);
            return [...one, ...two, three];
          }),
        ),
      );
      for (const [at, rows] of answers.entries()) {
        const project = `prj_${at}`;
        expect(rows).to.deep.equal([0, 1, 2].map((more) => ({ project, at: at + more })));
      }
    });

    it('that fails leaves its connection usable', async () => {
      const failing = inTransaction(on.database, (tx) => query(tx, 'SELECT 1 / $1::int', [0]));
      await eventually(async () =>
        failing.then(
          () => false,
          () => true,
        ),
      );
      const rows = await inTransaction(on.database, (tx) => prepared(tx, 'SELECT 1 AS one', []));
      expect(rows).to.deep.equal([{ one: 1 }]);
    });
  });
});
