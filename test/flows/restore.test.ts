import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import pg from 'pg';
import { runTypeScript } from '../../lab/embedded/programs.ts';
import { createProject } from '../../src/access/projects.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { retainBytes } from '../../src/library/bytes/retain.ts';
import { createFromUpload } from '../../src/library/objects/arrival/upload.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { originOf } from '../support/database-fixture.ts';
import {
  findMachinePostgres,
  type MachinePostgres,
  type RunningCluster,
} from '../support/machine-postgres.ts';
import { commandsOf, runCommands } from '../support/page-commands.ts';

const dockerProgram = join(
  import.meta.dirname,
  `../support/programs/docker${extname(import.meta.filename)}`,
);

/**
 * The backup instructions in docs/operations.md, followed literally, on a Postgres with its own
 * clients, which the embedded one lacks. Skipped by name on a machine without one.
 */
describe('backup and restore by docs/operations.md', () => {
  let postgres: MachinePostgres;
  let home: string;
  let page: Map<string, string[]>;
  before(async function () {
    const found = await findMachinePostgres();
    if (!found) {
      this.skip();
      return;
    }
    postgres = found;
    home = await mkdtemp(join(tmpdir(), 'scriptorium-restore-'));
    page = await commandsOf('docs/operations.md');
  });
  after(async () => {
    await postgres?.close();
    if (home) await rm(home, { recursive: true, force: true });
  });

  const roles = ['owner', 'api', 'worker', 'relay'] as const;
  /** The page's variables for a cluster and a storage. */
  const variables = (cluster: RunningCluster, storage: string, name: string) => {
    const url = (role: string, database = 'scriptorium'): string => {
      const made = new URL(cluster.superuserUrl);
      if (role !== 'postgres') [made.username, made.password] = [role, `${role}-password`];
      made.pathname = `/${database}`;
      return made.href;
    };
    const [owner, api, worker, relay] = roles.map((role) => url(role));
    return {
      PATH: `${postgres.bin}:${process.env.PATH}`,
      DATABASE_SUPERUSER_URL: url('postgres', 'postgres'),
      DUMP_URL: url('postgres'),
      DATABASE_OWNER_URL: owner!,
      DATABASE_URL: api!,
      DATABASE_WORKER_URL: worker!,
      DATABASE_RELAY_URL: relay!,
      STORAGE_URL: pathToFileURL(join(home, storage)).href,
      BACKUP: join(home, name),
      BACKUP_STORAGE_URL: pathToFileURL(join(home, `${name}-bytes`)).href,
    };
  };
  type Variables = ReturnType<typeof variables>;

  const withDatabase = async <T>(
    url: string,
    work: (database: Database) => Promise<T>,
  ): Promise<T> => {
    const database = await openDatabase(url, { poolSize: 2 });
    try {
      return await work(database);
    } finally {
      await database.destroy();
    }
  };
  const newProject = (env: Variables): Promise<string> =>
    withDatabase(env.DATABASE_OWNER_URL, async (owner) => {
      const made = await inTransaction(owner, (tx) => createProject(tx, 'Kept'));
      return made.projectId;
    });
  const upload = async (env: Variables, project: string, content: Buffer): Promise<string> => {
    const storage: Storage = await openStorage(env.STORAGE_URL);
    const received = await storage.receive(project, Readable.from(content), { maxBytes: 1e7 });
    const { object } = await withDatabase(env.DATABASE_URL, (api) =>
      inProject(api, project, async (tx) =>
        createFromUpload(tx, originOf(project), {
          filename: 'kept.txt',
          mime: 'text/plain',
          traits: [],
          content: await retainBytes(tx, project, received),
          tags: [],
          metadata: {},
          onDuplicate: 'allow',
        }),
      ),
    );
    await received.discard();
    await storage.close();
    return object.id;
  };
  const objects = (env: Variables, project: string): Promise<string[]> =>
    withDatabase(env.DATABASE_URL, (api) =>
      inProject(api, project, async (tx) => {
        const rows = await prepared<{ id: string }>(tx, 'SELECT id FROM object ORDER BY id', []);
        return rows.map(({ id }) => id);
      }),
    );
  const setUp = async (env: Variables): Promise<void> => {
    await mkdir(env.BACKUP, { recursive: true });
    await runCommands('admin database setup', env);
  };
  const section = (heading: string, at = 0): string => {
    const block = page.get(heading)?.[at];
    if (!block) throw new Error(`The page has no such commands under '${heading}'.`);
    return block;
  };

  it('restore every row and every byte on an empty machine', async () => {
    const first = await postgres.start(await postgres.folder('first'));
    const before = variables(first, 'storage', 'backup');
    await setUp(before);
    const project = await newProject(before);
    const contents = Array.from({ length: 5 }, () => randomBytes(10_000));
    const ids: string[] = [];
    for (const content of contents) ids.push(await upload(before, project, content));

    expect(await runCommands(section('Backup'), before)).to.match(
      /maintenance is drained(.|\n)*5 +50000 +0 +0\n(.|\n)*maintenance resumed/,
    );
    await first.stop();
    await rm(join(home, 'storage'), { recursive: true });

    const second = await postgres.start(await postgres.folder('second'));
    const after = variables(second, 'storage-2', 'backup');
    expect(await runCommands(section('Restore'), after)).to.include(
      'All referenced content is present.',
    );
    expect(await objects(after, project)).to.deep.equal(ids);
    expect(await runCommands('admin queue list', after)).to.match(/^maintenance +paused/m);
    expect(await runCommands(section('Restore', 1), after)).to.include('maintenance resumed.');
    const storage = await openStorage(after.STORAGE_URL);
    for (const content of contents) {
      const hash = createHash('sha256').update(content).digest('hex');
      expect(await storage.stat(project, hash)).to.include({ bytes: 10_000 });
    }
    await storage.close();
    // The restored database works: new events are recorded, and tenants stay isolated.
    const more = await upload(after, project, Buffer.from('more'));
    expect(await objects(after, project)).to.deep.equal([...ids, more]);
    expect(await objects(after, await newProject(after))).to.deep.equal([]);
    await second.stop();
  });

  it('work as they are written for Docker Compose, with what its services are given', async () => {
    const folder = join(home, 'compose');
    await mkdir(join(folder, 'backup'), { recursive: true });
    const docker = [process.execPath, ...runTypeScript, dockerProgram].map((one) => `'${one}'`);
    await writeFile(join(folder, 'docker'), `#!/bin/sh\nexec ${docker.join(' ')} "$@"\n`);
    await chmod(join(folder, 'docker'), 0o755);
    const passwords = ['OWNER', 'API', 'WORKER', 'RELAY', 'NEIGHBOUR', 'REDIS', 'OPERATOR'];
    const keys = ['SECRET_KEY', 'SIGNING_KEY'].map((name) => [
      name,
      randomBytes(32).toString('base64'),
    ]);
    const inCompose = (cluster: RunningCluster, volumes: string) => {
      const { password, host } = new URL(cluster.superuserUrl);
      const own = {
        ...Object.fromEntries(keys),
        ...Object.fromEntries(
          passwords.map((name) => [`${name}_PASSWORD`, `${name.toLowerCase()}-password`]),
        ),
        PUBLIC_URL: 'https://files.example.com',
        POSTGRES_PASSWORD: password,
      };
      const env = {
        ...own,
        PATH: `${folder}:${postgres.bin}:${process.env.PATH}`,
        COMPOSE_POSTGRES: host,
        COMPOSE_VOLUMES: join(folder, volumes),
        BACKUP_PATH: join(folder, 'bytes'),
        BACKUP: join(folder, 'backup'),
      };
      const lines = Object.entries(own).map(([name, value]) => `${name}=${value}`);
      return async (block: string): Promise<string> => {
        await writeFile(join(folder, '.env'), `${lines.join('\n')}\n`);
        return runCommands(block, env, {
          definitions: section('With Docker Compose'),
          cwd: folder,
        });
      };
    };
    const first = await postgres.start(await postgres.folder('compose-first'));
    const backUp = inCompose(first, 'first');
    await backUp('admin database setup');
    await backUp('admin project create Kept');
    const inHost = variables(first, join('compose', 'first', 'storage'), 'backup');
    const project = await newProject(inHost);
    const kept = await upload(inHost, project, randomBytes(10_000));
    await backUp(section('Backup'));
    await first.stop();

    const second = await postgres.start(await postgres.folder('compose-second'));
    const restore = inCompose(second, 'second');
    expect(await restore(section('Restore'))).to.include('All referenced content is present.');
    expect(await restore(section('Restore', 1))).to.include('maintenance resumed.');
    const there = variables(second, join('compose', 'second', 'storage'), 'backup');
    expect(await objects(there, project)).to.deep.equal([kept]);
    await second.stop();
  });

  it('fail with exit code 3 if a byte is missing', async () => {
    const cluster = await postgres.start(await postgres.folder('lossy'));
    const env = variables(cluster, 'storage-lossy', 'backup-lossy');
    await setUp(env);
    const project = await newProject(env);
    const content = randomBytes(50);
    await upload(env, project, content);
    const storage = await openStorage(env.STORAGE_URL);
    const hash = createHash('sha256').update(content).digest('hex');
    await storage.remove(project, hash);
    await storage.close();
    for (const block of [section('Backup'), 'admin storage verify --all']) {
      const error = await runCommands(block, env).then(
        () => null,
        (failed: Error) => failed.message,
      );
      expect(error)
        .to.match(/^It ended with 3:/)
        .and.include(`missing  ${project}/${hash}`);
    }
    await cluster.stop();
  });

  it('restore to a point in time without a dump', async () => {
    const [folder, archive] = [await postgres.folder('live'), await postgres.folder('archive')];
    const base = await postgres.folder('base');
    const own = (cluster: RunningCluster) => ({
      ...variables(cluster, 'storage-live', 'backup-live'),
      ARCHIVE: archive,
      BASE: base,
    });
    const [archiving, backing] = section('To a point in time').split(/^# Regularly\.$/m);
    const fresh = await postgres.start(folder);
    await runCommands(archiving!, own(fresh));
    await fresh.stop();
    const live = await postgres.start(folder);
    const env = own(live);
    await setUp(env);
    const project = await newProject(env);
    await runCommands(backing!, env);
    const kept = await upload(env, project, Buffer.from('before the moment'));
    const moment = await ask(live, 'SELECT now()::text AS answer');
    await upload(env, project, Buffer.from('after the moment'));
    await ask(live, 'SELECT pg_switch_wal()::text AS answer');
    await live.stop();

    await runCommands(section('To a point in time', 1), { ...env, MOMENT: moment });
    await postgres.giveToServer('base');
    const back = await postgres.start(base);
    expect(await objects(own(back), project)).to.deep.equal([kept]);
    await back.stop();
  });

  const ask = async (cluster: RunningCluster, sql: string): Promise<string> => {
    const client = new pg.Client({ connectionString: cluster.superuserUrl });
    await client.connect();
    try {
      return String((await client.query(sql)).rows[0].answer);
    } finally {
      await client.end();
    }
  };
});
