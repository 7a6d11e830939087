import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { isTraversable } from '../../lab/embedded/postgres/account.ts';
import { type RunningPostgres, startPostgres } from '../../lab/embedded/postgres/postgres.ts';
import { findFreePort } from '../../lab/embedded/processes/ports.ts';
import { isAlive } from '../../lab/embedded/processes/processes.ts';
import { extension } from '../../lab/embedded/programs.ts';
import { StartError } from '../../lab/embedded/start-error.ts';
import { runFile } from '../support/run.ts';

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error('It was not rejected.');
}

const asRoot = process.getuid?.() === 0;
const crashing = join(import.meta.dirname, `programs/postgres${extension}`);

describe('embedded Postgres', () => {
  let folder: string;
  let running: RunningPostgres | undefined;
  const start = async (options: { port?: number; durable?: boolean } = {}) => {
    running = await startPostgres({ dataDir: join(folder, 'data'), durable: false, ...options });
    return running;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
    await chmod(folder, 0o711);
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('requires the password and never runs as root', async () => {
    const { superuserUrl, port, pid, dataDir } = await start();
    expect(await ask(superuserUrl, 'SELECT current_user AS role')).to.deep.equal([
      { role: 'postgres' },
    ]);
    const wrong = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      password: 'postgres',
      database: 'postgres',
    });
    wrong.on('error', () => {});
    const answer = await wrong.connect().then(
      () => 'let in',
      (error: Error) => error.message,
    );
    expect(answer).to.match(/password authentication failed/);
    expect(await ask(superuserUrl, `SHOW password_encryption`)).to.deep.equal([
      { password_encryption: 'scram-sha-256' },
    ]);
    expect(await ask(superuserUrl, `SHOW listen_addresses`)).to.deep.equal([
      { listen_addresses: '127.0.0.1' },
    ]);
    expect((await stat(join(dataDir, 'superuser.password'))).mode & 0o777).to.equal(0o600);
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.to.equal('0');
    }
  });

  it('has the extensions and text rules that the library needs', async () => {
    const { superuserUrl } = await start();
    for (const extension of ['pg_trgm', 'btree_gin', 'unaccent']) {
      await ask(superuserUrl, `CREATE EXTENSION IF NOT EXISTS ${extension}`);
    }
    expect(
      await ask(superuserUrl, `SELECT to_tsvector('simple', 'Ärger') @@ 'ärger' AS found`),
    ).to.deep.equal([{ found: true }]);
  });

  it('syncs to disk by default and keeps its data', async () => {
    const fast = await start();
    expect(await ask(fast.superuserUrl, 'SHOW fsync')).to.deep.equal([{ fsync: 'off' }]);
    await ask(fast.superuserUrl, 'CREATE TABLE kept AS SELECT 7 AS n');
    await fast.stop();
    expect(isAlive(fast.pid)).to.equal(false);
    await fast.exited;

    const safe = await start({ durable: true });
    expect(safe.adopted).to.equal(false);
    expect(await ask(safe.superuserUrl, 'SHOW fsync')).to.deep.equal([{ fsync: 'on' }]);
    expect(await ask(safe.superuserUrl, 'SELECT n FROM kept')).to.deep.equal([{ n: 7 }]);
  });

  it('takes over the server of a killed process', async () => {
    const left = await runFile(crashing, [join(folder, 'data')]);
    expect(left.signal).to.equal('SIGKILL');
    const { pid, port } = JSON.parse(left.stdout);
    const { adopted, superuserUrl, ...rest } = await start();
    expect({ adopted, pid: rest.pid, port: rest.port }).to.deep.equal({ adopted: true, pid, port });
    expect(await ask(superuserUrl, 'SELECT 1 AS n')).to.deep.equal([{ n: 1 }]);
    await rest.stop();
    expect(isAlive(pid)).to.equal(false);
    await rest.exited;
  });

  it('moves a leftover server to the requested port', async () => {
    const left = JSON.parse((await runFile(crashing, [join(folder, 'data')])).stdout);
    const port = await findFreePort();
    const moved = await start({ port });
    expect(moved.port).to.equal(port);
    expect(moved.pid).not.to.equal(left.pid);
    expect(isAlive(left.pid)).to.equal(false);
  });

  it('starts if the pid file names an unrelated process', async () => {
    const first = await start();
    const pidFile = join(first.dataDir, 'postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await first.stop();
    await writeFile(pidFile, text.replace(String(first.pid), String(process.pid)));
    const second = await start();
    expect(second.adopted).to.equal(false);
    expect(second.pid).not.to.equal(process.pid);
  });

  it('ends a server that hangs and starts another', async () => {
    const first = await start();
    process.kill(first.pid, 'SIGSTOP');
    const second = await start();
    expect(second.adopted).to.equal(false);
    expect(isAlive(first.pid)).to.equal(false);
    expect(await ask(second.superuserUrl, 'SELECT 1 AS n')).to.deep.equal([{ n: 1 }]);
  });

  it('reports that the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const address = other.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      expect(await refusal(start({ port }))).to.equal(
        `Port ${port} on 127.0.0.1 is taken by another program, so Postgres cannot listen there: stop that program or choose another port.`,
      );
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it('does not touch another version’s data or other folders', async () => {
    const old = join(folder, 'old');
    await mkdir(old);
    await writeFile(join(old, 'PG_VERSION'), '15\n');
    expect(await refusal(startPostgres({ dataDir: old }))).to.match(
      /holds the data of Postgres 15 and this is Postgres 17/,
    );
    const letters = join(folder, 'letters');
    await mkdir(letters);
    await writeFile(join(letters, 'dear.txt'), 'Dear');
    expect(await refusal(startPostgres({ dataDir: letters }))).to.match(/is not empty/);
    expect(await readFile(join(letters, 'dear.txt'), 'utf8')).to.equal('Dear');
  });

  it('runs as an ordinary user', async function () {
    if (!asRoot || !isTraversable(import.meta.dirname)) this.skip();
    const unprivileged = 65_534;
    const theirs = join(folder, 'theirs');
    await mkdir(theirs);
    await chown(theirs, unprivileged, unprivileged);
    const done = await runFile(crashing, [join(theirs, 'data'), 'stop'], {
      uid: unprivileged,
      gid: unprivileged,
      env: { PATH: process.env.PATH ?? '', HOME: theirs, TMPDIR: theirs },
    });
    expect(done.stderr).to.equal('');
    expect(done.code).to.equal(0);
    expect(JSON.parse(done.stdout).uid).to.equal(unprivileged);
    expect((await stat(join(theirs, 'data', 'PG_VERSION'))).uid).to.equal(unprivileged);
  });
});
