import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, connectForWorkers } from '../../src/queues/connection.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';

describe('a connection to Redis', () => {
  let server: TestRedis;
  before(async () => {
    server = await startPrivateRedis();
  });
  after(() => server.remove());

  for (const connect of [connectFailFast, connectForWorkers]) {
    describe(`of ${connect.name}`, () => {
      let redis: Redis;
      beforeEach(async () => {
        const connected = connect(server.url, createLogger('silent', 'test'));
        if (!(connected instanceof Redis)) expect.fail('This is a cluster.');
        redis = connected;
        await new Promise((resolve) => redis.once('ready', resolve));
        await redis.flushall();
      });
      afterEach(() => redis.disconnect());

      it('sends the commands of a turn together, in their order, and then holds nothing back', async () => {
        const answers = [
          redis.set('key', 1),
          redis.incr('key'),
          redis.pipeline().incr('key').exec(),
        ];
        expect(redis.stream.writableCorked).to.equal(1);
        expect(await Promise.all(answers)).to.deep.equal(['OK', 2, [[null, 3]]]);
        expect(redis.stream.writableCorked).to.equal(0);
        expect(await redis.get('key')).to.equal('3');
      });

      it('goes on over a new socket when the old one broke with commands on it', async () => {
        const ready = new Promise((resolve) => redis.once('ready', resolve));
        const broken = redis.incr('other').catch(() => 'failed');
        redis.stream.destroy();
        await Promise.all([ready, broken]);
        await redis.set('other', 1);
        expect(await redis.incr('other')).to.equal(2);
        expect(redis.stream.writableCorked).to.equal(0);
      });
    });
  }
});
