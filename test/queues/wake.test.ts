import { expect } from 'chai';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, connectForWorkers, type Redis } from '../../src/queues/connection.ts';
import { createWakeChannel, subscribeToWakes, wakeChannelName } from '../../src/queues/wake.ts';
import { eventually } from '../support/eventually.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';

describe("the relay's bell", () => {
  const logger = createLogger('silent', 'test');
  let server: TestRedis;
  let redis: Redis;
  let heard: number;
  let ear: { close(): void };
  beforeEach(async () => {
    server = await startPrivateRedis();
    redis = connectFailFast(server.url, logger);
    heard = 0;
    ear = subscribeToWakes(connectForWorkers(server.url, logger), () => {
      heard += 1;
    });
    await eventually(async () => redis.status === 'ready' && heard === 1);
  });
  afterEach(async () => {
    ear.close();
    redis.disconnect();
    await server.remove();
  });
  /** Whatever was published before this has arrived once it has. */
  const subscribers = async (): Promise<number> =>
    ((await redis.pubsub('NUMSUB', wakeChannelName(redis))) as [string, number])[1];

  it('is heard by the relays of other processes', async () => {
    createWakeChannel(redis).wake();
    await eventually(async () => heard === 2);
  });

  it('is heard by a relay of the same process, without Redis, and by no other', async () => {
    for (const bell of [createWakeChannel(null), createWakeChannel(redis)]) {
      let answered = 0;
      bell.register(() => {
        answered += 1;
      });
      bell.wake();
      bell.wake();
      expect(answered).to.equal(2);
    }
    const left = createWakeChannel(redis);
    left.register(() => expect.fail('It has left.'))();
    left.wake();
    await eventually(async () => heard > 1);
    expect(heard).to.equal(2);
  });

  it('is heard within its database of Redis only', async () => {
    const stranger = connectFailFast(`${server.url}/4`, logger);
    let rung = 0;
    const other = subscribeToWakes(connectForWorkers(`${server.url}/4`, logger), () => {
      rung += 1;
    });
    await eventually(async () => rung === 1 && stranger.status === 'ready');
    createWakeChannel(stranger).wake();
    await eventually(async () => rung === 2);
    createWakeChannel(redis).wake();
    await eventually(async () => heard === 2);
    createWakeChannel(stranger).wake();
    await eventually(async () => rung > 2);
    expect([heard, rung]).to.deep.equal([2, 3]);
    other.close();
    stranger.disconnect();
  });

  it('is passed on to other processes although a relay answers here', async () => {
    const bell = createWakeChannel(redis);
    bell.register(() => undefined);
    bell.wake();
    bell.wakeOthers();
    await eventually(async () => heard === 2);
  });

  it('publishes many rings as a few, and never swallows the last', async () => {
    const published: number[] = [];
    let answer = (): void => undefined;
    const bell = createWakeChannel({
      publish: () =>
        new Promise<void>((resolve) => {
          published.push(rung);
          answer = () => resolve();
        }),
    });
    let rung = 0;
    const ring = (): void => {
      rung += 1;
      bell.wake();
    };
    for (let at = 0; at < 100; at++) ring();
    expect(published).to.deep.equal([1]);
    answer();
    await eventually(async () => published.length === 2);
    expect(published).to.deep.equal([1, 100]);
    ring();
    answer();
    await eventually(async () => published.length === 3);
  });

  it('survives FLUSHALL', async () => {
    await redis.flushall();
    expect(await subscribers()).to.equal(1);
    createWakeChannel(redis).wake();
    await eventually(async () => heard === 2);
  });

  it('does not fail while Redis is away, and counts its return as a ring', async () => {
    const bell = createWakeChannel(redis);
    await server.kill();
    await eventually(async () => redis.status !== 'ready');
    bell.wake();
    bell.wake();
    await server.restart();
    await eventually(async () => heard === 2 && redis.status === 'ready');
    bell.wake();
    await eventually(async () => heard > 2);
  });

  it('can be closed while Redis is away', async () => {
    await server.kill();
    ear.close();
    await server.restart();
    await eventually(async () => redis.status === 'ready');
    expect(await subscribers()).to.equal(0);
  });
});
