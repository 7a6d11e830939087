import { expect } from 'chai';
import { isBehindPooler, openDatabase } from '../../src/db/database.ts';
import { requireStableSession } from '../../src/db/preparing/start-up.ts';
import { openPooledService, type PooledService } from '../support/pooled.ts';

describe('behind a pooler in another mode', () => {
  let on: PooledService;
  before(async function () {
    const opened = await openPooledService();
    if (!opened) return this.skip();
    on = opened;
  });
  after(() => on?.close());

  it('in session mode the API and the workers need no URL of its own for the session', async () => {
    const own = await on.start('session', { default_pool_size: '20' });
    try {
      await on.exercise(own, {});
    } finally {
      await own.close();
    }
  });

  it('in statement mode nothing starts', async () => {
    const own = await on.start('statement');
    try {
      const reason = await openDatabase(own.through(on.service.database.apiUrl)).then(
        () => '',
        (error: Error) => error.message,
      );
      expect(reason).to.include('set pool_mode = transaction');
    } finally {
      await own.close();
    }
  });

  it('in session mode sessions last', async () => {
    const own = await on.start('session');
    const url = own.through(on.service.database.apiUrl);
    const opened = await openDatabase(url, { poolSize: 1 });
    try {
      expect(isBehindPooler(opened)).to.equal(true);
      await requireStableSession(opened, url, undefined);
      await requireStableSession(on.database, on.pooler.through(on.service.database.apiUrl), url);
    } finally {
      await opened.destroy();
      await own.close();
    }
  });
});
