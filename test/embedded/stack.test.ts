import { appendFile, chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { findFreePort, isPortTaken } from '../../lab/embedded/processes/ports.ts';
import { isAlive, watchExit } from '../../lab/embedded/processes/processes.ts';
import { extension } from '../../lab/embedded/programs.ts';
import { findRunningStack } from '../../lab/embedded/running-stack.ts';
import { readSettings } from '../../lab/embedded/settings.ts';
import { type RunningStack, startStack } from '../../lab/embedded/stack.ts';
import { eventually } from '../support/eventually.ts';
import { checkout, runFile } from '../support/run.ts';

const programs = {
  server: resolve(import.meta.dirname, `programs/server${extension}`),
  worker: resolve(import.meta.dirname, `programs/worker${extension}`),
  admin: resolve(import.meta.dirname, `programs/admin${extension}`),
};

describe('the development stack', () => {
  let folder: string;
  let diary: string;
  let env: NodeJS.ProcessEnv;
  let stack: RunningStack | undefined;
  let messages: string[];

  const start = async (more: NodeJS.ProcessEnv = {}): Promise<RunningStack> => {
    messages = [];
    stack = await startStack({
      env: { ...env, ...more },
      dataDir: join(folder, 'data'),
      output: 'files',
      programs,
      log: (message) => messages.push(message),
    });
    return stack;
  };
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'started',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  const pidOfServer = async (): Promise<number> =>
    Number(await (await fetch(`${stack?.serviceUrl}/pid`, { headers: known })).text());
  const known = { authorization: 'Bearer key-1' };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
    await chmod(folder, 0o711);
    diary = join(folder, 'diary');
    const { DATABASE_URL, REDIS_URL, STORAGE_URL, ...rest } = process.env;
    env = { ...rest, PORT: String(await findFreePort()), WORKER_DIARY: diary };
  });
  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('starts all programs and writes the settings for their owner only', async () => {
    const { serviceUrl, projectId, apiKey, operatorPassword, settingsFile } = await start();
    expect(serviceUrl).to.equal(`http://127.0.0.1:${env.PORT}`);
    expect([projectId, apiKey]).to.deep.equal(['prj_1', 'key-1']);
    expect(operatorPassword.length).to.be.at.least(12);
    expect((await stat(settingsFile)).mode & 0o777).to.equal(0o600);
    const settings = await readSettings(join(folder, 'data'));
    expect(settings).to.include({
      SERVICE_URL: serviceUrl,
      PROJECT_ID: 'prj_1',
      API_KEY: 'key-1',
      OPERATOR_PASSWORD: operatorPassword,
    });
    const token = settings.LOCAL_SIGN_IN_TOKEN;
    expect(token).to.have.length.of.at.least(24);
    const link = `${serviceUrl}/portal/sign-in/local?token=${token}`;
    expect([settings.SIGN_IN_URL, stack?.signInUrl]).to.deep.equal([link, link]);
    expect(Buffer.from(settings.SECRET_KEY ?? '', 'base64')).to.have.length(32);
    expect(settings.DATABASE_NEIGHBOUR_URL).to.match(/^postgres\w*:\/\/neighbour:/);
  });

  it('stops workers while Redis and Postgres still run', async () => {
    const { stop } = await startWithWorker();
    await stop();
    expect(await readFile(diary, 'utf8')).to.match(/^up \d+ PONG\ndown worker PONG\n$/);
  });

  it('keeps secrets, project and key across a restart, and replaces an unknown key', async () => {
    await start();
    const before = await readSettings(join(folder, 'data'));
    await stack?.stop();
    await start();
    const again = await readSettings(join(folder, 'data'));
    for (const name of ['SECRET_KEY', 'SIGNING_KEY', 'OPERATOR_PASSWORD', 'API_KEY']) {
      expect(again[name], name).to.equal(before[name]);
    }
    await stack?.stop();
    const { apiKey } = await start({ KNOWN_KEY: 'key-2' });
    expect(apiKey).to.equal('key-2');
  });

  it('rejects a second instance, which can find the first', async () => {
    const first = await start();
    expect(
      await refusal(
        startStack({
          env: { ...env, PORT: String(await findFreePort()) },
          dataDir: join(folder, 'data'),
          programs,
        }),
      ),
    ).to.equal(
      `A server already runs here (process ${process.pid}, ${first.serviceUrl}): use that one, or stop it first.`,
    );
    const found = await findRunningStack(undefined, join(folder, 'data'));
    expect(found).to.include({ reused: true, serviceUrl: first.serviceUrl, apiKey: 'key-1' });
    await found?.stop();
    expect((await fetch(`${first.serviceUrl}/readyz`)).status).to.equal(200);
    await first.stop();
    expect(await found?.failure).to.match(/has stopped/);
    expect(await findRunningStack(undefined, join(folder, 'data'))).to.equal(undefined);
  });

  it('restarts a process that died', async () => {
    const { serviceUrl } = await start();
    const first = await pidOfServer();
    process.kill(first, 'SIGKILL');
    let second = first;
    while (second === first || Number.isNaN(second)) {
      second = await pidOfServer().catch(() => Number.NaN);
    }
    expect(isAlive(first)).to.equal(false);
    expect((await fetch(`${serviceUrl}/readyz`)).status).to.equal(200);
    expect(messages).to.include('The server ended unexpectedly. Restarting it (1 of 5).');
  });

  for (const name of ['server', 'worker'] as const) {
    it(`reports a ${name} that ends while it starts, with its last output`, async () => {
      const dataDir = join(folder, 'other');
      const hopeless = join(folder, 'hopeless.mjs');
      await writeFile(hopeless, `console.log('first'); console.error('it is hopeless');`);
      await appendFile(hopeless, 'process.exitCode = 3;');
      const failed = () =>
        refusal(
          startStack({
            env,
            dataDir,
            output: 'files',
            programs: { ...programs, [name]: hopeless },
            log: (message) => messages.push(message),
          }),
        );
      messages = [];
      const reason = `The ${name} exited during startup (exit code 3). The end of ${dataDir}/logs/${name}.log:\nfirst\nit is hopeless`;
      expect(await failed()).to.equal(reason);
      // What it had written before that is not repeated.
      expect(await failed()).to.equal(reason);
      // A slow start says so.
      expect(messages.filter((message) => !message.startsWith('After '))).to.deep.equal([]);
      // The project was created meanwhile.
      expect(await readSettings(dataDir)).to.include({ PROJECT_ID: 'prj_1', SERVICE_URL: '' });
    });
  }

  it('waits for a server that has started but is not ready yet', async () => {
    const { serviceUrl } = await start({ NOT_READY: '20' });
    expect((await fetch(`${serviceUrl}/readyz`)).status).to.equal(200);
  });

  it('stops a start that is no longer wanted', async () => {
    const dataDir = join(folder, 'other');
    const endless = join(folder, 'endless.mjs');
    await writeFile(endless, 'setInterval(() => {}, 1000); console.log(process.pid);');
    const stopping = new AbortController();
    const starting = refusal(
      startStack({
        env,
        dataDir,
        output: 'files',
        programs: { ...programs, server: endless },
        signal: stopping.signal,
      }),
    );
    const log = join(dataDir, 'logs/server.log');
    const pid = await eventually(async () => {
      const written = await readFile(log, 'utf8').catch(() => '');
      return Number(/^(\d+)\n$/m.exec(written.slice(-20))?.[1]);
    });
    stopping.abort();
    expect(await starting).to.match(/^Stopped while starting the (server|worker) /);
    expect(isAlive(pid)).to.equal(false);
    expect(await isPortTaken(await portOf(dataDir))).to.equal(false);
  });

  it('forgets the URL of the start before when the next begins', async () => {
    await start();
    await stack?.stop();
    stack = undefined;
    const dataDir = join(folder, 'data');
    expect(await readSettings(dataDir)).to.include({ SERVICE_URL: `http://127.0.0.1:${env.PORT}` });
    expect(await refusal(start({ DATABASE_URL: 'postgres://api@127.0.0.1:1/x' }))).to.match(
      /DATABASE_OWNER_URL/,
    );
    expect(await readSettings(dataDir)).to.include({ SERVICE_URL: '', API_KEY: 'key-1' });
  });

  it('restarts Postgres and Redis on their ports', async () => {
    await startWithWorker();
    // Messages of the start do not matter here.
    messages = [];
    const settings = await readSettings(join(folder, 'data'));
    const pidFile = join(folder, 'data/postgres/postmaster.pid');
    const postgres = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
    const redis = Number(await readFile(join(folder, 'data/redis/redis.pid'), 'utf8'));
    process.kill(postgres, 'SIGKILL');
    process.kill(redis, 'SIGKILL');
    const isBack = async (url: string): Promise<boolean> => {
      return isPortTaken(Number(new URL(url).port));
    };
    while (
      messages.length < 2 ||
      !(await isBack(settings.DATABASE_URL ?? '')) ||
      !(await isBack(settings.REDIS_URL ?? ''))
    ) {
      await fetchOnce();
    }
    expect(messages).to.have.members([
      'The embedded Postgres ended unexpectedly. Restarting it (1 of 5).',
      'The embedded Redis ended unexpectedly. Restarting it (1 of 5).',
    ]);
  });

  it('leaves nothing running if it is killed, and can be started again', async () => {
    // The lock names a dead process then, and the port must be free again.
    const dataDir = join(folder, 'data');
    const killed = await runFile(
      resolve(import.meta.dirname, `programs/stack${extension}`),
      [dataDir],
      {
        env,
      },
    );
    expect(killed.signal).to.equal('SIGKILL');
    const { pids } = JSON.parse(killed.stdout);
    expect(pids).to.have.length(3);
    await Promise.all(pids.map((pid: number) => watchExit(pid)).map(keepWaiting));
    await start();
    expect((await fetch(`${stack?.serviceUrl}/readyz`)).status).to.equal(200);
  });

  it('reports that the port is taken and starts nothing', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(Number(env.PORT), '127.0.0.1', done));
    try {
      expect(await refusal(start())).to.equal(
        `Port ${env.PORT} is taken by another program: stop it, or choose another port with PORT=${Number(env.PORT) + 1}.`,
      );
      const dev = await runFile(resolve(import.meta.dirname, `../../lab/dev${extension}`), [], {
        env,
        cwd: checkout,
      });
      expect([dev.code, dev.stdout]).to.deep.equal([1, '']);
      expect(dev.stderr).to.match(/^(Port \d+ is taken|A server already runs here)[^\n]*\n$/);
    } finally {
      await new Promise((done) => other.close(done));
    }
  });

  it('requires a URL for each role with an external database', async () => {
    expect(
      await refusal(
        start({ DATABASE_URL: 'postgres://api@127.0.0.1:1/x', DATABASE_OWNER_URL: '' }),
      ),
    ).to.match(/DATABASE_OWNER_URL, DATABASE_WORKER_URL, DATABASE_RELAY_URL is not/);
  });

  /** The worker may still be starting when the API is ready; this waits for both. */
  async function startWithWorker(): Promise<RunningStack> {
    await rm(diary, { force: true });
    const started = await start();
    while (!/^up /m.test(await readFile(diary, 'utf8').catch(() => ''))) await fetchOnce();
    return started;
  }

  /** The port of its Postgres. */
  async function portOf(dataDir: string): Promise<number> {
    return Number(new URL((await readSettings(dataDir)).DATABASE_URL ?? '').port);
  }

  /** One round trip instead of a pause. */
  async function fetchOnce(): Promise<void> {
    await fetch(`${stack?.serviceUrl}/readyz`).catch(() => undefined);
  }

  /** The timer of `watchExit` does not keep the process alive. */
  async function keepWaiting(exited: Promise<void>): Promise<void> {
    const timer = setInterval(() => {}, 1_000);
    await exited.finally(() => clearInterval(timer));
  }
});
