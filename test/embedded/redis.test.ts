import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { findFreePort } from '../../lab/embedded/processes/ports.ts';
import { endProcess, isAlive } from '../../lab/embedded/processes/processes.ts';
import {
  findRedis,
  type RedisBinary,
  type RunningRedis,
  startRedis,
} from '../../lab/embedded/redis/redis.ts';
import { StartError } from '../../lab/embedded/start-error.ts';
import { checkout, run } from '../support/run.ts';

async function talk<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { retryStrategy: () => null });
  client.on('error', () => {});
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

describe('embedded Redis', () => {
  let folder: string;
  let binary: RedisBinary;
  let running: RunningRedis | undefined;
  const start = async (port?: number) => {
    running = await startRedis({
      dir: join(folder, 'redis'),
      binary,
      ...(port === undefined ? {} : { port }),
    });
    return running;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
    binary = await findRedis({ packagesDir: resolve(checkout, '.data/packages') });
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('writes an append-only file, evicts nothing and listens on localhost only', async () => {
    const { url } = await start();
    for (const [name, value] of [
      ['appendonly', 'yes'],
      ['maxmemory-policy', 'noeviction'],
      ['bind', '127.0.0.1'],
    ] as const) {
      expect(await talk(url, (client) => client.config('GET', name))).to.deep.equal([name, value]);
    }
  });

  it('requires its password, which other users cannot read', async () => {
    const { port, url } = await start();
    const answer = await talk(`redis://127.0.0.1:${port}`, (client) =>
      client.get('x').catch((error: Error) => error.message),
    );
    expect(answer).to.match(/NOAUTH/);
    for (const file of ['password', 'redis.conf']) {
      expect((await stat(join(folder, 'redis', file))).mode & 0o777).to.equal(0o600);
    }
    const password = new URL(url).password;
    const seen = await readFile(`/proc/${running?.pid}/cmdline`, 'utf8').catch(() => '');
    expect(password).to.have.length(48);
    expect(seen).not.to.include(password);
  });

  it('keeps its data across a restart', async () => {
    const first = await start();
    await talk(first.url, (client) => client.set('kept', 'yes'));
    await first.stop();
    await first.exited;
    expect(isAlive(first.pid)).to.equal(false);
    const second = await start();
    expect(second.adopted).to.equal(false);
    expect(await talk(second.url, (client) => client.get('kept'))).to.equal('yes');
  });

  it('takes over a leftover server, and moves it to the requested port', async () => {
    const first = await start();
    const second = await start();
    expect([second.adopted, second.pid]).to.deep.equal([true, first.pid]);
    const third = await start(await findFreePort());
    expect([third.adopted, isAlive(first.pid)]).to.deep.equal([false, false]);
    await second.exited;
  });

  it('ends a server that hangs', async () => {
    const first = await start();
    process.kill(first.pid, 'SIGSTOP');
    const second = await start();
    expect(second.adopted).to.equal(false);
    expect(isAlive(first.pid)).to.equal(false);
  });

  it('reports that the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    try {
      const message = await start(port).then(
        () => 'started',
        (error: unknown) => (error instanceof StartError ? error.message : String(error)),
      );
      expect(message).to.equal(
        `Port ${port} on 127.0.0.1 is taken by another program, so Redis cannot listen there: stop that program or choose another port.`,
      );
    } finally {
      await new Promise((done) => other.close(done));
    }
  });
});

describe('the search for a Redis', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('downloads the packages if none is on PATH, and reuses them the next time', async function () {
    if ((await run('apt-get', ['--version']).catch(() => ({ code: 1 }))).code !== 0) this.skip();
    const packagesDir = join(folder, 'packages');
    const fetched = await findRedis({ path: '/nowhere', packagesDir });
    expect(fetched.path).to.equal(join(packagesDir, 'redis/usr/bin/redis-server'));
    const messages: string[] = [];
    const again = await findRedis({
      path: '/nowhere',
      packagesDir,
      log: (message) => messages.push(message),
    });
    expect(again).to.deep.equal(fetched);
    expect(messages).to.deep.equal([]);
    const running = await startRedis({ dir: join(folder, 'fetched'), binary: fetched });
    try {
      expect(await talk(running.url, (client) => client.ping())).to.equal('PONG');
    } finally {
      await endProcess(running.pid, []);
    }
  });

  it('fails with a message if no Redis is available', async () => {
    const message = await findRedis({
      path: '/nowhere',
      packagesDir: join(folder, 'empty'),
      fetch: false,
    }).then(
      () => 'found',
      (error: unknown) => (error instanceof StartError ? error.message : String(error)),
    );
    expect(message).to.equal(
      'No Redis found: install redis-server or valkey-server so that it is on PATH, or set REDIS_URL to your own Redis.',
    );
  });
});
