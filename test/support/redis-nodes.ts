import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort, isPortTaken } from '../../lab/embedded/processes/ports.ts';
import { findRedis } from '../../lab/embedded/redis/redis.ts';
import { eventually } from './eventually.ts';
import { checkout } from './run.ts';
import { endWithRun } from './services.ts';

/** A Redis server with a configuration of the test's own: a replica, a sentinel, a node of a cluster. */
export interface RedisNode {
  port: number;
  /** Its address, `127.0.0.1:port`. */
  address: string;
  /** Sends it one command, over a connection of its own. */
  call(command: string, ...values: (string | number)[]): Promise<unknown>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

export interface RedisNodes {
  /** Starts a server with these lines in its configuration. */
  start(lines?: readonly string[], options?: NodeOptions): Promise<RedisNode>;
  /** Three masters, each with a third of the slots, and optionally a replica of each. */
  cluster(options: {
    lines?: readonly string[];
    replicas?: boolean;
    ca?: string;
  }): Promise<RedisNode[]>;
  close(): Promise<void>;
}

interface NodeOptions {
  sentinel?: boolean;
  /** How the test itself logs in. */
  login?: { username?: string; password: string };
  /** It listens with TLS only. */
  ca?: string;
}

export async function openRedisNodes(): Promise<RedisNodes> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-redis-'));
  const binary = await findRedis({ packagesDir: join(checkout, '.data', 'packages') });
  const nodes: RedisNode[] = [];

  const start: RedisNodes['start'] = async (lines = [], options = {}) => {
    const port = await findFreePort();
    const dir = await mkdtemp(join(folder, 'node-'));
    const configuration = [
      ...(options.ca ? ['port 0', `tls-port ${port}`] : [`port ${port}`]),
      'bind 127.0.0.1',
      `dir ${dir}`,
      ...(options.sentinel ? [] : ['save ""', 'maxmemory-policy noeviction']),
      ...lines,
    ];
    // A sentinel, and a node of a cluster, write into their folders.
    await writeFile(join(dir, 'redis.conf'), `${configuration.join('\n')}\n`);
    const args = [join(dir, 'redis.conf'), ...(options.sentinel ? ['--sentinel'] : [])];
    const child = spawn(binary.path, args, { cwd: dir, env: binary.env, stdio: 'ignore' });
    void endWithRun(child);
    const client = new Redis({
      port,
      host: '127.0.0.1',
      lazyConnect: true,
      ...options.login,
      ...(options.ca && { tls: { ca: options.ca } }),
    });
    client.on('error', () => undefined);
    const node: RedisNode = {
      port,
      address: `127.0.0.1:${port}`,
      call: (command, ...values) => client.call(command, ...values),
      async kill() {
        client.disconnect();
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    };
    nodes.push(node);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`A Redis ended with ${code} while it was starting.`);
    });
    ended.catch(() => undefined);
    // The client would give up on a slow start.
    await Promise.race([eventually(() => isPortTaken(port)), ended]);
    await client.ping();
    return node;
  };

  return {
    start,
    async cluster({ lines = [], replicas = false, ca }) {
      const clusterConfiguration = ['cluster-enabled yes', 'cluster-node-timeout 1000', ...lines];
      const count = replicas ? 6 : 3;
      const clusterNodes = await Promise.all(
        Array.from({ length: count }, () => start(clusterConfiguration, { ...(ca && { ca }) })),
      );
      const [first, ...others] = clusterNodes as [RedisNode, ...RedisNode[]];
      for (const [at, node] of clusterNodes.entries()) {
        await node.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
      }
      for (const [at, range] of (
        [
          [0, 5460],
          [5461, 10922],
          [10923, 16383],
        ] as const
      ).entries()) {
        await clusterNodes[at]!.call('CLUSTER', 'ADDSLOTSRANGE', ...range);
      }
      for (const node of others) await first.call('CLUSTER', 'MEET', '127.0.0.1', node.port);
      const knowsAllNodes = async (node: RedisNode): Promise<boolean> =>
        /cluster_state:ok[\s\S]*cluster_known_nodes:(\d+)/.exec(
          String(await node.call('CLUSTER', 'INFO')),
        )?.[1] === String(count);
      await eventually(async () =>
        (await Promise.all(clusterNodes.map(knowsAllNodes))).every(Boolean),
      );
      for (const [at, replica] of clusterNodes.slice(3).entries()) {
        await replica.call(
          'CLUSTER',
          'REPLICATE',
          String(await clusterNodes[at]!.call('CLUSTER', 'MYID')),
        );
      }
      if (replicas) {
        await eventually(async () =>
          (
            await Promise.all(clusterNodes.slice(3).map((node) => node.call('INFO', 'replication')))
          ).every((text) => /master_link_status:up/.test(String(text))),
        );
      }
      return clusterNodes;
    },
    async close() {
      await Promise.all(nodes.map((node) => node.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
