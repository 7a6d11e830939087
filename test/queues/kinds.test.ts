import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Redis as Single } from 'ioredis';
import { newId } from '../../src/contracts/ids.ts';
import { inProject } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { connectFailFast, endConnection } from '../../src/queues/connection.ts';
import { holdRedis, refuseUnfitRedis, tellSharedRedis } from '../../src/queues/fitness.ts';
import { unfitness } from '../../src/queues/server-info.ts';
import { type Bench, openBench } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { type Ground, openGround } from '../support/outbox.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openRedisNodes, type RedisNode, type RedisNodes } from '../support/redis-nodes.ts';
import { checkout } from '../support/run.ts';
import { prepareWorkers } from '../support/workers.ts';

const certificate = fileURLToPath(new URL('../webhooks/fixtures/receiver.crt', import.meta.url));
const otherCertificate = certificate.replace('receiver.crt', 'expired.crt');
const key = certificate.replace('.crt', '.key');

const silent = createLogger('silent', 'test');

/** The rights that docs/configuration.md says are enough, and those of a user of a cluster. */
const documented = readFileSync(join(checkout, 'docs', 'configuration.md'), 'utf8');
const enough = /^~\{scriptorium\}.+$/m.exec(documented)?.[0];
const enoughInCluster = `${enough} ${/In a cluster, add `(.+)`/.exec(documented)?.[1]}`;
/** A user with these rights, besides the test's own. */
const asUser = (rights: string) => [
  'user default on nopass ~* &* +@all',
  `user app on >secret ${rights}`,
];

/** The main flow over each kind of Redis, as it is deployed. */
describe('Redis in each of its forms', () => {
  let ground: Ground;
  let bench: Bench;
  let nodes: RedisNodes;
  let receiver: Receiver;
  before(async () => {
    ground = await openGround();
  });
  beforeEach(async () => {
    nodes = await openRedisNodes();
    bench = await openBench(ground);
    receiver = await startReceiver();
    await bench.endpoint({ url: receiver.url, secret: receiver.secret });
  });
  afterEach(async () => {
    await receiver.close();
    await nodes.close();
  });
  after(() => ground.close());

  /** Why a worker would not start with it. */
  const refusal = async (url: string): Promise<string | null> => {
    const redis = connectFailFast(url, silent);
    try {
      await refuseUnfitRedis(redis);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      endConnection(redis);
    }
  };
  /** What any process logs as errors when it starts with it, up to what is expected. */
  const errors = async (url: string, expected: string, deployment = 'one'): Promise<string> => {
    let lines = '';
    const logger = createLogger('error', 'test', {
      write(line) {
        lines += line;
      },
    });
    const redis = connectFailFast(url, logger);
    try {
      await tellSharedRedis(redis, deployment, logger);
      await eventually(async () => lines.includes(expected));
      return lines;
    } finally {
      endConnection(redis);
    }
  };
  const addTasks = (count: number) =>
    inProject(ground.api, bench.projectId, (tx) =>
      schedule(
        tx,
        bench.projectId,
        null,
        ...Array.from(
          { length: count },
          () => ({ kind: 'object.purge', payload: { object_id: newId('object') } }) as const,
        ),
      ),
    );
  const tasksLeft = async (): Promise<number> =>
    (await bench.rows('SELECT FROM task WHERE project_id = $1', [bench.projectId])).length;

  /**
   * Runs tasks and deliveries in rounds, with `between` after the first, and requires that all of
   * them are done, each once.
   */
  const work = async (url: string, between?: () => Promise<void>): Promise<void> => {
    const workers = await prepareWorkers(ground, url);
    const ids: string[] = [];
    try {
      workers.start('relay', 'webhooks', 'maintenance');
      const round = async (): Promise<void> => {
        await addTasks(20);
        for (let at = 0; at < 10; at++) ids.push(await bench.trash());
        workers.deps.wake();
      };
      await round();
      if (between) {
        await receiver.received(1);
        await round();
        const killedAt = performance.now();
        await between();
        const promotedAt = performance.now();
        await round();
        await receiver.received(ids.length);
        await eventually(async () => (await tasksLeft()) === 0);
        if (process.env.FAIL_OVER_TIMES) {
          const [promoted, done] = [promotedAt, performance.now()].map((at) =>
            Math.round(at - killedAt),
          );
          console.log(`killed at 0 ms, promoted at ${promoted} ms, all done at ${done} ms`);
        }
      }
      await receiver.received(ids.length);
      await eventually(async () => (await tasksLeft()) === 0);
      // Tasks only end through BullMQ.
      await eventually(
        async () => ((await workers.deps.queues.maintenance.getJobCounts()).completed ?? 0) > 0,
      );
      const got = receiver.requests.map(({ headers }) => headers['webhook-id']);
      expect(got.sort()).to.deep.equal(ids.sort());
    } finally {
      await workers.stop();
    }
  };

  it('works as a user with no more rights than documented', async () => {
    const node = await nodes.start(asUser(`${enough}`));
    const url = `redis://app:secret@${node.at}`;
    expect(await refusal(url)).to.equal(null);
    await work(url);
    expect(await node.ask('ACL', 'LOG')).to.deep.equal([]);
  });

  describe('over TLS', () => {
    const encrypting = [
      `tls-cert-file ${certificate}`,
      `tls-key-file ${key}`,
      `tls-ca-cert-file ${certificate}`,
      'tls-auth-clients optional',
    ];
    const ca = readFileSync(certificate, 'utf8');

    it('works with a certificate on either side, and rejects another authority', async () => {
      const node = await nodes.start(encrypting, { ca });
      await work(`rediss://${node.at}?ca=${certificate}&cert=${certificate}&key=${key}`);
      expect(await refusal(`rediss://${node.at}?ca=${otherCertificate}`)).to.match(
        /^REDIS_URL cannot be used: .*certificate/,
      );
    });

    it('takes rotated files at the next connection, without a restart', async () => {
      const node = await nodes.start(encrypting, { ca });
      const folder = await mkdtemp(join(tmpdir(), 'scriptorium-rotated-'));
      const path = join(folder, 'ca.pem');
      await copyFile(certificate, path);
      const redis = connectFailFast(`rediss://${node.at}?ca=${path}`, silent);
      let refusals = 0;
      redis.on('error', () => {
        refusals += 1;
      });
      try {
        await eventually(async () => redis.status === 'ready');
        await copyFile(otherCertificate, path);
        await node.ask('CLIENT', 'KILL', 'SKIPME', 'yes');
        await eventually(async () => refusals >= 2 && redis.status !== 'ready');
        await copyFile(certificate, path);
        await eventually(async () => redis.status === 'ready');
      } finally {
        redis.disconnect();
        await rm(folder, { recursive: true });
      }
    });

    it('works watched by sentinels', async () => {
      const lines = [...encrypting, 'tls-replication yes'];
      const primary = await nodes.start(lines, { ca });
      const sentinel = await nodes.start(
        [...lines, `sentinel monitor mymaster 127.0.0.1 ${primary.port} 1`],
        { sentinel: true, ca },
      );
      await work(`rediss+sentinel://${sentinel.at}/mymaster/0?ca=${certificate}`);
    });

    it('works as a cluster', async () => {
      const masters = await nodes.cluster({
        lines: [...encrypting, 'tls-cluster yes', 'tls-replication yes'],
        ca,
      });
      await work(`rediss+cluster://${masters[0]!.at},${masters[1]!.at}?ca=${certificate}`);
    });
  });

  describe('at the start', () => {
    it('is an error, and no worker starts, if it evicts any key, is a replica, or takes another password', async () => {
      const node = await nodes.start(['maxmemory 100mb', 'maxmemory-policy allkeys-lru']);
      const replica = await nodes.start([`replicaof 127.0.0.1 ${node.port}`]);
      for (const [url, reason] of [
        [`redis://${node.at}`, 'set maxmemory-policy to noeviction'],
        [`redis://${replica.at}`, 'name its primary'],
        [`redis://app:wrong@${node.at}`, 'WRONGPASS'],
      ] as const) {
        expect(await refusal(url)).to.include(reason);
        await errors(url, reason);
      }
    });

    it('is no more than an error if only keys that expire may be evicted', async () => {
      const { at } = await nodes.start(['maxmemory 100mb', 'maxmemory-policy volatile-lru']);
      expect(await refusal(`redis://${at}`)).to.equal(null);
      await errors(`redis://${at}`, 'set maxmemory-policy to noeviction');
    });

    it('is fit without a limit, whatever its policy', async () => {
      const { at } = await nodes.start(['maxmemory 0', 'maxmemory-policy allkeys-lru']);
      expect(await refusal(`redis://${at}`)).to.equal(null);
      const redis = connectFailFast(`redis://${at}`, silent);
      await eventually(async () => redis.status === 'ready');
      expect(await unfitness(redis as Single)).to.equal(null);
      redis.disconnect();
    });

    it('is an error while another database uses it, unless under another number', async () => {
      const { at } = await nodes.start();
      const reason = 'processes of another database';
      for (const [url, deployment] of [
        [`redis://${at}`, 'one'],
        [`redis://${at}`, 'one'],
        [`redis://${at}/1`, 'two'],
      ] as const) {
        expect(await errors(url, '', deployment)).to.equal('');
      }
      expect(await errors(`redis://${at}`, reason, 'two')).to.include(reason);
      const levels: unknown[] = [];
      const logger = createLogger('info', 'test', {
        write: (line) => levels.push(JSON.parse(line).level),
      });
      const redis = connectFailFast(`redis://${at}`, silent);
      await eventually(async () => redis.status === 'ready');
      expect(await holdRedis(redis, 'two')).to.equal(false);
      // Asked again and again, as a relay does, it is logged once, and once when it has ended.
      for (let times = 0; times < 3; times++) await tellSharedRedis(redis, 'two', logger);
      expect(levels).to.deep.equal([50]);
      // A deployment that is gone gives it up in time.
      expect(await redis.ttl('scriptorium:database')).to.be.within(1, 60);
      await redis.del('scriptorium:database');
      for (let times = 0; times < 3; times++) await tellSharedRedis(redis, 'two', logger);
      expect(levels).to.deep.equal([50, 30]);
      expect(await holdRedis(redis, 'two')).to.equal(true);
      redis.disconnect();
    });

    it('need not be there', async () => {
      const node = await nodes.start();
      await node.kill();
      expect(await refusal(`redis://${node.at}`)).to.equal(null);
    });
  });

  describe('watched by sentinels', () => {
    let primary: RedisNode;
    let replica: RedisNode;
    let url: string;
    beforeEach(async () => {
      const login = { password: 'secret' };
      const lines = ['requirepass secret', 'masterauth secret'];
      primary = await nodes.start(lines, { login });
      replica = await nodes.start([...lines, `replicaof 127.0.0.1 ${primary.port}`], { login });
      await eventually(async () =>
        /master_link_status:up/.test(String(await replica.ask('INFO', 'replication'))),
      );
      const watching = [
        `sentinel monitor mymaster 127.0.0.1 ${primary.port} 2`,
        'sentinel auth-pass mymaster secret',
        'sentinel down-after-milliseconds mymaster 500',
        'sentinel failover-timeout mymaster 3000',
      ];
      const sentinels = await Promise.all(
        [1, 2, 3].map(() => nodes.start(watching, { sentinel: true })),
      );
      await eventually(async () => {
        const seen = await Promise.all(
          sentinels.map((one) => one.ask('SENTINEL', 'MASTER', 'mymaster')),
        );
        return seen.every((one) => {
          const fields = one as string[];
          const of = (name: string) => fields[fields.indexOf(name) + 1];
          return of('num-slaves') === '1' && of('num-other-sentinels') === '2';
        });
      });
      const hosts = sentinels.map(({ at }) => at).join(',');
      url = `redis+sentinel://:secret@${hosts}/mymaster/0`;
    });

    it('loses nothing and repeats nothing when its primary dies', async () => {
      await work(url, async () => {
        await primary.kill();
        await eventually(async () =>
          /role:master/.test(String(await replica.ask('INFO', 'replication'))),
        );
      });
    });
  });

  it('works as a cluster, and loses nothing when the master that holds it dies', async () => {
    const masters = await nodes.cluster({ lines: asUser(enoughInCluster), replicas: true });
    const url = `redis+cluster://app:secret@${masters[0]!.at},${masters[1]!.at},${masters[2]!.at}`;
    expect(await refusal(url)).to.equal(null);
    const slot = Number(await masters[0]!.ask('CLUSTER', 'KEYSLOT', '{scriptorium}'));
    const holder = masters[slot <= 5460 ? 0 : slot <= 10_922 ? 1 : 2]!;
    const replica = masters[masters.indexOf(holder) + 3]!;
    await work(url, async () => {
      await holder.kill();
      await eventually(async () =>
        /role:master/.test(String(await replica.ask('INFO', 'replication'))),
      );
    });
    for (const node of masters.filter((one) => one !== holder)) {
      expect(await node.ask('ACL', 'LOG')).to.deep.equal([]);
    }
  });
});
