import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { watchClock } from '../src/clock-watch.ts';
import { type DatabaseFixture, openDatabaseFixture } from './support/database-fixture.ts';

describe('a clock that differs from that of Postgres', () => {
  let databaseFixture: DatabaseFixture;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
  });
  after(() => databaseFixture.close());

  it('is a metric, and a warning when it is more than a minute', async () => {
    const lines: { level: number; msg: string; offset_seconds?: number }[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const metrics = new Registry();
    let ahead = 0;
    const watch = watchClock(
      { database: databaseFixture.api, logger, metrics },
      () => Date.now() + ahead * 1_000,
    );
    const offset = async (): Promise<number> => {
      await watch.check();
      const [metric] = await metrics.getMetricsAsJSON();
      return metric!.values[0]!.value;
    };
    try {
      expect(await offset()).to.be.within(-30, 30);
      expect(lines).to.deep.equal([]);
      ahead = -120;
      expect(await offset()).to.be.within(-150, -90);
      expect(await offset()).to.be.within(-150, -90);
      ahead = 0;
      await offset();
      expect(lines.map(({ level }) => level)).to.deep.equal([40, 30]);
      expect(lines[0]!.msg).to.include('synchronise both with NTP');
      expect(lines[0]!.offset_seconds).to.be.within(-150, -90);
    } finally {
      watch.stop();
    }
  });
});
