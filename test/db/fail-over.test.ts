import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import pg from 'pg';
import { createProject } from '../../src/access/projects.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type DatabaseUrls, prepareDatabase } from '../../src/db/preparing/prepare.ts';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { originOf } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import {
  findMachinePostgres,
  type MachinePostgres,
  type RunningCluster,
} from '../support/machine-postgres.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startPrivateRedis, superuserUrl, type TestRedis } from '../support/services.ts';
import { prepareWorkers } from '../support/workers.ts';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../webhooks/fixtures/${name}`, import.meta.url));
const passwords = { owner: 'p', api: 'p', worker: 'p', relay: 'p', neighbour: 'p' };
/** Writers at once, each with one change after the other. */
const writers = Number(process.env.FAIL_OVER_WRITERS ?? 4);
const poolSize = 6;
/** Changes that must have been committed before the primary dies, and after the promotion. */
const changes = Number(process.env.FAIL_OVER_CHANGES ?? 60);

/** A primary and a synchronous standby, of the machine's own Postgres. */
describe('Postgres with a standby', () => {
  let machine: MachinePostgres;
  let primary: RunningCluster;
  let standby: RunningCluster;
  let urls: DatabaseUrls;
  let redis: TestRedis;
  before(async function () {
    const found = await findMachinePostgres();
    if (!found) return this.skip();
    machine = found;
    const folder = await machine.folder('tls');
    for (const name of ['receiver.crt', 'receiver.key']) {
      await copyFile(fixture(name), join(folder, name));
      await chmod(join(folder, name), 0o600);
    }
    await machine.giveToServer('tls');
    const settings = {
      ssl: 'on',
      ssl_cert_file: join(folder, 'receiver.crt'),
      ssl_key_file: join(folder, 'receiver.key'),
    };
    primary = await machine.start(await machine.folder('primary'), settings);
    urls = await prepareDatabase({
      superuserUrl: primary.superuserUrl,
      database: 'main',
      passwords,
    });
    standby = await machine.follow(primary, await machine.folder('standby'));
    await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await ask(primary, 'SELECT pg_reload_conf()');
    await eventually(async () =>
      (await ask(primary, 'SELECT sync_state FROM pg_stat_replication')).some(
        ({ sync_state }) => sync_state === 'sync',
      ),
    );
    redis = await startPrivateRedis();
  });
  after(async () => {
    await redis?.remove();
    await machine?.close();
  });

  const ask = async (cluster: RunningCluster, text: string): Promise<pg.QueryResultRow[]> => {
    const client = new pg.Client({ connectionString: cluster.superuserUrl });
    await client.connect();
    try {
      return (await client.query<pg.QueryResultRow>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const failure = (url: string): Promise<string | null> =>
    openDatabase(url).then(
      async (opened) => {
        await opened.destroy();
        return null;
      },
      (error: Error) => error.message,
    );
  /** The same login on other servers. */
  const on = (url: string, ...clusters: RunningCluster[]): string => {
    const { username, password, pathname } = new URL(url);
    const hosts = clusters.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://${username}:${password}@${hosts}${pathname}`;
  };

  it('verifies the server by the authority that the URL names', async () => {
    const url = `${urls.apiUrl}?sslmode=verify-full`;
    expect(await failure(`${url}&sslrootcert=${fixture('receiver.crt')}`)).to.equal(null);
    expect(await failure(url)).to.match(/certificate/);
    expect(await failure(`${url}&sslrootcert=${fixture('expired.crt')}`)).to.match(/certificate/);
    const encrypted = await openDatabase(`${url}&sslrootcert=${fixture('receiver.crt')}`);
    const rows = await encrypted.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    await encrypted.destroy();
    expect(rows).to.deep.equal([{ ssl: true }]);
  });

  it('encrypts without a check for sslmode=require and prefer, and does without TLS for prefer', async () => {
    const isEncrypted = async (url: string): Promise<boolean> => {
      const database = await openDatabase(url);
      const rows = await database.query<{ ssl: boolean }[]>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      await database.destroy();
      return rows[0]!.ssl;
    };
    for (const mode of ['require', 'prefer', 'allow']) {
      expect(await isEncrypted(`${urls.apiUrl}?sslmode=${mode}`), mode).to.equal(true);
    }
    const plain = await superuserUrl();
    expect(await isEncrypted(`${plain}?sslmode=prefer`)).to.equal(false);
    const several = new URL(plain).host;
    const twice = plain.replace(several, `${several},${several}`);
    expect(await isEncrypted(`${twice}?sslmode=prefer`)).to.equal(false);
    expect(await failure(`${plain}?sslmode=require`)).to.include('does not support SSL');
  });

  it('takes the files of today for each new connection', async () => {
    const authority = join(await machine.folder('rotated'), 'ca.crt');
    await copyFile(fixture('receiver.crt'), authority);
    const database = await openDatabase(`${urls.apiUrl}?sslrootcert=${authority}`, { poolSize: 2 });
    await copyFile(fixture('expired.crt'), authority);
    // The pool has one connection, and opens another.
    const both = await Promise.allSettled([1, 2].map(() => database.query('SELECT pg_sleep(0.5)')));
    await database.destroy();
    expect(both.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
  });

  it('is not served from the standby, in whatever order the servers are named', async () => {
    expect(await failure(on(urls.apiUrl, standby))).to.include('is a standby');
    for (const order of [
      [standby, primary],
      [primary, standby],
    ]) {
      const database = await openDatabase(on(urls.apiUrl, ...order), { poolSize: 2 });
      const rows = await database.query('SELECT pg_is_in_recovery() AS standby');
      await database.destroy();
      expect(rows).to.deep.equal([{ standby: false }]);
    }
  });

  describe('that is promoted under load', () => {
    let api: TestApi;
    let receiver: Receiver;
    let databases: Record<'api' | 'worker' | 'relay', Database>;
    before(async () => {
      receiver = await startReceiver();
      const [apiDatabase, worker, relay] = await Promise.all(
        [urls.apiUrl, urls.workerUrl, urls.relayUrl].map((url) =>
          openDatabase(on(url, primary, standby), { poolSize }),
        ),
      );
      databases = { api: apiDatabase!, worker: worker!, relay: relay! };
      api = await startApi({ deps: () => ({ database: databases.api }) });
    });
    after(async () => {
      await api?.close();
      await receiver?.close();
      for (const database of Object.values(databases ?? {})) await database.destroy();
    });

    it('keeps all that was committed, once, and answers 503 in between', async () => {
      const owner = await openDatabase(on(urls.ownerUrl, primary), { poolSize: 1 });
      const { projectId, secret } = await inTransaction(owner, (tx) => createProject(tx, 'main'));
      await owner.destroy();
      await inProject(databases.api, projectId, (tx) =>
        createEndpoint(
          tx,
          { seal: { seal: (text) => text } },
          originOf(projectId),
          { url: receiver.url, event_types: ['dam.*'], secret: receiver.secret },
          [],
        ),
      );
      const workers = await prepareWorkers(databases, redis.url);
      workers.start('relay', 'webhooks', 'maintenance');
      /** Changes that were answered as committed, and those whose answer was lost. */
      const committed = new Set<string>();
      const unsure = new Set<string>();
      let ends = false;
      /** Errors so far, and when the first change after them was committed. */
      let failed = 0;
      let backAt = 0;
      const write = async (): Promise<void> => {
        while (!ends) {
          const resourceId = newId('object');
          try {
            await inProject(databases.api, projectId, async (tx) => {
              await record(tx, originOf(projectId), {
                type: 'dam.object.trashed',
                resourceId,
                data: {},
              });
              await schedule(tx, projectId, null, {
                kind: 'object.purge',
                payload: { object_id: resourceId },
              });
            });
            committed.add(resourceId);
            if (failed > 0 && backAt === 0) backAt = performance.now();
          } catch {
            unsure.add(resourceId);
            failed += 1;
          }
          workers.deps.wake();
          await turn();
        }
      };
      const writing = Promise.all(Array.from({ length: writers }, write));
      try {
        await eventually(async () => committed.size >= changes);
        const diedAt = performance.now();
        await primary.kill();
        const read = () => api.call('GET', '/v1/objects', { key: secret, projectId });
        const away = await eventually(async () => {
          const answer = await read();
          return answer.status === 200 ? null : answer;
        });
        expect(away.status).to.equal(503);
        expect(Number(away.headers.get('retry-after'))).to.be.greaterThan(0);
        await ask(standby, 'SELECT pg_promote()');
        const promotedAt = performance.now();
        await eventually(async () => (await read()).status === 200);
        // Coming back, the pools open no more connections than they may have; each may be looking for the primary.
        const [open] = await ask(
          standby,
          `SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename IN ('api', 'worker', 'relay')`,
        );
        expect(open!.count).to.be.within(1, 3 * (poolSize + 1));
        const before = committed.size;
        await eventually(async () => committed.size >= before + changes);
        if (process.env.FAIL_OVER_TIMES) {
          console.log(
            `killed at 0 ms, promoted at ${Math.round(promotedAt - diedAt)} ms, writes again at ${Math.round(backAt - diedAt)} ms; ${committed.size} committed, ${unsure.size} without an answer`,
          );
        }
      } finally {
        ends = true;
        await writing;
      }
      const rows = <Row extends object>(text: string) =>
        inTransaction(databases.worker, (tx) => query<Row>(tx, text, []));
      await eventually(async () => {
        const [left] = await rows<{ tasks: number; events: number }>(
          `SELECT (SELECT count(*)::int FROM task WHERE kind = 'object.purge') AS tasks,
             (SELECT count(*)::int FROM event WHERE category = 'domain' AND published_at IS NULL) AS events`,
        );
        return left!.tasks === 0 && left!.events === 0;
      });
      const kept = (
        await rows<{ id: string; resource_id: string }>(
          `SELECT id, resource_id FROM event WHERE type = 'dam.object.trashed'`,
        )
      ).map(({ resource_id: id }) => id);
      expect(new Set(kept).size, 'no change twice').to.equal(kept.length);
      expect(kept, 'all that was committed').to.include.members([...committed]);
      for (const id of kept) expect(committed.has(id) || unsure.has(id)).to.equal(true);
      // At least once: an attempt whose end was not stored is repeated with the same id.
      const delivered = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
      expect(delivered.size).to.equal(kept.length);
      await workers.stop();
    });
  });
});
