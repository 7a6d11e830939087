import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { checkoutPrograms, runTypeScript } from '../../lab/embedded/programs.ts';
import { checkout } from '../support/run.ts';
import { createDatabase, endWithRun, type TestDatabase } from '../support/services.ts';

const node = (file: keyof typeof checkoutPrograms): string[] => [
  ...runTypeScript,
  checkoutPrograms[file],
];

describe('the command line with a server', () => {
  let database: TestDatabase;
  let folder: string;
  before(async () => {
    database = await createDatabase();
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-admin-'));
  });
  after(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const runAdmin = async (args: string[], env: NodeJS.ProcessEnv): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [...node('admin'), ...args], {
      cwd: checkout,
      env: { PATH: process.env.PATH, ...env },
    });
    return stdout;
  };
  const admin = (...args: string[]): Promise<string> =>
    runAdmin(args, { DATABASE_OWNER_URL: database.ownerUrl });
  const failure = (...args: string[]): Promise<string> =>
    admin(...args).then(
      () => 'succeeded',
      (error: { stderr?: string }) => error.stderr ?? '',
    );

  it('prints its usage for an unknown command', async () => {
    const told = await failure('project', 'destroy');
    expect(told)
      .to.match(/^Usage: /)
      .and.include("Unknown command 'project destroy'.");
    expect(await failure('key', 'create', '--project', 'prj_0', '--scopes', '*')).to.equal(
      "Project 'prj_0' not found.\n",
    );
  });

  it('creates a project whose key the server accepts, and issues and revokes keys', async () => {
    const project = JSON.parse(await admin('project', 'create', 'Mine', '--json'));
    expect(Object.keys(project)).to.deep.equal(['project_id', 'api_key']);
    const of = ['--project', project.project_id, '--json'];
    const key = JSON.parse(
      await admin('key', 'create', ...of, '--scopes', 'keys:read', '--read-per-minute', '7'),
    );

    const server = spawn(process.execPath, node('server'), {
      cwd: checkout,
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATABASE_URL: database.apiUrl,
        STORAGE_URL: folder,
        SECRET_KEY: randomBytes(32).toString('base64'),
        SIGNING_KEY: randomBytes(32).toString('base64'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    void endWithRun(server);
    try {
      const port = await new Promise<number>((found, failed) => {
        server.once('exit', () => failed(new Error('The server exited before it listened.')));
        createInterface(server.stdout).on('line', (line) => {
          const record: { msg: string; port?: number } = JSON.parse(line);
          if (record.msg === 'listening' && record.port) found(record.port);
        });
      });
      const use = (secret: string) =>
        fetch(`http://127.0.0.1:${port}/v1/keys/self`, {
          headers: {
            authorization: `Bearer ${secret}`,
            'x-service-project-id': project.project_id,
            connection: 'close',
          },
        });
      const first = await use(project.api_key);
      expect(((await first.json()) as { scopes: string[] }).scopes).to.deep.equal(['*']);
      const second = await use(key.api_key);
      expect(second.status).to.equal(200);
      expect(second.headers.get('ratelimit-policy')).to.equal('"read";q=7;w=60');
      await admin('key', 'revoke', ...of, '--key', key.key_id);
      expect((await use(key.api_key)).status).to.equal(401);
    } finally {
      server.kill('SIGTERM');
    }
    const [code] = await once(server, 'exit');
    expect(code).to.equal(0);
  });

  it('sets up a database, with a login for the neighbour only if configured', async () => {
    const name = `${database.name}_set_up`;
    const within = (url: string): string => Object.assign(new URL(url), { pathname: name }).href;
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    const password = async (): Promise<string> =>
      (await superuser.query(`SELECT rolpassword FROM pg_authid WHERE rolname = 'neighbour'`))
        .rows[0].rolpassword;
    try {
      const urls = {
        DATABASE_SUPERUSER_URL: database.superuserUrl,
        DATABASE_OWNER_URL: within(database.ownerUrl),
        DATABASE_URL: within(database.apiUrl),
        DATABASE_WORKER_URL: within(database.workerUrl),
        DATABASE_RELAY_URL: within(database.relayUrl),
      };
      const before = await password();
      await runAdmin(['database', 'setup'], urls);
      expect(await password()).to.equal(before);
      const neighbourUrl = within(database.neighbourUrl);
      await runAdmin(['database', 'setup'], { ...urls, DATABASE_NEIGHBOUR_URL: neighbourUrl });
      expect(await password()).to.not.equal(before);
      const neighbour = new pg.Client({ connectionString: neighbourUrl });
      await neighbour.connect();
      const rejected = await neighbour
        .query(`SELECT outbox_record('prj_0', 'media.vod_job.failed', 'job_1', '{}')`)
        .catch((error: Error) => error.message);
      await neighbour.end();
      expect(rejected).to.include('data.profile is missing, data.progress is missing');
    } finally {
      await superuser.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await superuser.end();
    }
  });

  it('does not start a server with settings that are missing or invalid', async () => {
    const server = spawn(process.execPath, node('server'), {
      cwd: checkout,
      env: { PATH: process.env.PATH, DATABASE_URL: database.apiUrl, SHUTDOWN_DELAY_SECONDS: '301' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let told = '';
    server.stderr.setEncoding('utf8').on('data', (piece) => {
      told += piece;
    });
    const [code] = await once(server, 'exit');
    expect(code).to.equal(1);
    for (const name of ['STORAGE_URL', 'SIGNING_KEY', 'SHUTDOWN_DELAY_SECONDS']) {
      expect(told).to.include(name);
    }
  });

  it('does not start a server that would bypass row-level security', async () => {
    const server = spawn(process.execPath, node('server'), {
      cwd: checkout,
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATABASE_URL: database.ownerUrl,
        STORAGE_URL: folder,
        SECRET_KEY: randomBytes(32).toString('base64'),
        SIGNING_KEY: randomBytes(32).toString('base64'),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let told = '';
    server.stderr.setEncoding('utf8').on('data', (piece) => {
      told += piece;
    });
    const [code] = await once(server, 'exit');
    expect(code).to.equal(1);
    expect(told).to.include("The database role 'owner'");
  });
});
