import { once } from 'node:events';
import { expect } from 'chai';
import { createRateLimits } from '../../src/access/rate-limits.ts';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, type Redis } from '../../src/queues/connection.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';

const minute = 60_000;

/** Repeats requests; the test's own timeout applies. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

describe('rate limits', () => {
  it('count each kind separately and reset every minute', () => {
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

  it('count ten cheap requests as one, and stop them at the limit as well', () => {
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

    it('are published in batches, including earlier requests counted without Redis', async () => {
      const here = connectFailFast(redis.url, createLogger('silent', 'test'));
      try {
        const limits = createRateLimits(here, () => 200 * minute);
        const keys = Array.from({ length: 1_200 }, (_, at) => `key_${at}`);
        for (const key of keys) limits.take(key, 'write', 10);
        await once(here, 'ready');
        await here.config('RESETSTAT');
        for (const key of keys) limits.take(key, 'write', 10);
        // The first request counted with Redis publishes all of them at once.
        await until(async () => {
          const told = await here.mget(keys.map((key) => `scriptorium:rate:${key}:write:200`));
          return told.every((count) => count === '2');
        });
        // Three messages with the earlier requests, and as many with those after the first.
        const stats = await here.info('commandstats');
        expect(/cmdstat_multi:calls=(\d+)/.exec(stats)?.[1]).to.equal('6');
        expect(await here.ttl('scriptorium:rate:key_7:write:200')).to.be.within(1, 120);
        expect(limits.peek('key_7', 'write', 10).remaining).to.equal(8);
      } finally {
        here.disconnect();
      }
    });

    it('agree between processes once messages in transit have arrived', async () => {
      const connections = [1, 2, 3].map(() =>
        connectFailFast(redis.url, createLogger('silent', 'test')),
      );
      try {
        await Promise.all(connections.map((each) => once(each, 'ready')));
        const now = 300 * minute;
        const processes = connections.map((each) => createRateLimits(each, () => now));
        let served = 0;
        // Bursts from all processes at once, with time for Redis to receive each.
        while (processes.some((each) => each.peek('key_b', 'read', 200).remaining > 0)) {
          for (const each of processes) {
            for (let times = 0; times < 10; times++) {
              if (each.take('key_b', 'read', 200).allowed) served += 1;
            }
          }
          await until(async () => {
            const told = await connections[0]!.get('scriptorium:rate:key_b:read:300');
            return Number(told) === served;
          });
        }
        expect(served).to.be.at.least(200);
        // What each has not received yet: at most three bursts from the two others.
        expect(served).to.be.at.most(200 + 3 * 2 * 10);
      } finally {
        for (const each of connections) each.disconnect();
      }
    });

    it('are shared by processes, and each continues alone if Redis is gone', async () => {
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
