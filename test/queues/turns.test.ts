import { expect } from 'chai';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, prefixOf } from '../../src/queues/connection.ts';
import { takeTurn } from '../../src/queues/turns.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';

describe('turns that one of many processes takes', () => {
  let server: TestRedis;
  before(async () => {
    server = await startPrivateRedis();
  });
  after(() => server.remove());

  it('are given to one of them, and again once they have passed', async () => {
    const connections = [1, 2, 3].map(() =>
      connectFailFast(server.url, createLogger('silent', 'test')),
    );
    try {
      await Promise.all(
        connections.map((redis) => new Promise((resolve) => redis.once('ready', resolve))),
      );
      const take = async (name: string, ms: number): Promise<number> => {
        const taken = await Promise.all(connections.map((redis) => takeTurn(redis, name, ms)));
        return taken.filter((own) => own).length;
      };
      expect(await take('sweep', 3_600_000)).to.equal(1);
      expect(await take('sweep', 3_600_000)).to.equal(0);
      expect(await take('other', 3_600_000)).to.equal(1);
      const [redis] = connections;
      const key = `${prefixOf(redis!)}:turn:sweep`;
      expect(await redis!.pttl(key)).to.be.within(1, 3_600_000);
      await redis!.del(key);
      expect(await take('sweep', 3_600_000)).to.equal(1);
    } finally {
      for (const redis of connections) redis.disconnect();
    }
  });
});
