import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { createGuessLimiter } from '../../src/access/guesses.ts';
import { createRateLimits } from '../../src/access/rate-limits.ts';

describe('password guesses', () => {
  /** The test grants turns. */
  const start = () => {
    const turns: (() => void)[] = [];
    const wait = () =>
      new Promise<void>((resolve) => {
        turns.push(resolve);
      });
    const guesses = createGuessLimiter(
      createRateLimits(null, () => 0),
      {
        turnMs: 1,
        maxWaiting: 3,
        wait,
      },
    );
    const looked: string[] = [];
    const judge = (
      address: string,
      given: string,
      { signal } = new AbortController(),
    ): Promise<boolean | string> =>
      guesses
        .check({ address, of: 'test', signal }, () => {
          looked.push(given);
          return given === 'right';
        })
        .catch((error: unknown) => (error instanceof Problem ? error.code : 'error'));
    return { judge, turns, looked };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const exhaust = async (judge: ReturnType<typeof start>['judge'], address: string) => {
    for (let times = 0; times < limits.failed_authentications_per_minute; times++) {
      expect(await judge(address, 'wrong')).to.equal(false);
    }
  };

  it('are checked one by one above the limit, and the right password is accepted', async () => {
    const { judge, turns, looked } = start();
    await exhaust(judge, '192.0.2.1');
    looked.length = 0;
    const answers = ['wrong', 'right', 'wrong'].map((given) => judge('192.0.2.1', given));
    expect(await judge('192.0.2.1', 'right')).to.equal('rate_limited');
    await settled();
    expect([looked, turns.length]).to.deep.equal([[], 1]);
    for (let at = 0; at < 3; at++) {
      turns[at]!();
      await settled();
    }
    expect(await Promise.all(answers)).to.deep.equal(['rate_limited', true, 'rate_limited']);
  });

  it('from one network do not slow others down; an IPv6 /64 counts as one network', async () => {
    const { judge } = start();
    await exhaust(judge, '2001:db8::1');
    expect(await judge('2001:db8:0:1::1', 'right')).to.equal(true);
    expect(await judge('192.0.2.7', 'wrong')).to.equal(false);
    const waiting = [1, 2, 3].map((end) => judge(`2001:db8::ffff:${end}`, 'right'));
    expect(await judge('2001:db8::a', 'right')).to.equal('rate_limited');
    expect(waiting.length).to.equal(3);
  });

  it('of clients that have left give up their places and their turns', async () => {
    const { judge, turns, looked } = start();
    await exhaust(judge, '192.0.2.1');
    looked.length = 0;
    const [first, ...gone] = Array.from({ length: 3 }, () => new AbortController());
    const judged = [first, ...gone].map((client) => judge('192.0.2.1', 'left', client));
    await settled();
    for (const client of gone) client.abort();
    const stayed = judge('192.0.2.1', 'right');
    turns[0]!();
    await settled();
    // The first was judged, the two that left were not, and nothing waits but the one that stayed.
    expect(turns.length).to.equal(2);
    turns[1]!();
    expect(await stayed).to.equal(true);
    expect(await Promise.all(judged)).to.deep.equal(Array(3).fill('rate_limited'));
    expect(looked).to.deep.equal(['left', 'right']);
  });
});
