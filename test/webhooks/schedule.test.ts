import { expect } from 'chai';
import fc from 'fast-check';
import {
  DEFAULT_SCHEDULE,
  nextDelaySeconds,
  parseRetryAfter,
  parseSchedule,
  ScheduleError,
} from '../../src/webhooks/retry-schedule.ts';

const middle = () => 0.5;

describe('the retry schedule', () => {
  it('has ten attempts over about 75 hours', () => {
    const delays = DEFAULT_SCHEDULE.map((_, failures) =>
      nextDelaySeconds({ failures, schedule: DEFAULT_SCHEDULE, random: middle }),
    );
    expect(delays).to.deep.equal([0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
    const hours = DEFAULT_SCHEDULE.reduce((sum, step) => sum + step, 0) / 3600;
    expect(hours).to.be.closeTo(75.6, 0.1);
  });
  it('is exhausted after the last step', () => {
    const schedule = [0, 1, 2];
    expect(nextDelaySeconds({ failures: 2, schedule, random: middle })).to.equal(2);
    expect(nextDelaySeconds({ failures: 3, schedule, random: middle })).to.equal(null);
    expect(nextDelaySeconds({ failures: 99, schedule, random: middle })).to.equal(null);
    expect(
      nextDelaySeconds({ failures: 3, retryAfterSeconds: 60, schedule, random: middle }),
    ).to.equal(null);
  });
  it('spreads each step by 20% either way', () => {
    const at = (random: number) =>
      nextDelaySeconds({ failures: 2, schedule: DEFAULT_SCHEDULE, random: () => random });
    expect(at(0)).to.be.closeTo(240, 1e-9);
    expect(at(0.5)).to.be.closeTo(300, 1e-9);
    expect(at(0.999_999)).to.be.closeTo(360, 0.01);
  });
  it('lets Retry-After lengthen a step, never shorten it, up to 24 h', () => {
    const delayAsked = (retryAfterSeconds: number) =>
      nextDelaySeconds({
        failures: 1,
        retryAfterSeconds,
        schedule: DEFAULT_SCHEDULE,
        random: middle,
      });
    expect(delayAsked(120)).to.equal(120);
    expect(delayAsked(1)).to.equal(5);
    expect(delayAsked(0)).to.equal(5);
    expect(delayAsked(-5)).to.equal(5);
    expect(delayAsked(Number.NaN)).to.equal(5);
    expect(delayAsked(10 ** 9)).to.equal(86_400);
  });
  it('never waits less than 80% of the step, nor more than the greater of 120% and 24 h', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 9 }),
        fc.option(fc.double({ min: -10, max: 1e7 }), { nil: undefined }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, retryAfterSeconds, chance) => {
          const step = DEFAULT_SCHEDULE[failures] ?? Number.NaN;
          const delay = nextDelaySeconds({
            failures,
            retryAfterSeconds,
            schedule: DEFAULT_SCHEDULE,
            random: () => chance,
          });
          expect(delay).to.be.at.least(step * 0.8 - 1e-6);
          expect(delay).to.be.at.most(Math.max(step * 1.2, 86_400) + 1e-6);
        },
      ),
    );
  });
  it('rejects an invalid count of failures', () => {
    for (const failures of [-1, 0.5, Number.NaN]) {
      expect(() => nextDelaySeconds({ failures, schedule: [0], random: middle })).to.throw(
        ScheduleError,
      );
    }
  });

  describe('parseSchedule', () => {
    it('parses seconds separated by commas', () => {
      expect(parseSchedule('0,1,2')).to.deep.equal([0, 1, 2]);
      expect(parseSchedule(' 0, 0.25 ,86400')).to.deep.equal([0, 0.25, 86400]);
    });
    for (const bad of ['', '0,', 'a', '-1', '1e3', '0;1', '999999', '0,Infinity']) {
      it(`rejects ${JSON.stringify(bad)}`, () => {
        expect(() => parseSchedule(bad)).to.throw(ScheduleError, 'step');
      });
    }
    it('rejects more than fifty steps', () => {
      expect(() => parseSchedule(Array(51).fill('1').join(','))).to.throw(ScheduleError, '51');
    });
  });

  describe('parseRetryAfter', () => {
    const now = Date.UTC(2026, 10, 6, 8, 49, 37);
    const cases: [string | undefined, number | undefined][] = [
      [undefined, undefined],
      ['', undefined],
      ['120', 120],
      [' 7 ', 7],
      ['0', 0],
      ['999999999999', 86_400],
      ['-1', undefined],
      ['1.5', undefined],
      ['soon', undefined],
      ['Fri, 06 Nov 2026 08:50:37 GMT', 60],
      ['Friday, 06-Nov-26 08:50:37 GMT', 60],
      ['Fri Nov  6 08:50:37 2026', 60],
      ['Fri, 06 Nov 2026 08:00:00 GMT', 0],
      ['Wed, 06 Nov 2030 08:00:00 GMT', 86_400],
      ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
      ['Fri, 31 Feb 2026 08:50:37 GMT', undefined],
      ['Fri, 06 Nov 2026 25:50:37 GMT', undefined],
      ['Fri, 06 Foo 2026 08:50:37 GMT', undefined],
      ['Fri, 06 Nov 2026 08:50:37 +0100', undefined],
      ['2026-11-06T08:50:37Z', undefined],
      ['1'.repeat(65), undefined],
    ];
    for (const [value, seconds] of cases) {
      it(`parses ${JSON.stringify(value)?.slice(0, 40)} as ${seconds}`, () => {
        expect(parseRetryAfter(value, now)).to.equal(seconds);
      });
    }
  });
});
