import { expect } from 'chai';
import { type Database, isBehindPooler, openDatabase } from '../../src/db/database.ts';
import { requireLastingSession } from '../../src/db/preparing/start-up.ts';
import { inReading, inTransaction, prepared, query, send } from '../../src/db/transaction.ts';
import { eventually } from '../support/eventually.ts';
import { findPgBouncer, type Pooler, startPooler } from '../support/pgbouncer.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openService, type TestService } from '../support/service.ts';

/** The service behind Debian's PgBouncer. */
describe('behind a pooler', () => {
  let service: TestService;
  let receiver: Receiver;
  let pooler: Pooler;
  let urls: string[];
  let database: Database;
  const start = async (
    mode: 'session' | 'transaction' | 'statement',
    settings?: Record<string, string>,
  ) => startPooler((await findPgBouncer())!, mode, urls, settings);
  before(async function () {
    if (!(await findPgBouncer())) this.skip();
    service = await openService();
    receiver = await startReceiver();
    const { apiUrl, workerUrl, relayUrl, superuserUrl } = service.database;
    urls = [apiUrl, workerUrl, relayUrl, superuserUrl];
    pooler = await start('transaction');
    database = await openDatabase(pooler.through(apiUrl), { poolSize: 8, statementSeconds: 7 });
  });
  after(async () => {
    await database?.destroy();
    await service?.close();
    await receiver?.close();
    await pooler?.close();
  });

  /** Uses the API and the workers through a pooler. */
  const serve = async (through: Pooler, ownUrl: { DATABASE_SESSION_URL?: string }) => {
    const pooled = {
      DATABASE_URL: through.through(service.database.apiUrl),
      DATABASE_WORKER_URL: through.through(service.database.workerUrl),
      DATABASE_RELAY_URL: through.through(service.database.relayUrl),
    };
    const server = await service.startServer({ ...pooled, ...ownUrl });
    const worker = service.startWorker('relay,webhooks,maintenance', pooled);
    receiver.requests.length = 0;
    const hook = await service.call('POST', '/v1/webhooks', {
      url: receiver.url,
      event_types: ['dam.*'],
      secret: receiver.secret,
    });
    expect(hook.status).to.equal(201);
    // More at once than the pooler has sessions.
    const objects = await Promise.all(
      Array.from({ length: 12 }, (_, at) => service.upload(Buffer.from(`text ${at}`), `${at}.txt`)),
    );
    for (const { id } of objects) {
      const read = await service.call('GET', `/v1/objects/${id}`);
      expect(read.status).to.equal(200);
      expect((await service.call('DELETE', `/v1/objects/${id}`)).status).to.equal(204);
    }
    const listed = await service.call('GET', '/v1/objects?include=facets&limit=5');
    expect(listed.status).to.equal(200);
    await receiver.received(2 * objects.length);
    const events = await service.call('GET', '/v1/events?limit=100');
    const ids = ((await events.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    const got = receiver.requests.map(({ headers }) => headers['webhook-id']!);
    expect(new Set(got).size).to.equal(got.length);
    expect(ids).to.include.members(got);
    const { id } = (await hook.json()) as { id: string };
    const removed = await service.call('DELETE', `/v1/webhooks/${id}`, undefined, {
      'If-Match': '*',
    });
    expect(removed.status).to.equal(204);
    await Promise.all([server.stop(), worker.stop()]);
  };

  it('in transaction mode the API and the workers do all that they do', () =>
    serve(pooler, { DATABASE_SESSION_URL: service.database.apiUrl }));

  it('in session mode they do so without a URL of its own for the session', async () => {
    const own = await start('session', { default_pool_size: '20' });
    try {
      await serve(own, {});
    } finally {
      await own.close();
    }
  });

  it('in transaction mode the API requires a URL for its session', async () => {
    const refusal = (sessionUrl?: string) =>
      requireLastingSession(database, pooler.through(service.database.apiUrl), sessionUrl).then(
        () => null,
        (error: Error) => error.message,
      );
    const { apiUrl, superuserUrl } = service.database;
    expect(await refusal()).to.include('set DATABASE_SESSION_URL');
    expect(await refusal(pooler.through(apiUrl))).to.include('pool_mode = session');
    const other = superuserUrl.replace(service.database.name, 'postgres');
    expect(await refusal(other)).to.include('names another database');
    expect(await refusal(apiUrl)).to.equal(null);
  });

  it('in statement mode nothing starts', async () => {
    const own = await start('statement');
    try {
      const reason = await openDatabase(own.through(urls[0]!)).then(
        () => '',
        (error: Error) => error.message,
      );
      expect(reason).to.include('set pool_mode = transaction');
    } finally {
      await own.close();
    }
  });

  it('in session mode sessions last', async () => {
    const own = await start('session');
    const url = own.through(urls[0]!);
    const opened = await openDatabase(url, { poolSize: 1 });
    try {
      expect(isBehindPooler(opened)).to.equal(true);
      await requireLastingSession(opened, url, undefined);
      await requireLastingSession(database, pooler.through(urls[0]!), url);
    } finally {
      await opened.destroy();
      await own.close();
    }
  });

  describe('a transaction', () => {
    it('has the limits that a session would hold, and leaves none behind', async () => {
      expect(isBehindPooler(database)).to.equal(true);
      const limits = `SELECT current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS idle`;
      const inside = await inTransaction(database, (tx) => prepared(tx, limits, []));
      expect(inside).to.deep.equal([{ statement: '7s', idle: '1min' }]);
      const after = await inReading(database, (tx) => prepared(tx, limits, []));
      expect(after).to.deep.equal([{ statement: '0', idle: '0' }]);
    });

    it('keeps its answers apart from others, in one packet or many', async () => {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          (at % 2 ? inTransaction : inReading)(database, async (tx) => {
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
      const failing = inTransaction(database, (tx) => query(tx, 'SELECT 1 / $1::int', [0]));
      await eventually(async () =>
        failing.then(
          () => false,
          () => true,
        ),
      );
      const rows = await inTransaction(database, (tx) => prepared(tx, 'SELECT 1 AS one', []));
      expect(rows).to.deep.equal([{ one: 1 }]);
    });
  });
});
