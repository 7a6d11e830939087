import { mock } from 'node:test';
import { expect } from 'chai';
import { measureClock, postgresTime } from '../../src/db/postgres-time.ts';
import { inProject, prepared, query } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';

const dayMs = 86_400_000;

describe('the time of Postgres in a process whose clock is wrong', () => {
  let database: DatabaseFixture;
  let project: string;
  before(async () => {
    database = await openDatabaseFixture();
    project = await database.createProject();
  });
  afterEach(() => mock.timers.reset());
  after(() => database.close());

  for (const days of [-100, 40]) {
    it(`is known, and dates events, if it is ${days} days off`, async () => {
      mock.timers.enable({ apis: ['Date'], now: Date.now() + days * dayMs });
      const resourceId = 'obj_00000000000000000000000000';
      const found = await inProject(database.api, project, async (tx) => {
        await record(tx, originOf(project), { type: 'dam.object.trashed', resourceId, data: {} });
        const [time] = await prepared<{ off: number }>(
          tx,
          `SELECT abs(extract(epoch FROM clock_timestamp()) * 1000 - $1)::float8 AS off`,
          [postgresTime()],
        );
        const events = await query<{ fits: boolean }>(
          tx,
          `SELECT id BETWEEN id_floor('evt', now() - interval '1 minute')
             AND id_floor('evt', now() + interval '1 minute') AS fits
           FROM event WHERE project_id = $1`,
          [project],
        );
        return { off: time!.off, fits: events.map(({ fits }) => fits) };
      });
      expect(found.off).to.be.below(60_000);
      expect(found.fits).to.not.include(false).and.to.not.have.length(0);
    });
  }

  it('is not changed by a slow query, and follows Postgres if its clock is changed', async () => {
    const offset = () => postgresTime() - (performance.timeOrigin + performance.now());
    const known = offset();
    const now = performance.now.bind(performance);
    /** What Postgres answers, after this many seconds. */
    const look = async (ahead: number, seconds: number): Promise<void> => {
      let passed = 0;
      mock.method(performance, 'now', () => now() + passed);
      mock.method(database.api, 'query', async () => {
        const ms = performance.timeOrigin + now() + known + ahead;
        passed = seconds * 1_000;
        return [{ ms }];
      });
      await measureClock(database.api).finally(() => mock.restoreAll());
    };
    try {
      await look(0, 20);
      expect(offset()).to.be.closeTo(known, 1_000);
      await look(dayMs, 0);
      expect(offset()).to.be.closeTo(known + dayMs, 1_000);
    } finally {
      await measureClock(database.api);
    }
    expect(offset()).to.be.closeTo(known, 1_000);
  });
});
