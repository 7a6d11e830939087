import { newId } from '@scriptorium/contracts/ids';
import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { openDatabase } from '../../../src/db/database.ts';
import { openUploadLocks, type UploadLocks } from '../../../src/library/uploads/locks.ts';
import { createLogger } from '../../../src/logger.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../../support/database-fixture.ts';

const never = () => false;
const always = () => true;

describe('upload locks', () => {
  let database: DatabaseFixture;
  /** Two instances, as in two processes. */
  let here: UploadLocks;
  let there: UploadLocks;
  let id: string;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());
  beforeEach(() => {
    const logger = createLogger('silent', 'test');
    here = openUploadLocks(database.urls.apiUrl, logger);
    there = openUploadLocks(database.urls.apiUrl, logger);
    id = newId('upload');
  });
  afterEach(async () => {
    await here.close();
    await there.close();
  });

  const codeOf = (run: Promise<unknown>): Promise<string> =>
    run.then(
      () => 'granted',
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    );

  it('are held by one holder, within a process and across processes', async () => {
    const lock = await here.take(id, never);
    expect(await here.takeIfFree(id, never)).to.equal(null);
    expect(await there.takeIfFree(id, never)).to.equal(null);
    expect(await codeOf(there.take(id, never))).to.equal('upload_locked');
    expect(await codeOf(here.take(id, never))).to.equal('upload_locked');
    expect(lock.lost.aborted).to.equal(false);
    const other = await there.take(newId('upload'), never);
    await lock.release();
    const next = await there.takeIfFree(id, never);
    expect(next).not.to.equal(null);
    await next?.release();
    await other.release();
  });

  for (const [where, locks] of [
    ['of this process', () => here],
    ['of another process', () => there],
  ] as const) {
    it(`are released by a holder that yields to a request ${where}`, async () => {
      const lock = await here.take(id, always);
      lock.lost.addEventListener('abort', () => void lock.release());
      const next = await locks().take(id, never);
      expect(lock.lost.aborted).to.equal(true);
      expect(next.lost.aborted).to.equal(false);
      await next.release();
    });

    it(`are taken by who insists from any holder, by a request ${where}`, async () => {
      const lock = await here.take(id, never);
      lock.lost.addEventListener('abort', () => void lock.release());
      const next = await locks().take(id, never, { insists: true });
      expect(lock.lost.aborted).to.equal(true);
      await next.release();
    });
  }

  it('are lost with their connection, and told so', async () => {
    const lock = await here.take(id, never);
    const lost = new Promise<void>((resolve) => {
      lock.lost.addEventListener('abort', () => resolve());
    });
    const superuser = await openDatabase(database.urls.superuserUrl, { poolSize: 1 });
    try {
      await superuser.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'scriptorium uploads' AND datname = current_database()`);
    } finally {
      await superuser.destroy();
    }
    await lost;
    // It connects again by itself.
    const again = await here.take(newId('upload'), never);
    await again.release();
    await lock.release();
  });
});
