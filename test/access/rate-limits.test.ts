import { once } from 'node:events';
import { expect } from 'chai';
import { createRateLimits } from '../../src/access/rate-limits.ts';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, type Redis } from '../../src/queues/connection.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';

const minute = 60_000;

/** Asks again and again; the run's own time limit is the last word. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

describe('rate limits', () => {
  it('count each kind for itself and start anew with the minute', () => {
    let now = 10 * minute + 15_500;
    const limits = createRateLimits(null, () => now);
    const take = () => limits.take('key_a', 'read', 2);
    expect(take()).to.deep.equal({ allowed: true, limit: 2, remaining: 1, resetSeconds: 45 });
    expect(take()).to.deep.include({ allowed: true, remaining: 0 });
    expect(take()).to.deep.include({ allowed: false, remaining: 0 });
    expect(limits.take('key_a', 'write', 2).allowed).to.equal(true);
    expect(limits.take('key_b', 'read', 2).allowed).to.equal(true);
    limits.discount('key_a', 'read');
    expect(limits.peek('key_a', 'read', 2)).to.deep.include({ allowed: true, remaining: 1 });
    now = 11 * minute;
    expect(take()).to.deep.include({ allowed: true, remaining: 1, resetSeconds: 60 });
  });

  it('count ten cheap requests as one, and stop them at the limit too', () => {
    const limits = createRateLimits(null, () => 10 * minute);
    let served = 0;
    for (let times = 0; times < 1_000; times++) {
      if (!limits.take('key_a', 'read', 5).allowed) continue;
      limits.discount('key_a', 'read');
      served += 1;
    }
    expect(served).to.equal(50);
  });

  describe('with Redis', () => {
    let redis: TestRedis;
    before(async () => {
      redis = await startPrivateRedis();
    });
    after(() => redis.remove());

    it('are shared by processes, and each goes on alone when Redis is gone', async () => {
      const connections = [1, 2].map(() =>
        connectFailFast(redis.url, createLogger('silent', 'test')),
      );
      const [here, there] = connections as [Redis, Redis];
      try {
        await Promise.all(connections.map((each) => once(each, 'ready')));
        const now = 100 * minute;
        const [one, two] = connections.map((each) => createRateLimits(each, () => now));
        for (let times = 0; times < 5; times++) one!.take('key_a', 'read', 10);
        await until(async () => (await here.get('scriptorium:rate:key_a:read:100')) === '5');
        two!.take('key_a', 'read', 10);
        await until(async () => {
          await there.ping();
          return two!.peek('key_a', 'read', 10).remaining === 4;
        });

        await redis.stop();
        for (let times = 0; times < 4; times++) two!.take('key_a', 'read', 10);
        expect(two!.take('key_a', 'read', 10).allowed).to.equal(false);
        expect(one!.take('key_a', 'read', 10).allowed).to.equal(true);
      } finally {
        for (const each of connections) each.disconnect();
      }
    });
  });
});
