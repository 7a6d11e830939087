import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import pg from 'pg';
import { createLogger } from '../../src/logger.ts';
import { type EventListener, listenForEvents } from '../../src/outbox/feed/listen.ts';
import { eventually } from '../support/eventually.ts';
import { createDatabase, type TestDatabase } from '../support/services.ts';

describe('the event listener', () => {
  let database: TestDatabase;
  let superuser: pg.Client;
  let events: EventListener;
  before(async () => {
    database = await createDatabase();
    superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    events = listenForEvents(database.apiUrl, createLogger('silent', 'test'));
    await eventually(async () => events.isConnected());
  });
  after(async () => {
    await events.close();
    await superuser.end();
    await database.drop();
  });

  it('leaves no listeners behind after lost connections', async () => {
    const listening = async (): Promise<number | undefined> => {
      const { rows } = await superuser.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'scriptorium events'`,
      );
      return events.isConnected() ? rows[0]?.pid : undefined;
    };
    for (let cut = 0; cut < 3; cut += 1) {
      const lost = await eventually(listening);
      await superuser.query('SELECT pg_terminate_backend($1)', [lost]);
      await eventually(async () => {
        const found = await listening();
        return found !== undefined && found !== lost;
      });
    }
    expect(getEventListeners(events.closing, 'abort')).to.have.length(0);
  });

  it('serves many readers without a warning', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    const leaving = new AbortController();
    const watches = Array.from({ length: 30 }, (_, at) => events.watch(`prj_${at}`));
    const waiting = watches.map((watch) =>
      watch.next({ timeoutMs: 30_000, signal: AbortSignal.any([leaving.signal]) }),
    );
    leaving.abort();
    expect(await Promise.all(waiting)).to.deep.equal(watches.map(() => false));
    for (const watch of watches) watch.close();
    // Warnings are emitted in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warn);
    expect(warnings).to.deep.equal([]);
    expect(getEventListeners(events.closing, 'abort')).to.have.length(0);
  });
});
