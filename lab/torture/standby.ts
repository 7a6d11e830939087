import pg from 'pg';
import { prepareDatabase } from '../../src/db/preparing/prepare.ts';
import { eventually } from '../../test/support/eventually.ts';
import { findMachinePostgres, type RunningCluster } from '../../test/support/machine-postgres.ts';
import { openTcpProxy } from '../../test/support/tcp-proxy.ts';
import type { WorldPostgres } from './world.ts';

const settings = { max_connections: '200', shared_buffers: '128MB' };
const passwords = { owner: 'p', api: 'p', worker: 'p', relay: 'p', neighbour: 'p' };

/**
 * A primary with a synchronous standby, from the machine's own Postgres, behind one address that
 * leads to the primary.
 * @throws if this machine does not have Postgres 15 or later
 */
export async function startPair(): Promise<WorldPostgres> {
  const machine = await findMachinePostgres();
  if (!machine)
    throw new Error('A standby needs Postgres 15 or later, installed with its clients.');
  let clusterCount = 0;
  const newFolder = () => {
    clusterCount += 1;
    return machine.folder(`cluster-${clusterCount}`);
  };
  let primary = await machine.start(await newFolder(), settings);
  const proxy = await openTcpProxy(primary.superuserUrl);
  const urls = await prepareDatabase({
    superuserUrl: proxy.through(primary.superuserUrl),
    database: 'private',
    passwords,
  });
  const superuserUrl = proxy.through(primary.superuserUrl).replace(/\/postgres$/, '/private');
  // Done before the first copy, so that copies of copies also have it.
  await queryCluster(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await queryCluster(primary, 'SELECT pg_reload_conf()');
  let standby = await machine.follow(primary, await newFolder(), settings);
  await untilSynchronous(primary);
  return {
    ...urls,
    superuserUrl,
    crash: null,
    restart: async () => undefined,
    async promote() {
      proxy.cut();
      await primary.kill();
      await queryCluster(standby, 'SELECT pg_promote()');
      primary = standby;
      proxy.redirectTo(primary.superuserUrl);
      proxy.restore();
      // Commits wait until it is running.
      standby = await machine.follow(primary, await newFolder(), settings);
      await untilSynchronous(primary);
    },
    async remove() {
      await proxy.close();
      await machine.close();
    },
  };
}

async function untilSynchronous(primary: RunningCluster): Promise<void> {
  await eventually(async () => {
    const rows = await queryCluster(primary, 'SELECT sync_state FROM pg_stat_replication');
    return rows.some(({ sync_state }) => sync_state === 'sync');
  });
}

async function queryCluster(
  cluster: RunningCluster,
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: cluster.superuserUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
