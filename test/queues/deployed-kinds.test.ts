import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast } from '../../src/queues/connection.ts';
import { eventually } from '../support/eventually.ts';
import {
  aclLinesOf,
  openRedisKind,
  type RedisKind,
  rejectionOf,
  sufficientClusterRights,
} from '../support/redis-kinds.ts';
import type { RedisNode, RedisNodes } from '../support/redis-nodes.ts';

const certificate = fileURLToPath(new URL('../webhooks/fixtures/receiver.crt', import.meta.url));
const otherCertificate = certificate.replace('receiver.crt', 'expired.crt');
const key = certificate.replace('.crt', '.key');

const silent = createLogger('silent', 'test');

/** The main flow over each kind of Redis, as it is deployed. */
describe('Redis in each of its forms', () => {
  let kind: RedisKind;
  let nodes: RedisNodes;
  beforeEach(async () => {
    kind = await openRedisKind();
    nodes = kind.nodes;
  });
  afterEach(() => kind.close());

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
      await kind.runRounds(
        `rediss://${node.address}?ca=${certificate}&cert=${certificate}&key=${key}`,
      );
      expect(await rejectionOf(`rediss://${node.address}?ca=${otherCertificate}`)).to.match(
        /^REDIS_URL cannot be used: .*certificate/,
      );
    });

    it('takes rotated files at the next connection, without a restart', async () => {
      const node = await nodes.start(encrypting, { ca });
      const folder = await mkdtemp(join(tmpdir(), 'scriptorium-rotated-'));
      const path = join(folder, 'ca.pem');
      await copyFile(certificate, path);
      const redis = connectFailFast(`rediss://${node.address}?ca=${path}`, silent);
      let refusals = 0;
      redis.on('error', () => {
        refusals += 1;
      });
      try {
        await eventually(async () => redis.status === 'ready');
        await copyFile(otherCertificate, path);
        await node.call('CLIENT', 'KILL', 'SKIPME', 'yes');
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
      await kind.runRounds(`rediss+sentinel://${sentinel.address}/mymaster/0?ca=${certificate}`);
    });

    it('works as a cluster', async () => {
      const masters = await nodes.cluster({
        lines: [...encrypting, 'tls-cluster yes', 'tls-replication yes'],
        ca,
      });
      await kind.runRounds(
        `rediss+cluster://${masters[0]!.address},${masters[1]!.address}?ca=${certificate}`,
      );
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
        /master_link_status:up/.test(String(await replica.call('INFO', 'replication'))),
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
          sentinels.map((one) => one.call('SENTINEL', 'MASTER', 'mymaster')),
        );
        return seen.every((one) => {
          const fields = one as string[];
          const of = (name: string) => fields[fields.indexOf(name) + 1];
          return of('num-slaves') === '1' && of('num-other-sentinels') === '2';
        });
      });
      const hosts = sentinels.map(({ address: at }) => at).join(',');
      url = `redis+sentinel://:secret@${hosts}/mymaster/0`;
    });

    it('loses nothing and repeats nothing when its primary dies', async () => {
      await kind.runRounds(url, async () => {
        await primary.kill();
        await eventually(async () =>
          /role:master/.test(String(await replica.call('INFO', 'replication'))),
        );
      });
    });
  });

  it('works as a cluster, and loses nothing when the master that holds it dies', async () => {
    const masters = await nodes.cluster({
      lines: aclLinesOf(sufficientClusterRights),
      replicas: true,
    });
    const url = `redis+cluster://app:secret@${masters[0]!.address},${masters[1]!.address},${masters[2]!.address}`;
    expect(await rejectionOf(url)).to.equal(null);
    const slot = Number(await masters[0]!.call('CLUSTER', 'KEYSLOT', '{scriptorium}'));
    const holder = masters[slot <= 5460 ? 0 : slot <= 10_922 ? 1 : 2]!;
    const replica = masters[masters.indexOf(holder) + 3]!;
    await kind.runRounds(url, async () => {
      await holder.kill();
      await eventually(async () =>
        /role:master/.test(String(await replica.call('INFO', 'replication'))),
      );
    });
    for (const node of masters.filter((one) => one !== holder)) {
      expect(await node.call('ACL', 'LOG')).to.deep.equal([]);
    }
  });
});
