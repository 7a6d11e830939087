import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { isAlive } from '../../lab/embedded/processes/processes.ts';
import { extension } from '../../lab/embedded/programs.ts';
import { eventually } from '../support/eventually.ts';
import { runFile } from '../support/run.ts';
import {
  createDatabase,
  redisUrl,
  startPrivateRedis,
  superuserUrl,
  type TestDatabase,
} from '../support/services.ts';

async function select(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('test services', () => {
  let one: TestDatabase;
  let two: TestDatabase;
  before(async () => {
    [one, two] = await Promise.all([createDatabase(), createDatabase()]);
  });
  after(async () => {
    await one.drop();
    await two.drop();
  });

  it('give each file its own migrated database', async () => {
    expect(one.name).not.to.equal(two.name);
    await select(one.superuserUrl, 'CREATE TABLE only_here ()');
    const there = `SELECT to_regclass('only_here') AS found, to_regclass('event') AS event`;
    expect(await select(one.superuserUrl, there)).to.deep.equal([
      { found: 'only_here', event: 'event' },
    ]);
    expect(await select(two.superuserUrl, there)).to.deep.equal([{ found: null, event: 'event' }]);
  });

  it('log in as each role', async () => {
    for (const [role, url] of [
      ['owner', one.ownerUrl],
      ['api', one.apiUrl],
      ['worker', one.workerUrl],
      ['relay', one.relayUrl],
      ['neighbour', one.neighbourUrl],
    ] as const) {
      expect(await select(url, 'SELECT current_user AS role')).to.deep.equal([{ role }]);
    }
  });

  it('drop a database with open connections', async () => {
    const third = await createDatabase();
    const client = new pg.Client({ connectionString: third.apiUrl });
    const cut = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await third.drop();
    await cut;
    const found = await select(
      await superuserUrl(),
      `SELECT FROM pg_database WHERE datname = '${third.name}'`,
    );
    expect(found).to.have.length(0);
  });

  it('end the programs that they started, even if the run is killed', async () => {
    const killed = fileURLToPath(new URL(`./programs/killed${extension}`, import.meta.url));
    const { signal, stdout } = await runFile(killed);
    expect(signal).to.equal('SIGKILL');
    expect(Number(stdout)).to.be.greaterThan(0);
    await eventually(async () => !isAlive(Number(stdout)));
  });

  it('share one Redis, and provide a private one that can be killed and restarted', async () => {
    const own = await startPrivateRedis();
    try {
      expect(own.url).not.to.equal(await redisUrl());
      const client = new Redis(own.url, { retryStrategy: () => null });
      client.on('error', () => {});
      await client.set('kept', 'yes');
      await client.config('SET', 'appendfsync', 'always');
      await client.set('kept', 'still');
      client.disconnect();
      await own.kill();
      await own.restart();
      const again = new Redis(own.url);
      expect(await again.get('kept')).to.equal('still');
      await again.quit();
    } finally {
      await own.remove();
    }
  });
});
