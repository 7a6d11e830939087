import { expect } from 'chai';
import type { Redis as Single } from 'ioredis';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, endConnection } from '../../src/queues/connection.ts';
import { findUnfitness } from '../../src/queues/fitness.ts';
import { eventually } from '../support/eventually.ts';
import { rejectionOf } from '../support/redis-kinds.ts';
import { openRedisNodes, type RedisNodes } from '../support/redis-nodes.ts';

const silent = createLogger('silent', 'test');

describe('Redis at the start of a process', () => {
  let nodes: RedisNodes;
  beforeEach(async () => {
    nodes = await openRedisNodes();
  });
  afterEach(() => nodes.close());

  /** What any process logs as errors when it starts with it, up to what is expected. */
  const errors = async (url: string, expected: string): Promise<void> => {
    let lines = '';
    const logger = createLogger('error', 'test', {
      write(line) {
        lines += line;
      },
    });
    const redis = connectFailFast(url, logger);
    try {
      await eventually(async () => lines.includes(expected));
    } finally {
      endConnection(redis);
    }
  };
  it('is an error, and no worker starts, if it evicts any key, is a replica, or takes another password', async () => {
    const node = await nodes.start(['maxmemory 100mb', 'maxmemory-policy allkeys-lru']);
    const replica = await nodes.start([`replicaof 127.0.0.1 ${node.port}`]);
    for (const [url, reason] of [
      [`redis://${node.address}`, 'set maxmemory-policy to noeviction'],
      [`redis://${replica.address}`, 'name its primary'],
      [`redis://app:wrong@${node.address}`, 'WRONGPASS'],
    ] as const) {
      expect(await rejectionOf(url)).to.include(reason);
      await errors(url, reason);
    }
  });

  it('is no more than an error if only keys that expire may be evicted', async () => {
    const { address: at } = await nodes.start(['maxmemory 100mb', 'maxmemory-policy volatile-lru']);
    expect(await rejectionOf(`redis://${at}`)).to.equal(null);
    await errors(`redis://${at}`, 'set maxmemory-policy to noeviction');
  });

  it('is fit without a limit, whatever its policy', async () => {
    const { address: at } = await nodes.start(['maxmemory 0', 'maxmemory-policy allkeys-lru']);
    expect(await rejectionOf(`redis://${at}`)).to.equal(null);
    const redis = connectFailFast(`redis://${at}`, silent);
    await eventually(async () => redis.status === 'ready');
    expect(await findUnfitness(redis as Single)).to.equal(null);
    redis.disconnect();
  });

  it('need not be there', async () => {
    const node = await nodes.start();
    await node.kill();
    expect(await rejectionOf(`redis://${node.address}`)).to.equal(null);
  });
});
